// SPDX-License-Identifier: BSD-2-Clause
package mcpi.memory

import mcpi.bus.MemoryBusConfig
import mcpi.machine.Machine
import spinal.core._

/** Parameters that all parts of the coherent memory share (docs/explanation/multiprocessor.md).
  *
  * @param bus of each core; its block is the one of D- and I-cache
  * @param cores N; DMA has place N on the snooping bus
  * @param bcacheBytes size the tags of one private cache stand for
  * @param blockBytes block of the b-caches, the unit of coherence; at least the bus's
  * @param outstanding transactions under way at most
  * @param ramAddressWidth physical RAM is 2 to the power of it, bytes; beyond it there is none
  */
case class CoherentConfig(
    bus: MemoryBusConfig,
    cores: Int,
    bcacheBytes: Int,
    blockBytes: Int,
    outstanding: Int,
    ramAddressWidth: Int = 26
) {
  require(cores >= 1 && cores <= 8)
  require(isPow2(blockBytes) && blockBytes >= bus.blockBytes && bcacheBytes >= blockBytes)
  require(!bus.writeBack, "Coherent memory does not support a write-back D-cache.")
  val groupBlocks: Int = blockBytes / bus.blockBytes // blocks of D- and I-cache in one
  val places: Int = cores + 1
  val placeWidth: Int = log2Up(places)
  val offsetWidth: Int = log2Up(blockBytes)
  val sets: Int = bcacheBytes / blockBytes
  val indexWidth: Int = log2Up(sets)
  val tagWidth: Int = ramAddressWidth - indexWidth - offsetWidth
  require(tagWidth >= 1)
  val blockWidth: Int = bus.addressWidth - offsetWidth

  /** Number of the b-cache block of an address. */
  def block(address: UInt): UInt = address >> offsetWidth
  def index(block: UInt): UInt = block(indexWidth - 1 downto 0)
  def tag(block: UInt): UInt = block(indexWidth, tagWidth bits)
  def present(block: UInt): Bool = (block >> (ramAddressWidth - offsetWidth)) === 0
}

object CoherentConfig {
  def apply(machine: Machine): CoherentConfig = CoherentConfig(
    MemoryBusConfig(machine.int("cache.block")),
    machine.int("core.count"),
    machine.int("bcache.size"),
    machine.int("bcache.block"),
    machine.int("bus.outstanding")
  )
}

/** States of a line: invalid, shared, exclusive, modified. */
object LineState extends SpinalEnum(binarySequential) {
  val I, S, E, M = newElement()
}

object SnoopKind extends SpinalEnum {
  val read, readExclusive, upgrade, writeBack, dmaRead, dmaWrite = newElement()
}

/** Run-time parameters, in ticks. They change only while the machine is held. */
case class CoherentTiming(c: CoherentConfig) extends Bundle {
  val bcacheRead, write, dma = UInt(6 bits)
  val request, data = UInt(6 bits) // from a grant to the next; of a data phase
  val miss, remote = UInt(10 bits) // of a request with a free bus, in all
  val upgrade = UInt(8 bits)
  val first = UInt(c.placeWidth bits) // place that comes first in the first round
}
object CoherentTiming {

  /** Widest count of ticks to an end: a miss after the data phases of all that are under way. */
  val width = 11
}

/** Request of a place to the bus; held until it is granted or withdrawn. */
case class SnoopRequest(c: CoherentConfig) extends Bundle {
  val kind = SnoopKind()
  val block = UInt(c.blockWidth bits)
}

/** An order, in its tick: what every tag answers. */
case class SnoopOrder(c: CoherentConfig) extends Bundle {
  val place = UInt(c.placeWidth bits)
  val kind = SnoopKind()
  val block = UInt(c.blockWidth bits)
  def takes: Bool = // other copies go
    kind === SnoopKind.readExclusive || kind === SnoopKind.upgrade || kind === SnoopKind.dmaWrite
}

/** Events of the bus in a tick. */
case class SnoopEvents() extends Bundle {
  val grant, data, busy = Bool() // a grant; a data phase; a transaction is under way
}

/** Answer to the requester in that tick. `ends`: ticks from this one to the transaction's end. */
case class SnoopAnswer() extends Bundle {
  val shared = Bool() // another core has the block
  val remote = Bool() // one has it modified
  val ends = UInt(CoherentTiming.width bits)
}
