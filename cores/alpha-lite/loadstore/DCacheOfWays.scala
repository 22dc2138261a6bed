// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import mcpi.bus.Timing
import spinal.core._
import spinal.lib._

/** D-cache with ways, each of which is a direct-mapped one: all are asked, at most one has the
  * block, and a fill goes into one alone (`Replacement`).
  */
class DCacheOfWays(c: AlphaLiteConfig) extends DataCache(c) {
  val used = in Bool () // the access counts: if it hits, it uses its way
  private def indexOf(a: UInt) = a(offsetBits, indexBits bits)
  val ways = Seq.fill(c.dWays)(new DCache(c, isWay = true))
  val hits = Cat(ways.map(_.hit))
  hit := hits.orR

  // A store writes the way that hits in the clock after its tick.
  val found = Timing.late(hits, used, "a way is found late")
  val had = RegNextWhen(found, tick)
  read := ways.map(way => way.read && way.counts).orR
  counts := True
  renewed := ways.map(_.renewed).orR
  hold := ways.map(_.hold).orR

  val replacement = new Replacement(c.dSets, c.dWays)
  replacement.use.valid := used && found.orR
  replacement.use.index := indexOf(address)
  replacement.use.way := found
  replacement.fill.valid := fill.valid
  replacement.fill.payload := indexOf(fillAddress)
  replacement.free := Cat(ways.map(_.free))

  for ((way, n) <- ways.zipWithIndex) {
    way.next := next
    way.tick := tick
    way.address := address
    way.write := write && had(n)
    way.writeAddress := writeAddress
    way.writeLong := writeLong
    way.writeData := writeData
    way.fill.valid := fill.valid && replacement.way(n)
    way.fill.payload := fill.payload
    way.fillAddress := fillAddress
    way.invalidate << invalidate
    way.flush := flush
  }
  quad := MuxOH(had, ways.map(_.quad))
  assert(!used || CountOne(hits) <= 1, "a block is in two ways", FAILURE)
}
