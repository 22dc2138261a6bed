// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import mcpi.machine.{Block, Machine}

/** Blocks of this folder that can be elaborated on their own. */
object Blocks {
  val blocks: Seq[Block] = Seq(
    Block("AlphaLite", m => new AlphaLite(AlphaLiteConfig(m))),
    Block("CoherentCache", m => new DCache(coherent(m))), // of its proof
    Block("CoherentLocks", m => new Locks(coherent(m))), // of its proof
    Block("WriteBackCache", m => new DCache(eightSets(m))), // of its proof
    Block("CacheOfWays", m => new DCacheOfWays(twoWays(m))), // of its proof
    Block("FetchOfWays", m => new FetchUnit(twoWaysOfFetch(m))), // of its proof
    Block("ReplacementOfFour", _ => new Replacement(4, 4)), // of its proof
    Block("VictimsOfFour", _ => new VictimCache(4, 3, 4, 128, ofData = true)), // of its proof
    Block("CacheWithVictims", m => new DCacheWithVictims(twoVictims(m))), // of its proof
    Block("FetchWithVictims", m => new FetchUnit(twoVictimsOfFetch(m))), // of its proof
    Block("TlbOfFour", _ => new Tlb(TlbConfig(4, 4, 8192, true, true, true), 4)), // of its proof
    Block("AlphaLiteInRegisters", m => new RegisterWrapper(new AlphaLite(synthesised(m))))
  )

  private def eightSets(m: Machine) =
    AlphaLiteConfig(m).byGates.copy(writeBack = true, dCacheBytes = 1024, blockBytes = 128)

  private def twoWays(m: Machine) =
    AlphaLiteConfig(m).byGates.copy(dWays = 2, dCacheBytes = 1024, blockBytes = 128)

  private def twoWaysOfFetch(m: Machine) = AlphaLiteConfig(m).byGates
    .copy(iWays = 2, iCacheBytes = 1024, blockBytes = 128, ramBytes = 4096)

  private def twoVictims(m: Machine) =
    AlphaLiteConfig(m).byGates.copy(dVictims = 2, dCacheBytes = 1024, blockBytes = 16)

  private def twoVictimsOfFetch(m: Machine) = AlphaLiteConfig(m).byGates
    .copy(iVictims = 2, iCacheBytes = 1024, blockBytes = 128, ramBytes = 4096)

  private def coherent(m: Machine) = AlphaLiteConfig(m).byGates.copy(
    dCacheBytes = 1024,
    coherent = Some(4 * m.int("cache.block"))
  )

  /** The core as it goes onto an FPGA. */
  private def synthesised(m: Machine) =
    AlphaLiteConfig(m).copy(retirePort = false, skips = false)
}
