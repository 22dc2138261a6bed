// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import spinal.core._
import spinal.lib._

/** Direct-mapped, write-through D-cache: tags compared in E1, data read into E2.
  *
  * Tags are read asynchronously (distributed RAM on an FPGA), so that a miss reaches the bus in E1
  * and a load takes the bus time plus one tick. Data are eight longword banks, so that stores need
  * no byte masks and a block is written in one tick.
  */
class DCache(c: AlphaLiteConfig) extends Component {
  private val offsetBits = log2Up(c.blockBytes)
  private val indexBits = log2Up(c.dSets)
  private val tagLow = offsetBits + indexBits
  private val blockType = HardType(UInt(c.bus.addressWidth - offsetBits bits))

  val address = in UInt (c.bus.addressWidth bits) // of the access in E1
  val hit = out Bool ()
  val read = in Bool ()
  val quad = out Bits (64 bits) // a tick later, of `readOffset`
  val readOffset = in UInt (offsetBits bits)
  val write = in Bool () // a store that hit
  val writeLong = in Bool ()
  val writeData = in Bits (64 bits)
  val fill = slave(Flow(Bits(c.bus.blockBits bits))) // the block of `fillAddress`
  val fillAddress = in UInt (c.bus.addressWidth bits)
  val invalidate = slave(Flow(UInt(c.bus.addressWidth bits)))
  val flush = in Bool () // in ticks

  private def indexOf(a: UInt) = a(offsetBits, indexBits bits)
  private def tagOf(a: UInt) = a(c.bus.addressWidth - 1 downto tagLow)

  val tags = Mem(UInt(c.bus.addressWidth - tagLow bits), c.dSets)
  val valids = Reg(Bits(c.dSets bits)) init 0
  hit := valids(indexOf(address)) && tags.readAsync(indexOf(address)) === tagOf(address)

  val named = tags.readAsync(indexOf(invalidate.payload)) === tagOf(invalidate.payload)
  tags.write(indexOf(fillAddress), tagOf(fillAddress), fill.valid)
  when(fill.valid) { valids(indexOf(fillAddress)) := True }
  // A fill and its invalidation in the same tick: the DMA came later.
  val filling = fill.valid && fillAddress(blockBits) === invalidate.payload(blockBits)
  when(invalidate.valid && (named || filling)) { valids(indexOf(invalidate.payload)) := False }
  when(flush) { valids := 0 }
  private def blockBits = (c.bus.addressWidth - 1 downto offsetBits)

  val bankWords = for (n <- 0 until c.blockWords) yield new Area {
    val ram = Mem(Bits(32 bits), c.dSets)
    val half = if (n % 2 == 0) !(writeLong && address(2)) else !writeLong || address(2)
    val chosen = write && half && address(offsetBits - 1 downto 3) === n / 2
    val word =
      if (n % 2 == 0) writeData(31 downto 0)
      else
        writeLong ? writeData(31 downto 0) | writeData(63 downto 32)
    ram.write(
      address = fill.valid ? indexOf(fillAddress) | indexOf(address),
      data = fill.valid ? fill.payload(32 * n, 32 bits) | word,
      enable = fill.valid || chosen
    )
    val out = ram.readSync(indexOf(address), read)
  }
  bankWords.zipWithIndex.foreach { case (bank, n) => bank.setName(s"bank$n") }
  val quads = Vec(bankWords.grouped(2).map(p => p(1).out ## p(0).out).toSeq)
  quad := quads(readOffset(offsetBits - 1 downto 3))
}
