// SPDX-License-Identifier: BSD-2-Clause
package mcpi.lance

import spinal.core._
import spinal.lib._

/** Frames from the PHY to the node, at `period` ticks a nibble (docs/reference/phy.md).
  *
  * `strobe`, `valid`, `error`, `nibble` are the node's MII. `entered`, `left`, `dropped`, `faulty`
  * are pulses in the node's clock: a frame's start delimiter came in, its first nibble went on to
  * the node, it was lost, the PHY had called it wrong. `brisk`: two ticks a nibble.
  */
class ReceiveStore(phy: ClockDomain, period: Int, canBeBrisk: Boolean = false) extends Component {
  val tick = in Bool ()
  val brisk = canBeBrisk generate (in Bool ())
  val strobe, valid, error = out Bool ()
  val nibble = out Bits (4 bits)
  val wire = slave(PhyReceive())
  val entered, left, dropped, faulty = out Bool ()

  import FrameSlots.{count, lengthBits}
  val node = ClockDomain.current
  val bytes = FrameSlots.memory()
  val frames = StreamFifoCC(StoredFrame(), count, phy, node)

  // ---- into the slots, in the receive clock
  val given = Bool() // a slot is free again, in the node's clock
  val writer = new ClockingArea(phy) {
    val hunts = RegInit(True)
    val odd, kept, wrong = Reg(Bool())
    val low = Reg(Bits(4 bits))
    val length = Reg(UInt(lengthBits bits))
    val slot = Reg(UInt(log2Up(count) bits)) init 0
    val free = Reg(UInt(log2Up(count + 1) bits)) init count
    val takes = wire.step && wire.valid
    val begins = takes && hunts && wire.data === 0xd
    val ends = wire.step && !wire.valid && !hunts
    when(begins) {
      hunts := False
      odd := False
      kept := free =/= 0
      wrong := wire.error
      length := 0
    }
    when(takes && !hunts) {
      odd := !odd
      low := wire.data
      wrong := wrong || wire.error
      when(odd) {
        length := length + 1
        when(length.andR) { kept := False }
      }
    }
    when(ends) { hunts := True }
    // A last odd nibble takes the place of a byte.
    val pair = ends ? (B(0, 4 bits) ## low) | (wire.data ## low)
    bytes.write(slot @@ length, pair, kept && !hunts && odd && (takes || ends))
    val keepsFrame = kept && length =/= 0
    frames.io.push.valid := ends && keepsFrame
    frames.io.push.length := length
    frames.io.push.odd := odd
    frames.io.push.error := wrong
    val loses = ends && !keepsFrame
    val returned = PulseCCByToggle(given, node, phy)
    when(frames.io.push.fire) { slot := slot + 1 }
    when(frames.io.push.fire =/= returned) { free := returned ? (free + 1) | (free - 1) }
  }
  entered := PulseCCByToggle(writer.begins, phy, node)
  dropped := PulseCCByToggle(writer.loses, phy, node)

  // ---- out of them, in ticks
  val reader = new Area {
    val toGo = Reg(UInt(log2Up(period) bits)) init 0 // ticks to the next nibble
    val now = tick && toGo === 0
    val last = U(period - 1, toGo.getWidth bits)
    val reload = if (canBeBrisk) Mux(brisk, U(1, toGo.getWidth bits), last) else last
    when(tick) { toGo := now ? reload | toGo - 1 }
    val player = new FramePlayer(bytes, frames.io.pop, now)
    strobe := now
    valid := player.plays
    error := player.plays && frames.io.pop.error
    nibble := player.data
    left := player.begins
  }
  given := frames.io.pop.fire
  faulty := given && frames.io.pop.error
}
