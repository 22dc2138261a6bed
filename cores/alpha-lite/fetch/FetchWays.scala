// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import spinal.core._
import spinal.lib._

/** The ways of an I-cache that has several. At most one of them has the block that F2 looks for.
  * An instruction's way is used when the instruction issues.
  */
class FetchWays(f: FetchUnit, ways: Seq[FetchWay]) extends Area {
  import f._
  val hits = Cat(ways.map(_.hits))
  val word = MuxOH(hits, ways.map(_.f2Word))
  val number = OHToUInt(hits)
  assert(!f2Valid || CountOne(hits) <= 1, "a block is in two ways", FAILURE)

  val replacement = new Replacement(c.iSets, c.iWays)
  replacement.use.valid := used
  replacement.use.index := indexOf(dFetched.pc)
  replacement.use.way := UIntToOh(dFetched.way, c.iWays)
  replacement.fill.valid := fills
  replacement.fill.payload := indexOf(start)
  // A line that a flush empties counts as empty from its tick on; a cache that is off is emptied
  // first.
  private val emptied = flush || coldStart || flushed || !cacheOn
  replacement.free := Cat(ways.map(way => emptied || !way.valids.other.valid))
  ways.foreach(_.valids.other.index := indexOf(start))

  /** In which way is, of this tick, what has missed, or else what D has. */
  val usedWay = first ? OHToUInt(replacement.way) | dFetched.way
}
