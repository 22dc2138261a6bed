// SPDX-License-Identifier: BSD-2-Clause
package mcpi.memory

import mcpi.bus._
import spinal.core._
import spinal.lib._

/** The memory system of several cores: private caches and DMA on a snooping bus, and one backing
  * memory, which always has the newest data.
  *
  * Accesses of one tick reach the backing memory before the next tick passes, in any order: no two
  * of them are to the same block, unless all read. Answers come in the order of the commands.
  */
class CoherentMemory(c: CoherentConfig) extends Component {
  val io = new Bundle {
    val tick = in Bool ()
    val hold = out Bool ()
    val ports = Vec(slave(CoherentPort(c.bus)), c.cores)
    val dma = slave(DmaBus())
    val backing = master(BackingBus(c.bus))
    val timing = in(CoherentTiming(c))
    val order = master Flow (SnoopOrder(c)) // for the counters, as all that follows
    val answer = out(SnoopAnswer())
    val events = out Vec (PrivateCacheEvents(c), c.cores)
    val bus = out(SnoopEvents())
  }
  val bus = new SnoopBus(c)
  val caches = Seq.fill(c.cores)(new PrivateCache(c))
  val dma = new DmaPlace(c)
  bus.io.tick := io.tick
  bus.io.timing := io.timing
  for ((cache, n) <- caches.zipWithIndex) {
    cache.io.tick := io.tick
    cache.io.place := n
    cache.io.timing := io.timing
    cache.io.port <> io.ports(n)
    cache.io.lookup << bus.io.lookup
    cache.io.order << bus.io.order
    cache.io.answer := bus.io.answer
    cache.io.granted := bus.io.granted(n)
    cache.io.writeBack >> bus.io.writeBacks(n)
    bus.io.requests(n) := cache.io.request
    bus.io.wantsBus(n) := cache.io.wantsBus
    bus.io.held(n) := cache.io.held
    bus.io.modified(n) := cache.io.modified
    io.events(n) := cache.io.events
  }
  dma.io.tick := io.tick
  dma.io.dma <> io.dma
  dma.io.answer := bus.io.answer
  dma.io.granted := bus.io.granted(c.cores)
  dma.io.ordered := bus.io.order.valid && bus.io.order.place === c.cores
  bus.io.requests(c.cores) := dma.io.request
  bus.io.wantsBus(c.cores) := dma.io.wantsBus

  // Accesses, one a clock; whose the answers are.
  private val accesses = caches.map(_.io.access) :+ dma.io.access
  private val ready = accesses.map(_.valid).asBits()
  private val first = OHMasking.first(ready)
  private val reads = StreamFifoLowLatency(UInt(c.placeWidth bits), 16)
  private val chosen = MuxOH(first, accesses.map(_.payload))
  private val may = chosen.write || reads.io.push.ready
  io.backing.cmd.valid := ready.orR && may
  io.backing.cmd.payload := chosen
  for ((access, n) <- accesses.zipWithIndex) {
    access.ready := first(n) && may && io.backing.cmd.ready
  }
  reads.io.push.valid := io.backing.cmd.fire && !chosen.write
  reads.io.push.payload := OHToUInt(first)
  reads.io.pop.ready := io.backing.rsp.valid
  for ((data, n) <- (caches.map(_.io.data) :+ dma.io.data).zipWithIndex) {
    data.valid := io.backing.rsp.valid && reads.io.pop.payload === n
    data.payload := io.backing.rsp.payload
  }
  private val several = (ready & ~first).orR
  private val holds = several || (ready.orR && !io.backing.cmd.fire) || dma.io.hold ||
    caches.map(_.io.hold).orR
  // An order's tick begins with a clock without a tick, in which the tags answer.
  val answered = RegNext(bus.io.order.valid && !io.tick) init False
  io.hold := holds || (bus.io.order.valid && !answered)
  io.order << bus.io.order
  io.answer := bus.io.answer
  io.bus := bus.io.events
}
