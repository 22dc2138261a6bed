// SPDX-License-Identifier: BSD-2-Clause
package mcpi.lance

import spinal.core._

/** DEC's station address ROM: 32 bytes, one in each longword (facts/lance.md 3.2): address (6) and
  * checksum (2), these eight reversed, these eight again, then FF 00 55 AA twice.
  */
object StationRom {

  /** @param station first wire byte lowest
    * @param index byte 0 to 31
    */
  def apply(station: Bits, index: UInt): Bits = {
    val address = station.subdivideIn(8 bits)
    val sum = checksum(address)
    val eight = address ++ Seq(sum(15 downto 8), sum(7 downto 0))
    val pattern = Seq(0xff, 0x00, 0x55, 0xaa).map(B(_, 8 bits))
    Vec(eight ++ eight.reverse ++ eight ++ pattern ++ pattern)(index)
  }

  /** DEC's: three big-endian words added, each after a rotation of the sum, modulo FFFF. */
  private def checksum(address: Vec[Bits]): Bits = {
    def fold(x: UInt): UInt = (x(15 downto 0) +^ x(16).asUInt).resize(16)
    (0 until 3)
      .foldLeft(U(0, 16 bits)) { (sum, i) =>
        val doubled = fold(sum @@ U"0")
        fold(doubled +^ (address(2 * i) ## address(2 * i + 1)).asUInt)
      }
      .asBits
  }
}
