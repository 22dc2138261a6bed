// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import mcpi.machine.{Block, Machine}
import spinal.core._

/** Blocks of this folder that can be elaborated on their own. */
object Blocks {
  val blocks: Seq[Block] = Seq(
    Block("AlphaLite", m => new AlphaLite(AlphaLiteConfig(m))),
    Block("CoherentCache", m => withheld(new DCache(coherent(m)))), // of its proof
    Block("CoherentLocks", m => withheld(new Locks(coherent(m)))), // of its proof
    Block("WriteBackCache", m => withheld(new DCache(eightSets(m)))), // of its proof
    Block("CacheOfWays", m => withheld(new DCacheOfWays(twoWays(m)))), // of its proof
    Block("FetchOfWays", m => withheld(new FetchUnit(twoWaysOfFetch(m)))), // of its proof
    Block("ReplacementOfFour", _ => new Replacement(4, 4)), // of its proof
    Block("VictimsOfFour", _ => new VictimCache(4, 3, 4, 128, ofData = true)), // of its proof
    Block("CacheWithVictims", m => withheld(new DCacheWithVictims(twoVictims(m)))), // of its proof
    Block("FetchWithVictims", m => withheld(new FetchUnit(twoVictimsOfFetch(m)))), // of its proof
    Block("TlbOfFour", _ => new Tlb(TlbConfig(4, 4, 8192, true, true, true), 4)), // of its proof
    Block("AlphaLiteInRegisters", m => new RegisterWrapper(new AlphaLite(synthesised(m))))
  )

  /** A block whose registers move if `clockEnabled`, as those of the core move in ticks. */
  private def withheld[T <: Component](block: => T): T =
    ClockDomain.external("").copy(clockEnable = Bool().setName("clockEnabled"))(block)

  private def eightSets(m: Machine) =
    AlphaLiteConfig(m).copy(writeBack = true, dCacheBytes = 1024, blockBytes = 128)

  private def twoWays(m: Machine) =
    AlphaLiteConfig(m).copy(dWays = 2, dCacheBytes = 1024, blockBytes = 128)

  private def twoWaysOfFetch(m: Machine) = AlphaLiteConfig(m)
    .copy(iWays = 2, iCacheBytes = 1024, blockBytes = 128, ramBytes = 4096)

  private def twoVictims(m: Machine) =
    AlphaLiteConfig(m).copy(dVictims = 2, dCacheBytes = 1024, blockBytes = 16)

  private def twoVictimsOfFetch(m: Machine) = AlphaLiteConfig(m)
    .copy(iVictims = 2, iCacheBytes = 1024, blockBytes = 128, ramBytes = 4096)

  private def coherent(m: Machine) = AlphaLiteConfig(m).copy(
    dCacheBytes = 1024,
    coherent = Some(4 * m.int("cache.block"))
  )

  /** The core as it goes onto an FPGA. */
  private def synthesised(m: Machine) =
    AlphaLiteConfig(m).copy(retirePort = false, skips = false)
}
