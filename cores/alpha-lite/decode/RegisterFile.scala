// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import spinal.core._
import spinal.lib._

/** A register write. */
case class RegisterWrite() extends Bundle {
  val register = UInt(5 bits)
  val value = Bits(64 bits)
}

/** 32 registers of 64 bits, two read ports, two write ports: the end of the pipeline, and late
  * results (load misses, multiplies). Each write port has its own bank; `newest` tells which bank
  * holds a register, so that a bank stays a small RAM with one write port. r31 is the reader's.
  */
class RegisterFile extends Component {
  val readA, readB = slave(new Bundle with IMasterSlave {
    val register = UInt(5 bits)
    val value = Bits(64 bits)
    override def asMaster(): Unit = { out(register); in(value) }
  })
  val write = slave(Flow(RegisterWrite()))
  val lateWrite = slave(Flow(RegisterWrite()))

  val pipeBank = Mem(Bits(64 bits), 32)
  val lateBank = Mem(Bits(64 bits), 32)
  val newest = Reg(Bits(32 bits)) init 0 // 1: the late bank

  pipeBank.write(write.register, write.value, write.valid)
  lateBank.write(lateWrite.register, lateWrite.value, lateWrite.valid)
  when(write.valid) { newest(write.register) := False }
  when(lateWrite.valid) { newest(lateWrite.register) := True } // of two, the younger

  for (port <- Seq(readA, readB)) {
    port.value := newest(port.register) ?
      lateBank.readAsync(port.register) | pipeBank.readAsync(port.register)
  }
}
