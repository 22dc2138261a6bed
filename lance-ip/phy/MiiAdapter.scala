// SPDX-License-Identifier: BSD-2-Clause
package mcpi.lance

import spinal.core._
import spinal.lib._

/** Pins of an MII PHY besides its two clocks. */
case class MiiPins() extends Bundle with IMasterSlave {
  val txEn = Bool()
  val txd = Bits(4 bits)
  val rxDv, rxEr = Bool()
  val rxd = Bits(4 bits)
  override def asMaster(): Unit = { out(txEn, txd); in(rxDv, rxEr, rxd) }
}

/** MII: a nibble a clock; the PHY makes both clocks, 25 or 2.5 MHz. */
class MiiAdapter(transmitClock: ClockDomain, receiveClock: ClockDomain) extends Component {
  val pins = master(MiiPins())
  val transmit = slave(PhyTransmit())
  val receive = master(PhyReceive())

  val sender = new ClockingArea(transmitClock) {
    transmit.step := True
    pins.txEn := RegNext(transmit.enable) init False
    pins.txd := RegNext(transmit.data)
  }
  val receiver = new ClockingArea(receiveClock) {
    receive.step := True
    receive.valid := RegNext(pins.rxDv) init False
    receive.error := RegNext(pins.rxEr) init False
    receive.data := RegNext(pins.rxd)
  }
}
