// SPDX-License-Identifier: BSD-2-Clause
package mcpi.bus

import spinal.core._
import spinal.lib._

/** Signals of LDx_L and STx_C between a core and its private cache, next to a `MemoryBus`
  * (docs/explanation/multiprocessor.md).
  */
case class LockPort() extends Bundle with IMasterSlave {
  val conditional = Bool() // with memory.cmd: STx_C's entry
  val flag = Bool() // the lock flag, after what memory.invalidate clears in this tick
  val decided = Flow(Bool()) // the verdict: STx_C stores
  val lost = Bool() // with memory.rsp: the block went while the read was under way

  override def asMaster(): Unit = {
    slave(decided)
    out(conditional, flag)
    in(lost)
  }
}
