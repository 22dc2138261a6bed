// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import spinal.core._
import spinal.lib._

/** The load-store unit as the pipeline sees it; names as in `LoadStore`. */
case class LoadStorePort(c: AlphaLiteConfig) extends Bundle with IMasterSlave {
  val access = Flow(MemoryAccess())
  val next = UInt(34 bits)
  val breakLock, drain, redirected = Bool()
  val attempt = Bool()
  val loads, stores = Bool()
  val missed, fills, fillEnds, filling, undrained, late, uncached, error, miss = Bool()
  val blocksAll, blockedByIo, blockedByLock = Bool()
  val loaded = Bits(64 bits)
  val lateLoad = Flow(LateLoad())
  val places = Bool()

  override def asMaster(): Unit = {
    master(access)
    slave(lateLoad)
    out(next, attempt, loads, stores, breakLock, drain, redirected)
    in(places, missed, fills, fillEnds, filling, undrained, late, uncached, error, miss, loaded)
    in(blocksAll, blockedByIo, blockedByLock)
  }

  def connect(unit: LoadStore): Unit = {
    unit.access << access
    unit.next := next
    unit.attempt := attempt
    unit.breakLock := breakLock
    unit.drain := drain
    unit.redirected := redirected
    unit.loads := loads
    unit.stores := stores
    places := unit.places
    late := unit.late
    uncached := unit.uncached
    missed := unit.missed
    fills := unit.fills
    fillEnds := unit.fillEnds
    filling := unit.filling
    undrained := unit.undrained
    blocksAll := unit.blocksAll
    blockedByIo := unit.blockedByIo
    blockedByLock := unit.blockedByLock
    error := unit.error
    miss := unit.missEvent
    loaded := unit.loaded
    lateLoad << unit.lateLoad
  }
}
