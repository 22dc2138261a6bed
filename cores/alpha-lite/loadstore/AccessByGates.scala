// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import spinal.core._

/** All in its tick. */
class AccessByGates(u: LoadStore) extends AccessTiming(u) {
  import u._
  private lazy val cached = (u.now && !uncached).setName("cached")

  def now: Bool = access.valid && tick
  def isLoad: Bool = cached && !access.store
  def isConditional: Bool = u.now && access.store && access.locked
  def isStore: Bool = cached && access.store && !access.locked
  def hits: Bool = cache.hit
  def misses: Bool = wantsBlock && !cache.hit
  def missesForD: Bool = cache.misses
  def asksBus: Bool = u.asksBus
  def isBuffered: Bool = buffer.lookupHit
  def isTaken: Bool = buffer.store.ready

  def write(): Unit = {
    cache.write := storeHit
    cache.writeAddress := physical
    cache.writeLong := access.long
    cache.writeData := access.data
    buffer.store.data := again ? job.data | access.data
    buffer.dataLong := buffer.store.long
  }

  def end(): Unit = hold := holding
}
