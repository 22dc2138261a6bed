// SPDX-License-Identifier: BSD-2-Clause
package mcpi.lance

import spinal.core._
import spinal.lib._

/** A nibble that came in, or the end of a frame. */
case class ReceivedNibble() extends Bundle {
  val valid, error = Bool()
  val data = Bits(4 bits)
}

/** Frames from the PHY to the chip as they come in. A nibble that finds no room is `lost`, and the
  * frame is shown as wrong; so is a frame whose clock stops.
  */
class ReceiveElastic(phy: ClockDomain, period: Int) extends Component {
  val wire = slave(PhyReceive())
  val strobe, valid, error = out Bool ()
  val nibble = out Bits (4 bits)
  val lost = out Bool () // one clock

  val nibbles = StreamFifoCC(ReceivedNibble(), Elastic.depth, phy, ClockDomain.current)

  val writer = new ClockingArea(phy) {
    val inFrame, wrong, ends = RegInit(False)
    private val comes = wire.step && wire.valid
    private val push = nibbles.io.push
    push.valid := comes || ends
    push.payload.valid := !ends
    push.payload.error := wire.error || wrong
    push.payload.data := wire.data
    val loses = comes && (ends || !push.ready)
    when(loses)(wrong := True)
    when(comes)(inFrame := True)
    when(ends && push.ready) {
      ends := False
      wrong := False
    }
    when(wire.step && !wire.valid && inFrame) {
      inFrame := False
      ends := True
    }
  }
  lost := PulseCCByToggle(writer.loses, phy, ClockDomain.current)

  val reader = new Area {
    val inFrame, skips, waits = RegInit(False)
    val silence = Reg(UInt(log2Up(Elastic.patience * period + 1) bits)) init 0
    private val pop = nibbles.io.pop
    pop.ready := !waits
    waits := pop.fire // two ticks a nibble at least
    val heard = pop.fire && !skips
    val over = inFrame && silence === Elastic.patience * period
    // A clock that stops: a nibble in error, then the end.
    val cut = RegNext(over) init False
    val stops = RegNext(cut) init False
    silence := (pop.fire || !inFrame) ? U(0) | silence + 1
    when(heard)(inFrame := pop.payload.valid)
    when(pop.fire && !pop.payload.valid)(skips := False)
    when(over) {
      inFrame := False
      skips := True
    }
    strobe := heard || cut || stops && !cut
    valid := cut || heard && pop.payload.valid
    error := cut || pop.payload.error
    nibble := pop.payload.data
  }
}
