// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import spinal.core._
import spinal.lib._

/** The use of one way of a set. */
case class WayUse(sets: Int, ways: Int) extends Bundle {
  val index = UInt(log2Up(sets) bits)
  val way = Bits(ways bits) // one-hot
}

/** Where a block goes in a cache with ways: the first way that is free, else the one whose last use
  * is longest ago. It keeps for each two ways of a set which was used last. What a way without a
  * block says does not matter, since it is filled before a block is displaced, and a fill is a use.
  */
class Replacement(sets: Int, ways: Int) extends Component {
  private val pairs = for (a <- 0 until ways; b <- a + 1 until ways) yield (a, b)
  val use = slave(Flow(WayUse(sets, ways)))
  val fill = slave(Flow(UInt(log2Up(sets) bits))) // `way` counts, valid or not; never with a use
  val free = in Bits (ways bits) // ways of that set that have no block
  val way = out Bits (ways bits) // one-hot

  // A bit of each pair of ways: the second was used after the first.
  val rows = Mem(Bits(pairs.size bits), sets)
  val ofFill = rows.readAsync(fill.payload)
  val ofUse = rows.readAsync(use.index)
  private def oldest(a: Int): Bool = pairs
    .zip(ofFill.asBools)
    .collect {
      case ((first, _), later) if first == a => later
      case ((_, second), later) if second == a => !later
    }
    .reduce(_ && _)
  way := free.orR ? OHMasking.first(free) | Cat((0 until ways).map(oldest))

  private def after(row: Bits, used: Bits): Bits = Cat(
    pairs.zip(row.asBools).map { case ((a, b), later) => used(b) || (later && !used(a)) }
  )
  rows.write(
    fill.valid ? fill.payload | use.index,
    fill.valid ? after(ofFill, way) | after(ofUse, use.way),
    fill.valid || use.valid
  )
  assert(!(fill.valid && use.valid), "a use in the tick of a fill", FAILURE)
}
