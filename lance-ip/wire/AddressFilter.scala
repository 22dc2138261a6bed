// SPDX-License-Identifier: BSD-2-Clause
package mcpi.lance

import spinal.core._

/** Which destinations the chip takes (sources/lance.md 1.5): `accepts` in the tick after the last
  * nibble, when most of it lies in registers.
  *
  * @param destination the bytes before this one, first wire byte lowest after the sixth
  * @param byte the one whose second nibble comes in this tick
  * @param crc CRC-32 of all that came before this tick, not inverted
  * @param crcNext the same, of this tick's nibble too; its top six bits choose a bit of LADRF
  * @param groups group addresses have a filter now
  */
class AddressFilter(
    destination: Bits,
    byte: Bits,
    crc: Bits,
    crcNext: Bits,
    groups: Bool,
    promiscuous: Bool,
    physical: Bits,
    logical: Bits
) extends Area {
  private val six = byte ## destination(47 downto 8)
  val own = RegNext(six === physical)
  val broadcast = RegNext(six.andR)
  // Four bits of LADRF, of which two bits of the CRC choose one.
  private def row(low: Int): Vec[Bool] = Vec((0 until 16).map(high => logical(4 * high + low)))
  val chosen = RegNext(B((0 until 4).map(low => row(low)(crcNext(31 downto 28).asUInt))))

  val group = destination(0)
  val accepts = promiscuous || broadcast ||
    Mux(group, groups && chosen(crc(27 downto 26).asUInt), own)
}
