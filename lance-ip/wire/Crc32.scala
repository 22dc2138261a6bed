// SPDX-License-Identifier: BSD-2-Clause
package mcpi.lance

import spinal.core._

/** Ethernet's CRC-32, reflected, four bits at a time as the MII carries them. */
object Crc32 {
  val init = BigInt("FFFFFFFF", 16)
  private def polynomial = B(BigInt("EDB88320", 16), 32 bits)

  /** Remainder after a frame and its correct FCS (no final inversion). */
  val residue = BigInt("DEBB20E3", 16)

  /** The remainder after one more nibble, low bit first. */
  def step(crc: Bits, nibble: Bits): Bits = (0 until 4).foldLeft(crc) { (r, i) =>
    val shifted = B"0" ## r(31 downto 1)
    Mux(r(0) ^ nibble(i), shifted ^ polynomial, shifted)
  }
}
