// SPDX-License-Identifier: BSD-2-Clause
package mcpi.lance

import spinal.core._

/** Which destinations the chip takes (facts/lance.md 1.5). */
object AddressFilter {

  /** @param destination six bytes, first wire byte lowest
    * @param crc CRC-32 of these bytes, not inverted; its top six bits choose a bit of LADRF
    * @param groups group addresses have a filter now
    */
  def accepts(
      destination: Bits,
      crc: Bits,
      groups: Bool,
      promiscuous: Bool,
      physical: Bits,
      logical: Bits
  ): Bool = {
    val group = destination(0)
    val broadcast = destination.andR
    promiscuous || broadcast ||
    Mux(group, groups && logical(crc(31 downto 26).asUInt), destination === physical)
  }
}
