// SPDX-License-Identifier: BSD-2-Clause
package mcpi.lance

import spinal.core._
import spinal.lib._

/** The chip's slave side: RDP and RAP. `valid` for one tick; `readData` is there at once. */
case class RegisterPort() extends Bundle with IMasterSlave {
  val valid, write = Bool()
  val rap = Bool() // ADR pin: the address port, else the data port
  val writeData = Bits(16 bits)
  val readData = Bits(16 bits)
  override def asMaster(): Unit = { out(valid, write, rap, writeData); in(readData) }
}

/** The chip's master side, one bus ownership: a single word, or bytes inside one aligned 16-byte
  * piece (`mask`: which). `request` stays until `done`; when it drops earlier the chip has given up
  * (READY absent, or STOP) and the wiring forgets the access. A single word travels in 15:0.
  */
case class LanceMemory() extends Bundle with IMasterSlave {
  val request, write, single = Bool()
  val address = UInt(24 bits)
  val writeData = Bits(128 bits)
  val mask = Bits(16 bits)
  val done = Bool()
  val readData = Bits(128 bits)
  override def asMaster(): Unit = {
    out(request, write, single, address, writeData, mask)
    in(done, readData)
  }
}
