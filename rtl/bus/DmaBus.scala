// SPDX-License-Identifier: BSD-2-Clause
package mcpi.bus

import spinal.core._
import spinal.lib._

/** At most 16 bytes inside one aligned 16-byte piece of RAM; `mask` has one bit a byte (writes). */
case class DmaCmd() extends Bundle {
  val address = UInt(34 bits)
  val write = Bool()
  val data = Bits(128 bits)
  val mask = Bits(16 bits)
}

case class DmaRsp() extends Bundle {
  val data = Bits(128 bits)
  val error = Bool()
}

/** From the TURBOchannel into memory; one outstanding, in ticks; writes are answered too. A write
  * updates the b-cache and invalidates the D-cache block.
  */
case class DmaBus() extends Bundle with IMasterSlave {
  val cmd = Stream(DmaCmd())
  val rsp = Flow(DmaRsp())
  override def asMaster(): Unit = { master(cmd); slave(rsp) }
}
