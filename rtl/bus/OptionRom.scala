// SPDX-License-Identifier: BSD-2-Clause
package mcpi.bus

import spinal.core._

/** The ROM every TURBOchannel option shows: what `tc.h` of drivers calls the header at 3E0 (or
  * 3C03E0), a byte in each longword (sources/lance.md 4). Firmware objects are not here.
  *
  * @param vendor eight characters, like `module`; drivers look for both
  * @param slotMegabytes what the option wants of its slot, in steps of 4
  */
case class OptionRom(
    module: String,
    vendor: String = "mCPI    ",
    revision: String = "V1.0    ",
    slotMegabytes: Int = 4
) {
  require(Seq(module, vendor, revision).forall(s => s.length == 8 && s.forall(_ < 128)))
  require(slotMegabytes % 4 == 0 && slotMegabytes <= 512)

  private val header = Seq(
    0x3e0 -> 1, // width: one byte of each longword counts
    0x3e4 -> 4, // stride
    0x3e8 -> 1, // ROM size, 8 KB
    0x3ec -> slotMegabytes / 4,
    0x3f0 -> 0x55, // test bytes
    0x3f4 -> 0x00,
    0x3f8 -> 0xaa,
    0x3fc -> 0xff
  )
  private def text(at: Int, s: String) = s.zipWithIndex.map { case (c, i) => at + 4 * i -> c.toInt }

  /** Offset to byte; every other offset reads zero. Flags (470) 0: no parity. */
  val bytes: Map[Int, Int] = (header ++ text(0x400, revision) ++ text(0x420, vendor) ++
    text(0x440, module) ++ text(0x460, "TCF0")).toMap

  /** The longword at an offset of the ROM. */
  def apply(offset: UInt): Bits = {
    val words = Vec((0 until 64).map(i => B(bytes.getOrElse(OptionRom.first + 4 * i, 0), 8 bits)))
    val place = offset - OptionRom.first
    Mux(place < 4 * 64, words(place(7 downto 2)).resize(32), B(0, 32 bits))
  }
}

object OptionRom {

  /** Where the header begins; older cards have it at 3C0000 more. */
  val first = 0x3e0
  val old = 0x3c0000
}
