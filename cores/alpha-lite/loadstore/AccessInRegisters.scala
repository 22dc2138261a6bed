// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import mcpi.bus.EveryClock
import spinal.core._

/** A clock later: the access has a clock without a tick for its lookup. A store writes D-cache and
  * write buffer in the clock after its tick. No load reads it meanwhile, as each has its lookup
  * first.
  */
class AccessInRegisters(u: LoadStore) extends AccessTiming(u) {
  import u._
  val sorted = EveryClock(new SortedAccess(u))
  val lookup = EveryClock(new Lookup(c))
  val storedHit = EveryClock(RegInit(False))

  def now: Bool = sorted.valid && tick
  def isLoad: Bool = sorted.load && tick
  def isConditional: Bool = sorted.conditional && tick
  def isStore: Bool = sorted.store && tick
  def hits: Bool = lookup.hits
  def misses: Bool = tick && lookup.isMissing
  def missesForD: Bool = lookup.isMissing && !ideal
  // It stands before its tick, in which the bus takes it.
  def asksBus: Bool = victims.fold(lookup.isMissing)(lookup.isMissing && !_.has)
  def isBuffered: Bool = lookup.matched
  def isTaken: Bool = lookup.taken

  def write(): Unit = {
    storedHit := storeHit
    cache.write := storedHit
    cache.writeAddress := job.address
    cache.writeLong := job.long
    cache.writeData := job.data
    buffer.store.data := job.data
    buffer.dataLong := job.long
  }

  def end(): Unit = {
    val kept = buffer.inRegisters
    hold := holding || lookup.hold || places || lateValue.listens || kept.reads || cache.hold
    if (!c.isCoherent) when(locks.hold) { hold := True }
    else { // other cores turn the bus in any clock
      val went = EveryClock(RegNext(kept.sendsOnceRead) init False)
      when(lookup.stores && kept.sendsOnceRead =/= went) { hold := True }
    }
    if (c.writeBack) {
      cache.storeHits := storeHit
      cache.fillGoes := arbiter.loadGoes && tick
    }
    lookup.connect(u, this)
  }
}

/** The kind of the access in E1, in registers. */
class SortedAccess(u: LoadStore) extends Area {
  import u.{access, c, tick, uncached}
  private def kept(what: Bool): Bool = {
    val before = RegNext(access.valid && what && !tick) init False
    c.timing.agree(tick, before, access.valid && what, "an access is not sorted")
    before
  }
  val valid = kept(True)
  val load = kept(!uncached && !access.store)
  val store = kept(!uncached && access.store && !access.locked)
  val conditional = kept(access.store && access.locked)
}
