// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import spinal.core._

/** The block that a fill may displace, read when the miss is known and held until the fill. So the
  * cache's words stay in block RAM, which answers a clock after it is asked.
  *
  * {{{
  *   tick      │ the miss │    …     │ the fill │
  *   next      ╳ its set ─┼──────────┼──────────    the set of the next fill, after this clock
  *   the RAM   ___________/ the block of that set    nothing writes there before the fill
  *   victims   ______________________/▔▔▔▔▔▔▔▔▔▔    `put`
  * }}}
  *
  * @param next the set of the next fill, as it will be after this clock
  * @param set the same, in this clock
  */
class DisplacedBlock(tags: Mem[UInt], data: Mem[Bits], words: Int, next: UInt, set: UInt)
    extends Area {
  private def read(tag: UInt => UInt, word: UInt => Bits, of: UInt) =
    (tag(of) @@ set, Cat((0 until words).map(n => word(of @@ U(n, log2Up(words) bits)))))
  Seq(tags, data).foreach(_.addAttribute("ram_style", "block")) // `check` is no part of the circuit
  val (number, block) = read(tags.readSync(_), data.readSync(_), next)

  /** Asserts that what was read is still in the RAM. */
  def check(puts: Bool): Unit = {
    val (stays, same) = read(tags.readAsync(_), data.readAsync(_), set)
    assert(!puts || number === stays && block === same, "a displaced block is old", FAILURE)
  }
}
