// SPDX-License-Identifier: BSD-2-Clause
package mcpi.lance

import spinal.core._
import spinal.lib._

/** Frames from the node to the PHY (docs/reference/phy.md).
  *
  * `strobe`, `enable`, `nibble` are the node's MII, `strobe` only where time moves. `entered`,
  * `left`, `dropped` are pulses in the node's clock: a frame's first nibble came in, its first went
  * out, it was lost.
  */
class TransmitStore(phy: ClockDomain) extends Component {
  val strobe, enable = in Bool ()
  val nibble = in Bits (4 bits)
  val wire = master(PhyTransmit())
  val entered, left, dropped = out Bool ()

  import FrameSlots.{count, lengthBits}
  val bytes = FrameSlots.memory()
  val frames = StreamFifoCC(StoredFrame(), count, ClockDomain.current, phy)

  val writer = new Area {
    val inFrame, odd, kept = RegInit(False)
    val hunts = Reg(Bool()) // the start delimiter is still to come
    val low = Reg(Bits(4 bits))
    val length = Reg(UInt(lengthBits bits))
    val slot = Reg(UInt(log2Up(count) bits)) init 0
    val free = Reg(UInt(log2Up(count + 1) bits)) init count
    val ends = strobe && inFrame && !enable
    entered := strobe && enable && !inFrame
    when(entered) {
      inFrame := True
      hunts := True
      kept := free =/= 0
    }
    when(strobe && enable && inFrame) {
      when(hunts) {
        hunts := nibble =/= 0xd
        odd := False
        length := 0
      } otherwise {
        odd := !odd
        low := nibble
        when(odd) {
          length := length + 1
          when(length.andR) { kept := False }
        }
      }
    }
    bytes.write(slot @@ length, nibble ## low, strobe && enable && inFrame && !hunts && odd && kept)
    when(ends) { inFrame := False }
    val keepsFrame = kept && !hunts && length =/= 0
    frames.io.push.valid := ends && keepsFrame
    frames.io.push.length := length
    frames.io.push.odd := False
    frames.io.push.error := False
    dropped := ends && !keepsFrame
    when(frames.io.push.fire) { slot := slot + 1 }
  }

  val reader = new ClockingArea(phy) {
    val player = new FramePlayer(bytes, frames.io.pop, wire.step)
    wire.enable := player.plays
    wire.data := player.data
    val begins = CombInit(player.begins)
    val given = frames.io.pop.fire
  }

  left := PulseCCByToggle(reader.begins, phy, ClockDomain.current)
  val returned = PulseCCByToggle(reader.given, phy, ClockDomain.current)
  when(frames.io.push.fire =/= returned) {
    writer.free := returned ? (writer.free + 1) | (writer.free - 1)
  }
}
