// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import mcpi.bus.MemoryBusConfig
import mcpi.counters.CoreEvents
import mcpi.machine.Machine
import spinal.core._

/** Parameters of the processor; every time is a distance in ticks between the issue of a producer
  * and the issue of its consumer (sources/ev4.md 2.1).
  */
case class AlphaLiteConfig(
    blockBytes: Int, // of I-cache, D-cache, write buffer
    iCacheBytes: Int,
    dCacheBytes: Int,
    writeBufferEntries: Int,
    shiftUse: Int, // shift, byte manipulation, conditional move
    compareUse: Int, // to anything but a branch
    agenUse: Int, // add or logical to an address
    multiplyLong: Int,
    multiplyQuad: Int,
    interrupts: Int, // sources, HIRR bits
    palBase: BigInt, // PAL_BASE and program counter at reset
    ramBytes: Int, // from address 0 on
    // Instructions that may issue in the shadow of a load miss, for in-order reports: a prefetch
    // (255 ticks), DMA (63) and a full write buffer (16 of 15) may go before its own 255.
    retireSlots: Int = 1024,
    retirePort: Boolean = true, // the port and its queue, which only simulation needs
    skips: Boolean = true, // idle ticks can be left out, which only simulation does
    fewBlocks: Boolean = false, // the write buffer's data are in LUTs, not in eight block RAMs
    writeBack: Boolean = false, // the D-cache keeps what is stored (docs/explanation/memory.md)
    tlb: Option[TlbConfig] = None, // addresses are translated (docs/explanation/translation.md)
    iWays: Int = 1, // places of a set of the I-cache
    dWays: Int = 1, // and of the D-cache
    iVictims: Int = 0, // blocks that were displaced and are kept (docs/explanation/memory.md)
    iVictimTicks: Int = 2, // until one is back in the I-cache
    dVictims: Int = 0, // of the D-cache
    dVictimTicks: Int = 2, // and in the D-cache
    // A private b-cache among others (docs/explanation/multiprocessor.md), with blocks of so many
    // bytes: what the D-cache drops, and what LDx_L watches.
    coherent: Option[Int] = None
) {
  require(isPow2(blockBytes) && blockBytes >= 16 && blockBytes <= 128)
  require(isPow2(iCacheBytes) && iCacheBytes >= 1024)
  require(isPow2(dCacheBytes) && dCacheBytes >= 1024)
  require(writeBufferEntries >= 1 && writeBufferEntries <= 16)
  require(Seq(shiftUse, compareUse, agenUse).forall(n => n == 1 || n == 2))
  // The iterative multiplier takes 16 steps, and starts and ends in stages of their own.
  require(multiplyLong >= 20 && multiplyQuad >= 20, "A multiply takes 20 ticks at least.")
  require(multiplyLong <= 64 && multiplyQuad <= 64)
  require(interrupts >= 1 && interrupts <= 32)
  require(Seq(iWays, dWays).forall(n => Seq(1, 2, 4).contains(n)), "A cache has 1, 2 or 4 ways.")
  require(iWays == 1 || !translates, "An I-cache with ways does not support TLBs yet.")
  require(
    dWays == 1 || !(writeBack || isCoherent),
    "A D-cache with ways does not support write-back or coherence yet."
  )
  require(
    Seq(iVictims, dVictims).forall(n => n >= 0 && n <= 16),
    "A victim cache has 16 blocks at most."
  )
  require(Seq(iVictimTicks, dVictimTicks).forall(_ <= 15))
  require(
    iVictimTicks >= 1 && dVictimTicks >= 2,
    "A victim takes 1 tick at least in the I-cache, and 2 in the D-cache."
  )
  private def alone = !(translates || isCoherent)
  require(
    !hasIVictims || iWays == 1 && alone,
    "A victim cache needs a direct-mapped I-cache without TLBs or coherence."
  )
  require(
    !hasDVictims || dWays == 1 && !writeBack && alone,
    "A victim cache needs a direct-mapped write-through D-cache without TLBs or coherence."
  )
  require(!(writeBack && coherent.isDefined), "A coherent core has no write-back D-cache.")
  require(coherent.forall(bytes => isPow2(bytes) && bytes >= blockBytes && bytes <= 128))
  require(palBase % 0x4000 == 0, "PAL_BASE must be a multiple of 16 KB.")
  require(isPow2(ramBytes), "The size of RAM must be a power of two.")

  val bus = MemoryBusConfig(blockBytes, writeBack = writeBack)
  require(bus.addressWidth == ProgramCounter.physicalBits)
  val pcBits: Int = ProgramCounter.bits
  def translates: Boolean = tlb.isDefined
  val ramBits: Int = log2Up(ramBytes) // no block beyond is ever cached
  val iSets: Int = iCacheBytes / blockBytes / iWays
  val dSets: Int = dCacheBytes / blockBytes / dWays
  require(iSets >= 2 && dSets >= 2)
  def blockWords: Int = blockBytes / 4
  def hasWays: Boolean = iWays > 1 // the I-cache
  def hasIVictims: Boolean = iVictims > 0
  def hasDVictims: Boolean = dVictims > 0
  def isCoherent: Boolean = coherent.isDefined
  val dropBytes: Int =
    coherent.getOrElse(blockBytes) // bytes of a block that `memory.invalidate` names
  val dropBlocks: Int = dropBytes / blockBytes // blocks of the D-cache in it
  val coherentBlocks: Option[Int] = coherent.map(_ => dropBlocks)

  /** Events that the core tells the counters, a tick late. */
  def events: CoreEvents =
    CoreEvents(translates, writeBack, coherentBlocks, hasIVictims, hasDVictims)
}

object AlphaLiteConfig {
  def apply(m: Machine): AlphaLiteConfig = {
    require(m.int("core.load_use") == 3, "core.load_use must be 3, the distance in this pipeline.")
    AlphaLiteConfig(
      blockBytes = m.int("cache.block"),
      iCacheBytes = m.int("icache.size"),
      dCacheBytes = m.int("dcache.size"),
      writeBufferEntries = m.int("write_buffer.entries"),
      shiftUse = m.int("core.shift_use"),
      compareUse = m.int("core.compare_use"),
      agenUse = m.int("core.agen_use"),
      multiplyLong = m.int("core.multiply_long"),
      multiplyQuad = m.int("core.multiply_quad"),
      palBase = m.base("ram", "pal"),
      ramBytes = m.int("memory.size"),
      interrupts = Seq("turbochannel", "console", "timer").map(m.interruptBit).max + 1,
      writeBack = m.choice("dcache.policy") == "back",
      iWays = m.int("icache.ways"),
      dWays = m.int("dcache.ways"),
      iVictims = m.int("icache.victims"),
      iVictimTicks = m.int("icache.victim_ticks"),
      dVictims = m.int("dcache.victims"),
      dVictimTicks = m.int("dcache.victim_ticks"),
      tlb = if (m.choice("core.translation") == "tlb") Some(TlbConfig(m)) else None,
      coherent = if (m.coherent) Some(m.int("bcache.block")) else None
    )
  }
}
