// SPDX-License-Identifier: BSD-2-Clause
package mcpi.memory

import mcpi.bus._
import spinal.core._
import spinal.lib._

/** DMA's place on the snooping bus: no tags, one transaction at a time. Its request is raised two
  * ticks after its command, as a core's.
  */
class DmaPlace(c: CoherentConfig) extends Component {
  val io = new Bundle {
    val tick = in Bool ()
    val hold = out Bool ()
    val dma = slave(DmaBus())
    val request = out(SnoopRequest(c))
    val wantsBus = out Bool ()
    val granted = in Bool ()
    val ordered = in Bool () // in this tick
    val answer = in(SnoopAnswer())
    val access = master Stream (BackingCmd(c.bus))
    val data = slave Flow (Bits(c.bus.blockBits bits))
  }
  object Phase extends SpinalEnum {
    val idle, taken, asking, running = newElement()
  }
  private val lanes = c.bus.blockBytes / 16
  val phase = RegInit(Phase.idle)
  val cmd = Reg(DmaCmd())
  val waits = RegInit(False)
  val left = Reg(UInt(CoherentTiming.width bits))
  val done = Reg(Bool())
  val readData = Reg(Bits(128 bits))
  val pending = RegInit(False)
  private val block = c.block(cmd.address)
  private val present = c.present(block)
  private val lane = if (lanes == 1) U(0, 1 bits) else cmd.address(4, log2Up(lanes) bits)

  io.request.block := block
  io.request.kind := cmd.write ? SnoopKind.dmaWrite() | SnoopKind.dmaRead()
  io.wantsBus := phase === Phase.asking && waits
  when(io.granted)(waits := False)

  io.access.valid := pending
  io.access.write := cmd.write
  io.access.address := (cmd.address & ~U(c.bus.blockBytes - 1, 34 bits)).resized
  io.access.data := Vec(Seq.fill(lanes)(cmd.data)).asBits
  io.access.mask := ((cmd.write ? cmd.mask | cmd.mask.getAllTrue).resize(c.bus.blockBytes) |<<
    (lane << 4))
  when(io.access.fire) {
    pending := False
    when(cmd.write)(done := True)
  }
  when(io.data.valid) {
    readData := io.data.payload.subdivideIn(128 bits)(lane.resize(log2Up(lanes)))
    done := True
  }

  private val ends = phase === Phase.running && left === 1
  io.dma.cmd.ready := io.tick && (phase === Phase.idle || ends)
  io.dma.rsp.valid := io.tick && ends
  io.dma.rsp.data := readData
  io.dma.rsp.error := !present
  io.hold := ends && !done
  when(io.tick) {
    left := left - 1
    when(phase === Phase.taken) {
      phase := Phase.asking
      waits := True
    }
    when(io.ordered) {
      phase := Phase.running
      left := io.answer.ends
      pending := present
      done := !present
    }
    when(ends)(phase := Phase.idle)
  }
  when(io.dma.cmd.fire) {
    phase := Phase.taken
    cmd := io.dma.cmd.payload
  }
}
