// SPDX-License-Identifier: BSD-2-Clause
package mcpi.console

import spinal.core._

/** CRC-32 as on Ethernet: reflected, polynomial 04C11DB7 hex, starting from all ones, inverted at
  * the end. A byte takes two look-ups in a table of sixteen words.
  */
object Crc32 {
  val start: BigInt = 0xffffffffL

  /** Contents of the register after a message and its own CRC, lowest byte first. */
  val residue: BigInt = 0xdebb20e3L

  private def step(value: Long): Long = (0 until 4).foldLeft(value) { (crc, _) =>
    if ((crc & 1) != 0) (crc >> 1) ^ 0xedb88320L else crc >> 1
  }
  private val table = (0 until 16).map(i => BigInt(step(i.toLong)))

  /** The register after one more byte. */
  def apply(crc: Bits, byte: Bits): Bits = {
    def look(index: Bits): Bits = Vec(table.map(B(_, 32 bits)))(index.asUInt)
    val half = (crc |>> 4) ^ look(crc(3 downto 0) ^ byte(3 downto 0))
    (half |>> 4) ^ look(half(3 downto 0) ^ byte(7 downto 4))
  }
}
