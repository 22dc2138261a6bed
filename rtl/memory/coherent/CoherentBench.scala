// SPDX-License-Identifier: BSD-2-Clause
package mcpi.memory

import mcpi.bus._
import mcpi.machine.Block
import spinal.core._
import spinal.lib._

/** The coherent memory with the governor closed around it: a test drives it in place of cores. Of a
  * core's lock it has the part that must be there in the same tick: the flag falls when the
  * `watched` address is lost.
  */
class CoherentBench(c: CoherentConfig) extends Component {
  val io = new Bundle {
    val tick = out Bool ()
    val otherHold = in Bool ()
    val memory = Vec(slave(MemoryBus(c.bus)), c.cores)
    val conditional, flags = in Bits (c.cores bits)
    val watched = in Vec (UInt(c.bus.addressWidth bits), c.cores)
    val decided = Vec(master Flow (Bool()), c.cores)
    val lost = out Bits (c.cores bits)
    val dma = slave(DmaBus())
    val backing = master(BackingBus(c.bus))
    val timing = in(CoherentTiming(c))
    val order = master Flow (SnoopOrder(c))
    val answer = out(SnoopAnswer())
    val events = out Vec (PrivateCacheEvents(c), c.cores)
    val bus = out(SnoopEvents())
  }
  noIoPrefix()
  val system = new CoherentMemory(c)
  val governor = new Governor(2)
  governor.io.holds := Seq(system.io.hold, io.otherHold).asBits()
  io.tick := governor.io.tick
  system.io.tick := io.tick
  for (n <- 0 until c.cores) {
    val port = system.io.ports(n)
    val gone = port.memory.invalidate
    port.memory <> io.memory(n)
    port.locks.conditional := io.conditional(n)
    port.locks.flag := io.flags(n) &&
      !(gone.valid && c.block(gone.payload) === c.block(io.watched(n)))
    io.decided(n) << port.locks.decided
    io.lost(n) := port.locks.lost
  }
  system.io.dma <> io.dma
  system.io.backing <> io.backing
  system.io.timing := io.timing
  io.order << system.io.order
  io.answer := system.io.answer
  io.events := system.io.events
  io.bus := system.io.bus
}

object CoherentBlocks {
  // For proofs: two lines in a cache, four blocks for each.
  private val small = CoherentConfig(MemoryBusConfig(16), 3, 64, 32, 2, ramAddressWidth = 8)

  val blocks: Seq[Block] = Seq(
    Block("CoherentSmall", _ => new CoherentBench(small)),
    Block("CoherentBench", machine => new CoherentBench(CoherentConfig(machine)))
  )
}
