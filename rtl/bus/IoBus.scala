// SPDX-License-Identifier: BSD-2-Clause
package mcpi.bus

import spinal.core._
import spinal.lib._

/** An uncached access; `quad`: eight bytes, else four. `data` is right-aligned for longwords. */
case class IoCmd() extends Bundle {
  val address = UInt(34 bits)
  val write = Bool()
  val quad = Bool()
  val data = Bits(64 bits)
}

/** `error`: nothing answered (timeout); the core takes a machine check. */
case class IoRsp() extends Bundle {
  val data = Bits(64 bits)
  val error = Bool()
}

/** Uncached accesses of the core (address bits 33:32 not zero), in ticks: in order, one
  * outstanding, writes are answered too.
  */
case class IoBus() extends Bundle with IMasterSlave {
  val cmd = Stream(IoCmd())
  val rsp = Flow(IoRsp())
  override def asMaster(): Unit = { master(cmd); slave(rsp) }
}
