// SPDX-License-Identifier: BSD-2-Clause
package mcpi.lance

import spinal.core._

/** Where the IOASIC puts what the LANCE addresses. With gaps: 64 KB of it in 128 KB of memory.
  *
  * A single word at chip address a is the low half of the longword at base + 2a (gap2); a burst
  * from a is packed longwords at base + (2a & ~31) + (a & 15) (gap16). The base comes from the DMA
  * pointer: bits 31:20 are address 28:17, bits 4:0 are address 33:29 (sources/lance.md 3.2).
  */
object GapMap {
  private def base(pointer: Bits): UInt = (pointer(4 downto 0) ## pointer(31 downto 20)).asUInt

  def single(pointer: Bits, a: UInt): UInt = base(pointer) @@ a(15 downto 1) @@ U"00"

  /** @param lane first longword of the 16-byte piece */
  def burst(pointer: Bits, a: UInt, lane: UInt): UInt =
    base(pointer) @@ a(15 downto 4) @@ U"0" @@ lane @@ U"00"

  /** Without gaps: all of the chip's address, from the base on (reference/lance.md). */
  def dense(pointer: Bits, a: UInt, lane: UInt): UInt =
    (base(pointer) + a(23 downto 17)) @@ a(16 downto 4) @@ lane @@ U"00"
}
