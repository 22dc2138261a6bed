// SPDX-License-Identifier: BSD-2-Clause
package mcpi.lance

import spinal.core._

/** DEC's station address ROM: 32 bytes, one a longword (sources/lance.md 3.2): address (6) and
  * checksum (2), these eight reversed, these eight again, then FF 00 55 AA twice.
  */
object StationRom {

  /** @param station first wire byte lowest; constant
    * @param index byte 0 to 31
    */
  def apply(station: Bits, index: UInt): Bits = {
    val address = station.subdivideIn(8 bits)
    val sum = checksum(address)
    val eight = address ++ Seq(sum(15 downto 8), sum(7 downto 0))
    val pattern = Vec(Seq(0xff, 0x00, 0x55, 0xaa).map(B(_, 8 bits)))
    val reversed = index(4 downto 3) === 1
    val byte = Vec(eight)(index(2 downto 0) ^ Mux(reversed, U(7), U(0)))
    Mux(index(4 downto 3) === 3, pattern(index(1 downto 0)), byte)
  }

  /** DEC's: three big-endian words added, each after a rotation of the sum, modulo FFFF. A register
    * after each addition: four ticks, of which the bus's reset has more.
    */
  private def checksum(address: Vec[Bits]): Bits = {
    val words = (0 until 3).map(i => (address(2 * i) ## address(2 * i + 1)).asUInt)
    words.tail
      .foldLeft(words.head) { (sum, word) =>
        val added = RegNext(sum.rotateLeft(1) +^ word).setName("stationAdded", weak = true)
        RegNext(added(15 downto 0) + added(16).asUInt).setName("stationSum", weak = true)
      }
      .asBits
  }
}
