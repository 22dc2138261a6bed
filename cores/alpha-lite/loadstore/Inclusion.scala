// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import spinal.core._
import spinal.lib._

/** Sets of the D-cache that a block of the b-cache may be in: the first, and those meant. */
case class SetGroup(c: AlphaLiteConfig) extends Bundle {
  val index = UInt(log2Up(c.dSets) bits)
  val mask = Bits(c.dropBlocks bits)
}

/** Keeps a coherent core's D-cache inside its b-cache: of a block that the b-cache has given up it
  * drops every block, at the end of that tick and before a fill of that tick.
  *
  * {{{
  *   tick  o          o + 1
  *         invalidate tags compared: its blocks are reported, their valid bits cleared,
  *                    a tick later if the RAM's port is a fill's
  * }}}
  *
  * From o + 1 on accesses see `isDropped`. Two of these never come closer than 3 ticks,
  * but for STx_C's own block, which may come in o + 1; then no load is under way.
  */
class Inclusion(c: AlphaLiteConfig) extends Component {
  private val offsetBits = log2Up(c.blockBytes)
  private val indexBits = log2Up(c.dSets)
  private val n = c.dropBlocks
  private val groupBits = log2Up(n)
  private val tagLow = offsetBits + indexBits
  private val width = c.bus.addressWidth

  val invalidate = slave(Flow(UInt(width bits)))
  val whole = in Bool () // all blocks of the b-cache's block, not that of the address alone
  val validOfSets = in Bits (n bits) // valid bits of the sets it may be in, in that tick
  val fill = slave(Flow(UInt(width bits)))
  val address = in UInt (width bits) // of the access in E1
  val isDropped = out Bool ()
  val dropped = out Bits (n bits) // of a whole block, in the tick after
  val clear = master(Flow(SetGroup(c)))

  private def group(a: UInt) = a(tagLow - 1 downto offsetBits + groupBits)
  private def member(a: UInt): Bits =
    if (n == 1) B"1" else UIntToOh(a(offsetBits, groupBits bits), n)
  private def meets(a: UInt): Bits = // the fill's set, if it is one of the block's
    member(fill.payload) & ((fill.valid && group(fill.payload) === group(a)) #* n)

  val block = RegNextWhen(invalidate.payload, invalidate.valid)
  val tags = Vec((0 until n).map { k =>
    val bank = Mem(UInt(c.ramBits - tagLow bits), c.dSets / n).setName(s"bank$k")
    bank.write(
      group(fill.payload),
      fill.payload(c.ramBits - 1 downto tagLow),
      fill.valid && member(fill.payload)(k)
    )
    bank.readSync(group(invalidate.payload), invalidate.valid)
  })
  val dropping, fresh, all = RegInit(False) // fresh: the first tick of it
  val had, left = Reg(Bits(n bits)) // was valid; is still to be cleared
  private val same =
    Cat(tags.map(_ === block(c.ramBits - 1 downto tagLow))) & had
  dropped := same & (dropping && fresh && all) #* n
  isDropped := dropping && address(width - 1 downto offsetBits + groupBits) ===
    block(width - 1 downto offsetBits + groupBits) && (left & member(address)).orR
  clear.valid := dropping && !fill.valid
  clear.index := (group(block) @@ U(0, groupBits bits)).resized
  clear.mask := same & left
  // STx_C's own block, which an order of the next tick takes, is not there any more.
  private val cleared =
    clear.mask & (clear.valid && group(block) === group(invalidate.payload)) #* n
  when(dropping) {
    fresh := False
    left := left & ~meets(block)
    when(!fill.valid) { dropping := False }
  }
  when(invalidate.valid) {
    dropping := True
    fresh := True
    all := whole
    val meant = whole ? B(n bits, default -> True) | member(invalidate.payload)
    had := validOfSets & meant & ~cleared
    left := meant & ~meets(invalidate.payload)
  }
  assert(!(invalidate.valid && dropping && fill.valid), "an invalidation around a fill", FAILURE)
}
