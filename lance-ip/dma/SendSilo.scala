// SPDX-License-Identifier: BSD-2-Clause
package mcpi.lance

import spinal.core._
import spinal.lib._

case class SendSiloIo(size: Int) extends Bundle {
  val push = slave(Flow(Bits(8 bits))) // never into a full one: TransmitRing looks first
  val pop = master(Stream(Bits(8 bits))) // a byte comes out two ticks after it was pushed
  val occupancy = out UInt (log2Up(size + 1) bits)
  val flush = in Bool ()
}

/** The silo between memory and wire; its oldest byte lies in a register. */
class SendSilo(size: Int) extends Component {
  val io = SendSiloIo(size)
  require(size <= 64)
  val bytes = Mem(Bits(8 bits), 64).addAttribute(AnyRam)
  val written, read = Reg(UInt(6 bits)) init 0
  val occupancy = Reg(UInt(log2Up(size + 1) bits)) init 0
  val valid = Reg(Bool()) init False
  val oldest = Reg(Bits(8 bits))

  bytes.write(written, io.push.payload, io.push.valid)
  when(io.push.valid)(written := written + 1)

  val notEmpty = written =/= read
  when(!valid || io.pop.ready) {
    valid := notEmpty
    oldest := bytes.readAsync(read)
    when(notEmpty)(read := read + 1)
  }
  io.pop.valid := valid
  io.pop.payload := oldest

  when(io.push.valid =/= io.pop.fire) {
    occupancy := occupancy + Mux(io.push.valid, U(1), U(occupancy.maxValue))
  }
  io.occupancy := occupancy
  when(io.flush) {
    written := 0
    read := 0
    occupancy := 0
    valid := False
  }
}
