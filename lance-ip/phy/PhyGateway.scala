// SPDX-License-Identifier: BSD-2-Clause
package mcpi.lance

import mcpi.bus.Mii
import spinal.core._
import spinal.lib._

/** Counts of a gateway; docs/reference/phy.md says what each counts. */
case class GatewayCounts() extends Bundle {
  val sent, received, sendDropped, receiveDropped, receiveErrors = UInt(32 bits)
  val sendWaiting, receiveWaiting, sentNibbles = UInt(48 bits)
}

/** Between a node's MII in virtual time and the clocks of a PHY: whole frames each way.
  *
  * `period` is ticks a nibble towards the node; `transmit` and `receive` the PHY's clocks; `lends`:
  * a subclass may use the stores for messages of its own.
  */
class PhyGateway(
    transmitClock: ClockDomain,
    receiveClock: ClockDomain,
    period: Int,
    lends: Boolean = false
) extends Component {
  val tick = in Bool ()
  val measures = in Bool () // clocks in which `…Waiting` and `sentNibbles` count
  val mii = slave(Mii())
  val transmit = master(PhyTransmit())
  val receive = slave(PhyReceive())
  val counts = out(GatewayCounts())

  val outward = new TransmitStore(transmitClock)
  // A clock late: whether this one is a tick is known late.
  outward.strobe := RegNext(mii.txStrobe && tick) init False
  outward.enable := RegNext(mii.txEn)
  outward.nibble := RegNext(mii.txd)
  outward.wire <> transmit

  val inward = new ReceiveStore(receiveClock, period, lends)
  inward.tick := tick
  inward.wire <> receive
  mii.rxStrobe := inward.strobe
  mii.rxDv := inward.valid
  mii.rxEr := inward.error
  mii.rxd := inward.nibble
  mii.crs := False
  mii.col := False

  // Some of what is counted is known late in its clock.
  private def later(event: Bool) = RegNext(event) init False
  private def count(event: Bool, into: UInt): Unit = {
    val counter = Reg(cloneOf(into)) init 0
    counter.setName(s"count_${into.getName()}")
    when(later(event)) { counter := counter + 1 }
    into := counter
  }
  count(outward.left, counts.sent)
  count(outward.strobe && outward.enable && measures, counts.sentNibbles)
  count(inward.left, counts.received)
  count(outward.dropped, counts.sendDropped)
  count(inward.dropped, counts.receiveDropped)
  count(inward.faulty, counts.receiveErrors)

  /** Clocks times frames that are inside: up to two in the slots and one that comes in. */
  private def waiting(entered: Bool, left: Bool, dropped: Bool, into: UInt): Unit = {
    val inside = Reg(UInt(3 bits)) init 0
    inside.setName(s"inside_${into.getName()}")
    inside := inside + U(later(entered), 3 bits) - U(later(left), 3 bits) - U(
      later(dropped),
      3 bits
    )
    val counter = Reg(cloneOf(into)) init 0
    counter.setName(s"count_${into.getName()}")
    when(measures) { counter := counter + inside }
    into := counter
  }
  waiting(outward.entered, outward.left, outward.dropped, counts.sendWaiting)
  waiting(inward.entered, inward.left, inward.dropped, counts.receiveWaiting)
}
