// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import spinal.core._
import spinal.lib._

/** The load-store unit as the pipeline sees it; names as in `LoadStore`. */
case class LoadStorePort() extends Bundle with IMasterSlave {
  val access = Flow(MemoryAccess())
  val breakLock, drain = Bool()
  val late, uncached, busy, blocksAll, blockedByIo, blockedByLock, empty, error, miss = Bool()
  val loaded = Bits(64 bits)
  val lateLoad = Flow(LateLoad())

  override def asMaster(): Unit = {
    master(access)
    slave(lateLoad)
    out(breakLock, drain)
    in(late, uncached, busy, blocksAll, blockedByIo, blockedByLock, empty, error, miss, loaded)
  }

  def connect(unit: LoadStore): Unit = {
    unit.access << access
    unit.breakLock := breakLock
    unit.drain := drain
    late := unit.late
    uncached := unit.uncached
    busy := unit.busy
    blocksAll := unit.blocksAll
    blockedByIo := unit.blockedByIo
    blockedByLock := unit.blockedByLock
    empty := unit.empty
    error := unit.error
    miss := unit.missEvent
    loaded := unit.loaded
    lateLoad << unit.lateLoad
  }
}
