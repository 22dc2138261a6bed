// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import spinal.core._

/** A way of the I-cache: F1 reads it, F2 compares it; all of it, if that is direct-mapped.
  *
  * The RAM of data is written by blocks and read by words, so none is chosen from a block.
  */
class FetchWay(f: FetchUnit) extends Area {
  import f._
  val data = ram(Bits(32 bits), c.iSets * c.blockWords)
  val tags = ram(UInt(topBits - offsetBits - indexBits bits))
  val valids = new ValidBits(c.iSets, asksTwice = c.iWays > 1 || c.hasIVictims)
  valids.read.index := indexOf(f2Pc)
  val f2Word = data.readSync(f1Pc(offsetBits + indexBits - 1 downto 2), f1Go)
  val f2Tag = tags.readSync(indexOf(f1Pc), f1Go)
  // The valid bit as it was when F1 read the tag, also if F2 has to stay: a flush acts a tick later
  // here.
  val f2LineValid = Bool()
  val f2LineWasValid = RegNext(f2LineValid) init False
  private val isValid = valids.read.valid
  f2LineValid := f2Fresh ? (if (c.translates) isValid || spaces.isValid else isValid) |
    f2LineWasValid
  private def possible = if (c.translates) CombInit(f2LineValid) else f2LineValid && !outside
  val may = possible.addAttribute("keep") // early; the tag comes late
  private def mine = LateCompare(f2Tag.asBits, tagOf(f2Pc).asBits)

  /** F2's instruction is here; F2 looks at it once. */
  def hits: Bool = may && (if (c.translates) mine && spaces.agrees else mine)

  /** The block in the place of `start`'s block. */
  def displaced: DisplacedBlock =
    new DisplacedBlock(tags, data, c.blockWords, indexOf(start.getAheadValue()), indexOf(start))

  /** The block that has come for `start` goes here, if `enable`. */
  def write(block: Bits, enable: Bool): Unit = {
    valids.write.valid := enable
    valids.write.payload.index := indexOf(start)
    valids.write.payload.valid := (if (c.translates) !itb.isLocal else True)
    for ((word, n) <- block.subdivideIn(32 bits).zipWithIndex)
      data.write(indexOf(start) @@ U(n, offsetBits - 2 bits), word, enable)
    tags.write(indexOf(start), tagOf(start), enable)
  }
}
