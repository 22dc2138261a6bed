// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import mcpi.bus.{EveryClock, Timing}
import spinal.core._

/** Results of the access in E1 in the D-cache and in the write buffer, in registers.
  *
  * {{{
  *   clock    │  tick   │  no tick  │  tick   │
  *   E1       ╳ load ───┼───────────╳ …          it and all it looks at stand still meanwhile
  *   hold     ______/▔▔▔▔▔▔▔▔▔▔▔\______________
  *   done     __________________/▔▔▔▔▔▔▔▔▔\____  the registers say what the gates say
  * }}}
  *
  * So stage D's consent and the bus grant, which need it, begin at registers. No tick is longer or
  * shorter for it: time stands still for a clock after each load and each store. It stands for one
  * clock more if the result may change: the bus may turn to the store's entry (`busMayTurn`), or a
  * load's entry is written out.
  */
class Lookup(c: AlphaLiteConfig) extends Component {
  private val n = c.writeBufferEntries
  val tick = in Bool ()
  val idealClock =
    in Bool () // ideal memory works in this clock
  val loads, stores = in Bool () // E1's access is a load; a store, or a store comes back
  // E1 has a load, with a write-back D-cache or a store, whose block was not filled just now.
  val wantsBlock = in Bool ()
  val known, agrees = in Bool () // the tag that was read counts; it is the block's
  val renewed = in Bool () // the block was filled since
  val waiting = in Bool () // a load has missed and waits for the bus, its block being looked up
  val matches = in Bool () // the write buffer has an entry of the block
  val entryFreed = in Bool () // an entry is free after this clock
  val busMayTurn = in Bool () // the bus may choose anew after this clock, though it is no tick
  val takers = in Bits (n bits) // the entry that takes the store
  val takes = in Bool () // an entry takes the store, or there is room for an entry
  val hold = out Bool () // the next clock gets no tick

  val done = RegNext(!tick && !idealClock && !busMayTurn) init False
  private def before(what: Bool) = RegNext(what) init False
  val isMissing = out(done && before(wantsBlock) && !(before(known) && before(agrees)))
  val hits = out((before(known) && before(agrees)) || before(renewed)) // once `done`
  val matched = out(RegNext(matches) init False)
  val taker = out(RegNext(takers) init 0)
  val taken = out(RegNext(takes) init False)
  val left = RegNext(entryFreed) init False
  hold := (!done && (loads || stores)) || (left && matched && waiting)
  private def asks = if (c.writeBack) loads || stores else loads
  private val right =
    isMissing === (wantsBlock && !(known && agrees)) &&
      (!(asks || waiting) || matched === matches) &&
      (!stores || taker === takers && taken === takes) &&
      (!(loads || stores) || hits === (known && agrees || renewed))
  assert(!tick || right, "a lookup is out of date", FAILURE)

  /** The way of these into the load-store unit. */
  def connect(u: LoadStore, by: AccessInRegisters): Unit = {
    import u.{access, buffer, cache}
    import buffer.inRegisters.{mayLeave, mayTake, takers => bufferTakers}
    tick := u.tick
    idealClock := u.idealClock
    assert(!(isMissing && u.idealClock), "a lookup counts while things move", FAILURE)
    loads := u.loads
    stores := u.stores || u.again
    def filled = if (c.writeBack) !(access.store && access.locked) else !access.store
    wantsBlock := access.valid && filled && !u.uncached && !cache.renewed
    renewed := cache.renewed
    known := cache.counts
    agrees := cache.read
    waiting := u.waiting && !u.sent
    matches := buffer.lookupHit
    entryFreed := buffer.entryFreed && EveryClock.clockEnabled
    busMayTurn := u.busMayTurn
    takers := bufferTakers
    takes := mayTake
    Timing.agree(u.tick && u.buffered, taken, buffer.store.ready, "a store is taken")
    mayLeave := u.arbiter.mayGo
    buffer.inRegisters.taker := taker
    buffer.inRegisters.matched := matched
    val meets = by.storedHit && (u.wantsBlock || cache.fill.valid)
    assert(!meets, "a store writes too late", FAILURE)
  }
}
