// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import spinal.core._
import spinal.lib._

/** The load-store unit as the pipeline sees it; names as in `LoadStore`. */
case class LoadStorePort(c: AlphaLiteConfig) extends Bundle with IMasterSlave {
  val access = Flow(MemoryAccess())
  val next = UInt(log2Up(c.dCacheBytes) bits)
  val breakLock, drain = Bool()
  val late, uncached, succeeded, busy, blocksAll, blockedByIo, empty, error, miss = Bool()
  val loaded = Bits(64 bits)
  val lateLoad = Flow(LateLoad())

  override def asMaster(): Unit = {
    master(access)
    slave(lateLoad)
    out(next, breakLock, drain)
    in(late, uncached, succeeded, busy, blocksAll, blockedByIo, empty, error, miss, loaded)
  }

  def connect(unit: LoadStore): Unit = {
    unit.access << access
    unit.next := next
    unit.breakLock := breakLock
    unit.drain := drain
    late := unit.late
    uncached := unit.uncached
    succeeded := unit.succeeded
    busy := unit.busy
    blocksAll := unit.blocksAll
    blockedByIo := unit.blockedByIo
    empty := unit.empty
    error := unit.error
    miss := unit.missEvent
    loaded := unit.loaded
    lateLoad << unit.lateLoad
  }
}
