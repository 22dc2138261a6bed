// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import mcpi.bus.Timing
import spinal.core._
import spinal.lib._

/** Direct-mapped D-cache and its victims: a block is in one of both, or in none. Who fills it need
  * not know: a fill displaces into the victims, whether its block comes from the bus or from them.
  */
class DCacheWithVictims(c: AlphaLiteConfig) extends DataCache(c) {
  val loadMisses = in Bool () // a load misses
  val stores = in Bool () // a store misses: of `address`
  val stored = in(VictimStore(c.blockWords / 2)) // its bytes
  val keeps = in Bool () // a displaced block becomes a victim
  val fillNext = in UInt (c.bus.addressWidth bits) // `fillAddress` after this clock
  val takes = out Bool () // the load's block is a victim, which comes in `dVictimTicks`
  val back = master(Flow(Bits(c.bus.blockBits bits))) // the victim that comes back, to be filled
  val has = out Bool () // the access's block is a victim, a clock later

  private def numberOf(a: UInt) = a(c.bus.addressWidth - 1 downto offsetBits)
  val cache = new DCache(c, hasVictims = true)
  cache.next := next
  cache.tick := tick
  cache.address := address
  cache.write := write
  cache.writeAddress := writeAddress
  cache.writeLong := writeLong
  cache.writeData := writeData
  cache.fill << fill
  cache.fillAddress := fillAddress
  cache.fillNext := fillNext
  cache.keeps := keeps
  cache.invalidate << invalidate
  cache.flush := flush
  hit := cache.hit
  quad := cache.quad
  read := cache.read
  counts := cache.counts
  renewed := cache.renewed
  hold := cache.hold

  private val numberBits = c.bus.addressWidth - offsetBits
  val victims =
    new VictimCache(c.dVictims, c.dVictimTicks, numberBits, c.bus.blockBits, ofData = true)
  victims.number := numberOf(address)
  has := Timing.late(victims.has, loadMisses || stores, "a victim is found late")
  takes := loadMisses && has
  victims.take := takes
  back << victims.back
  cache.stillValid := !back.valid || victims.stillValid
  victims.put.valid := fill.valid && !cache.free && keeps
  victims.put.number := cache.displaced.number
  victims.put.block := cache.displaced.block
  victims.drop.valid := invalidate.valid
  victims.drop.payload := numberOf(invalidate.payload)
  victims.clear := flush
  victims.store.valid := stores && has
  victims.store.payload := stored
  private val same = cache.displaced.number === numberOf(fillAddress)
  assert(!(fill.valid && !cache.free && keeps && same), "a fill of what is here", FAILURE)
  assert(!back.valid || fill.valid, "a victim comes back and is not filled", FAILURE)
}
