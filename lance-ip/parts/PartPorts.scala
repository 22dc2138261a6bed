// SPDX-License-Identifier: BSD-2-Clause
package mcpi.lance

import spinal.core._
import spinal.lib._

/** An access of the processor to a register of the part: `valid` for one clock; `readData` is there
  * at once. `address` counts longwords.
  */
case class PartAccess() extends Bundle with IMasterSlave {
  val valid, write = Bool()
  val address = UInt(3 bits)
  val mask = Bits(4 bits)
  val writeData = Bits(32 bits)
  val readData = Bits(32 bits)
  override def asMaster(): Unit = { out(valid, write, address, mask, writeData); in(readData) }
}

/** A longword of the part's DMA. `valid` stays, with all that goes with it, until `ready`, or until
  * the part has waited too long. `error` and `readData` count in the clock of `ready`. `address`
  * counts longwords.
  *
  * `more` longwords of the same 16 bytes follow, each in the clock after the last was `ready`,
  * unless there is an error or the chip lets go: then `valid` is low for a clock. `busy`: the bus
  * still has a transfer.
  */
case class PartMemory() extends Bundle with IMasterSlave {
  val valid, write = Bool()
  val address = UInt(30 bits)
  val more = UInt(2 bits)
  val mask = Bits(4 bits)
  val writeData = Bits(32 bits)
  val ready, error, busy = Bool()
  val readData = Bits(32 bits)
  override def asMaster(): Unit = {
    out(valid, write, address, more, mask, writeData)
    in(ready, error, busy, readData)
  }
}
