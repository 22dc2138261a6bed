// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import spinal.core._
import spinal.lib._

/** The victims of a direct-mapped I-cache. A miss looks for its block here before anywhere else, in
  * the tick in which it counts; if it is here, the stream buffer and the bus are as if nothing had
  * missed.
  */
class FetchVictims(f: FetchUnit) extends Area {
  import f._
  val cache = new VictimCache(
    c.iVictims,
    c.iVictimTicks,
    c.bus.addressWidth - offsetBits,
    c.bus.blockBits,
    ofData = false
  )
  val takes = first && cache.has
  val serves = cache.returns // the block that misses comes from here
  cache.number := blockOf(start)
  cache.take := takes
  cache.clear := flush || coldStart
  assert(!cache.back.valid || serving, "a victim comes back and nobody waits", FAILURE)

  /** `other`, or of the block that comes back. */
  def or[T <: Data](other: T, mine: Flow[Bits] => T): T = serves ? mine(cache.back) | other

  // A line that a flush empties counts as empty from its tick on; a cache that is off keeps one
  // block.
  private val way = ways.head
  private val emptied = flush || coldStart || flushed || !cacheOn
  way.valids.other.index := indexOf(start)
  val displaced = way.displaced
  cache.put.valid := fills && way.valids.other.valid && !emptied && !ideal
  cache.put.number := displaced.number.resized
  cache.put.block := displaced.block
  displaced.check(cache.put.valid)
}
