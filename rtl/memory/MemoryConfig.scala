// SPDX-License-Identifier: BSD-2-Clause
package mcpi.memory

import mcpi.bus.{MemoryBusConfig, MemoryKind}
import mcpi.machine.Machine
import spinal.core._

/** The memory system below the primary caches.
  *
  * With ideal memory every second clock is the core's alone, asked or not: a core with second
  * clocks asks too late in a clock for the memory system to wait for it.
  *
  * @param bus block size and address width of the core's bus
  * @param bcacheBytes size the b-cache tags stand for; a power of two
  * @param ramAddressWidth physical RAM is 2 to the power of it, bytes; beyond it there is none
  * @param dirtyTicks more of a load whose victim is dirty, if the D-cache is a write-back one
  */
case class MemoryConfig(
    bus: MemoryBusConfig,
    bcacheBytes: Int,
    ramAddressWidth: Int = 26,
    dirtyTicks: Int = 0
) {
  require(isPow2(bcacheBytes) && bcacheBytes >= bus.blockBytes)
  require(ramAddressWidth == 26, "BackingBus has 26 address bits for RAM")
  val offsetWidth: Int = log2Up(bus.blockBytes)
  val sets: Int = bcacheBytes / bus.blockBytes
  val indexWidth: Int = log2Up(sets)
  val tagWidth: Int = ramAddressWidth - indexWidth - offsetWidth
  require(tagWidth >= 1)
}

object MemoryConfig {
  def apply(machine: Machine): MemoryConfig = {
    require(machine.int("memory.size") == (1 << 26))
    MemoryConfig(
      MemoryBusConfig(
        machine.int("cache.block"),
        writeBack = machine.choice("dcache.policy") == "back"
      ),
      machine.int("bcache.size"),
      dirtyTicks = machine.int("dcache.dirty_ticks")
    )
  }
}

/** Run-time parameters, in ticks from the grant of the bus to the answer (sources/ev4.md 4.1). Zero
  * counts as one. They change only while the machine is held.
  */
case class MemoryTiming() extends Bundle {
  val bcacheRead = UInt(6 bits) // block read that hits the b-cache
  val memoryRead = UInt(8 bits) // block read that misses it
  val write = UInt(6 bits) // block write, hit or miss
  val dma = UInt(6 bits) // DMA transaction of at most 16 bytes
  val bcache = Bool() // on; off, it keeps no block
  val ideal = Bool() // docs/reference/contracts.md 3
}

/** Pulses of one clock, in the clock after a command was taken; they belong to the tick in which
  * (or after which, with ideal memory) it was taken. See docs/reference/counters.md.
  */
case class MemoryEvents(writeBack: Boolean = false) extends Bundle {
  val access = Bool() // a transaction of the core
  val kind = MemoryKind() // with access
  val miss = Bool() // with access: not in the b-cache
  val victim = Bool() // with access: the block it displaces was dirty
  val dma = Bool() // a DMA transaction
  val write = Bool() // with access or dma
  val address = UInt(34 bits) // with access or dma: of the block
  val coreBusy, dmaBusy = Bool() // in the tick before this clock the bus worked for ...
  val dirtyMiss = writeBack generate Bool() // with access: the D-cache's victim was dirty
  val coreWaits = writeBack generate Bool() // for DMA, in the tick before this clock
}
