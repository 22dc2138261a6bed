// SPDX-License-Identifier: BSD-2-Clause
package mcpi.memory

import mcpi.bus._
import mcpi.machine.Block
import spinal.core._
import spinal.lib._

/** The memory system with the governor closed around it, and a second part that may hold: what a
  * test drives in place of the core.
  */
class MemoryBench(c: MemoryConfig) extends Component {
  val io = new Bundle {
    val tick = out Bool ()
    val otherHold = in Bool ()
    val hold = out Bool ()
    val memory = slave(MemoryBus(c.bus))
    val dma = slave(DmaBus())
    val backing = master(BackingBus(c.bus))
    val timing = in(MemoryTiming())
    val events = out(MemoryEvents(c.bus.writeBack))
    val idle = out Bool ()
    val emptyTags = in Bool ()
    val coreMoves = in Bool () // with ideal memory, in a clock without a tick
  }
  noIoPrefix()
  val system = new MemorySystem(c)
  val governor = new Governor(2)
  governor.io.holds := Seq(system.io.hold, io.otherHold).asBits()
  io.tick := governor.io.tick
  system.io.tick := io.tick
  io.hold := system.io.hold
  io.memory <> system.io.memory
  io.dma <> system.io.dma
  io.backing <> system.io.backing
  system.io.timing := io.timing
  system.io.pause := False
  system.io.coreMoves := io.coreMoves
  system.io.emptyTags := io.emptyTags
  io.events := system.io.events
  io.idle := system.io.idle
}

object MemoryBlocks {
  val blocks: Seq[Block] =
    Seq(Block("MemoryBench", machine => new MemoryBench(MemoryConfig(machine))))
}
