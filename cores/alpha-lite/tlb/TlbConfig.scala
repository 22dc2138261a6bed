// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import mcpi.machine.Machine
import spinal.core._

/** Parameters of translation (docs/explanation/translation.md).
  *
  * @param asn entries and blocks of the I-cache have an address space number
  * @param notLastUsed the pointer moves on when the entry at it is used
  */
case class TlbConfig(
    dataEntries: Int,
    instructionEntries: Int,
    pageBytes: Int,
    granularity: Boolean,
    asn: Boolean,
    notLastUsed: Boolean
) {
  require(Seq(dataEntries, instructionEntries).forall(n => n >= 4 && n <= 128))
  require(pageBytes == 4096 || pageBytes == 8192)

  val offsetBits: Int = log2Up(pageBytes)

  /** Bits of the number of a page, virtual and physical. */
  val pageBits: Int = ProgramCounter.physicalBits - offsetBits
  val asnBits = 6

  /** Pages by granularity: 2 to the power of 3 times the hint. */
  val hintedBits = 9
}

object TlbConfig {
  def apply(m: Machine): TlbConfig = TlbConfig(
    dataEntries = m.int("tlb.data_entries"),
    instructionEntries = m.int("tlb.instruction_entries"),
    pageBytes = m.int("tlb.page"),
    granularity = m.bool("tlb.granularity"),
    asn = m.bool("tlb.asn"),
    notLastUsed = m.choice("tlb.replacement") == "nlu"
  )
}
