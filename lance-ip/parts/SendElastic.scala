// SPDX-License-Identifier: BSD-2-Clause
package mcpi.lance

import spinal.core._
import spinal.lib._

/** Nibbles between the chip's clock and the PHY's, one at a time. */
object Elastic {
  val depth = 16

  /** Nibbles that are here before the first leaves: the clocks may differ while a frame passes. */
  val begin = 4

  /** Nibbles between two frames at the PHY, at least: two less than the chip leaves. */
  val gap = 22

  /** Nibbles of silence of the PHY's clock that end a frame. */
  val patience = 64
}

/** A nibble of a frame, or its end. */
case class SentNibble() extends Bundle {
  val enable = Bool()
  val data = Bits(4 bits)
}

/** Frames from the chip to the PHY as they are sent. When the PHY's clock stands, the rest of a
  * frame, and frames that follow, are `lost`; the first that leaves again is cut short.
  */
class SendElastic(phy: ClockDomain) extends Component {
  val strobe, enable = in Bool ()
  val nibble = in Bits (4 bits)
  val wire = master(PhyTransmit())
  val lost = out Bool () // one clock

  val nibbles = StreamFifoCC(SentNibble(), Elastic.depth, ClockDomain.current, phy)

  val writer = new Area {
    val drops, ends = RegInit(False)
    private val comes = strobe && enable
    private val push = nibbles.io.push
    push.valid := ends || comes && !drops
    push.enable := !ends
    push.data := nibble
    lost := comes && !drops && (ends || !push.ready)
    when(lost)(drops := True)
    when(ends && push.ready)(ends := False)
    when(strobe && !enable) {
      drops := False
      ends := True
    }
  }

  val reader = new ClockingArea(phy) {
    val plays, skips, enabled = RegInit(False)
    val data = Reg(Bits(4 bits)) init 0
    val gap = Reg(UInt(log2Up(Elastic.gap) bits)) init 0
    private val pop = nibbles.io.pop
    val isEnd = pop.valid && !pop.enable
    pop.ready := skips || (plays ? wire.step | isEnd)
    when(isEnd)(skips := False)
    when(wire.step) {
      enabled := plays && pop.valid && pop.enable
      data := pop.data
      when(plays) {
        when(!pop.valid || !pop.enable) {
          plays := False
          gap := Elastic.gap - 2
        }
        when(!pop.valid)(skips := True) // the chip is slower than its clock says
      } elsewhen (gap =/= 0) {
        gap := gap - 1
      } elsewhen (nibbles.io.popOccupancy >= Elastic.begin && !skips && !isEnd) {
        plays := True
      }
    }
    wire.enable := enabled
    wire.data := data
  }
}
