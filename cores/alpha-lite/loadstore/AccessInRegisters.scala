// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import mcpi.bus.{EveryClock, Timing}
import spinal.core._

/** Registers for what comes late in the tick of the access in E1: its kind, its block in the
  * D-cache, its entry of the write buffer. The access has a clock without a tick for its lookup. A
  * store writes D-cache and write buffer in the clock after its tick. No load reads it meanwhile,
  * as each has its lookup first.
  */
class AccessInRegisters(u: LoadStore) extends Area {
  import u._
  val sorted = EveryClock(new SortedAccess(u))
  val lookup = EveryClock(new Lookup(c))
  val storedHit = EveryClock(RegInit(False))

  /** E1 has an access, in its tick; and which. */
  def now: Bool = sorted.valid && tick
  def isLoad: Bool = sorted.load && tick
  def isConditional: Bool = sorted.conditional && tick
  def isStore: Bool = sorted.store && tick

  /** The D-cache has its block. */
  def hits: Bool = lookup.hits

  /** The D-cache has not the block that it wants, in its tick; stage D looks in ticks alone. */
  def misses: Bool = tick && lookup.isMissing
  def missesForD: Bool = lookup.isMissing && !ideal

  /** A miss asks for the bus. It stands before its tick, in which the bus takes it. */
  def asksBus: Bool = victims.fold(lookup.isMissing)(lookup.isMissing && !_.has)

  /** The write buffer has an entry of the block. */
  def isBuffered: Bool = lookup.matched

  /** The write buffer takes the store. */
  def isTaken: Bool = lookup.taken

  /** Writes a store into the D-cache, and its data into the write buffer. */
  def write(): Unit = {
    storedHit := storeHit
    cache.write := storedHit
    cache.writeAddress := job.address
    cache.writeLong := job.long
    cache.writeData := job.data
    buffer.store.data := job.data
    buffer.dataLong := job.long
  }

  /** Sets `hold`, and connects the lookup. */
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
  import u.{access, tick, uncached}
  private def kept(what: Bool): Bool = {
    val before = RegNext(access.valid && what && !tick) init False
    Timing.agree(tick, before, access.valid && what, "an access is not sorted")
    before
  }
  val valid = kept(True)
  val load = kept(!uncached && !access.store)
  val store = kept(!uncached && access.store && !access.locked)
  val conditional = kept(access.store && access.locked)
}
