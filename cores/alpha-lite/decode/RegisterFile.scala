// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import spinal.core._
import spinal.lib._

/** A register write. */
case class RegisterWrite() extends Bundle {
  val register = UInt(5 bits)
  val value = Bits(64 bits)
}

/** 32 registers of 64 bits: one RAM with one write port, two read ports. r31 is the reader's.
  *
  * In ticks the port belongs to the end of the pipeline. A late value is written before its tick,
  * in a clock without a tick: a load's just before the tick in which it comes, a product as soon as
  * the product is there. So nobody looks for a value anywhere else than in the RAM. In virtual time
  * both wait for a tick in which the port is free: the load's is `held`, the product in the
  * multiplier. A held load is gone before the next one comes, since that load itself wrote nothing
  * at the pipeline's end (proof `completion`).
  *
  * {{{
  *   clock    │  tick   │  no tick  │  tick   │
  *   answer   __________/▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔\  of the memory, or a product
  *   hold     __________/▔▔▔▔▔▔▔▔▔▔▔\__________
  *   the RAM  ╳          ╳ written  ╳ read
  * }}}
  */
class RegisterFile(val c: AlphaLiteConfig) extends Component {
  val readA, readB = slave(new Bundle with IMasterSlave {
    val register = UInt(5 bits)
    val value = Bits(64 bits)
    override def asMaster(): Unit = { out(register); in(value) }
  })
  val write = slave(Flow(RegisterWrite())) // end of the pipeline
  val load = slave(Flow(RegisterWrite())) // late: a miss, I/O, STx_C
  val product = slave(Stream(RegisterWrite()))
  val productComes = in Bool () // `product` is valid in the next tick: asked in ticks
  val holds = out Bool () // a load's value
  val tick, places = in Bool () // places: write `load` now, in no tick
  val hold = out(Bool()) // the next clock gets no tick
  // Both late ones wait: a tick without a write is needed, since the next multiply's may be the one
  // in which the held value goes.
  val crowded = out Bool ()

  val held = Reg(Flow(RegisterWrite()))
  held.valid init False
  holds := held.valid
  crowded := held.valid && product.valid
  when(!write.valid || write.register === held.register) { held.valid := False }
  when(load.valid) {
    held.valid := load.register =/= 31
    held.payload := load.payload
  }
  assert(!(load.valid && held.valid && write.valid), "a late load finds the last one held", FAILURE)

  product.ready := !write.valid && !held.valid && !load.valid
  val bank = Mem(Bits(64 bits), 32)
  val early = new EarlyWrites(this)
  for (port <- Seq(readA, readB)) { port.value := bank.readAsync(port.register) }
  early.check()
}
