// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import mcpi.machine.{Block, Machine}

/** What of this room can be elaborated on its own. */
object Blocks {
  val blocks: Seq[Block] = Seq(
    Block("AlphaLite", m => new AlphaLite(AlphaLiteConfig(m))),
    Block("AlphaLiteOnFpga", m => new AlphaLite(AlphaLiteConfig(m).onFpga)), // but seen and skipped
    Block("CoherentCore", m => new AlphaLite(AlphaLiteConfig(m))), // of a machine of several
    Block("WriteBackCache", m => new DCache(eightSets(m))), // its proof's
    Block("TlbOfFour", _ => new Tlb(TlbConfig(4, 4, 8192, true, true, true), 4)), // its proof's
    Block("AlphaLiteBetweenPins", m => new BetweenPins(new AlphaLite(synthesised(m))))
  )

  private def eightSets(m: Machine) =
    AlphaLiteConfig(m).copy(writeBack = true, dCacheBytes = 1024, blockBytes = 128)

  /** The core as it goes onto an FPGA. */
  private def synthesised(m: Machine) =
    AlphaLiteConfig(m).onFpga.copy(retirePort = false, skips = false)
}
