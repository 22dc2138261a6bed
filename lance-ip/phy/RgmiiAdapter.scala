// SPDX-License-Identifier: BSD-2-Clause
package mcpi.lance

import spinal.core._
import spinal.lib._

/** Pins of an RGMII PHY besides its receive clock; `txc` is the adapter's. */
case class RgmiiPins() extends Bundle with IMasterSlave {
  val txc, txCtl = Bool()
  val txd = Bits(4 bits)
  val rxCtl = Bool()
  val rxd = Bits(4 bits)
  override def asMaster(): Unit = { out(txc, txCtl, txd); in(rxCtl, rxd) }
}

/** State that the PHY shows between frames; `speed` 0: 10, 1: 100, 2: 1000 Mb/s. */
case class LinkState() extends Bundle {
  val up, fullDuplex = Bool()
  val speed = UInt(2 bits)
}

/** RGMII at 10 or 100 Mb/s (`fast`), without DDR cells or delays (docs/reference/phy.md).
  *
  * `quarter`: 100 MHz, four phases a nibble at 100 Mb/s, 40 at 10. `received`: RXC, falling edge.
  * `link` is in that domain.
  */
class RgmiiAdapter(quarter: ClockDomain, received: ClockDomain) extends Component {
  val pins = master(RgmiiPins())
  val fast = in Bool () // stands still while frames pass
  val transmit = slave(PhyTransmit())
  val receive = master(PhyReceive())
  val link = out(LinkState())

  val sender = new ClockingArea(quarter) {
    val isFast = BufferCC(fast, False)
    val count = Reg(UInt(4 bits)) init 0
    val phaseEnds = isFast || count === 9
    count := phaseEnds ? U(0) | count + 1
    val phase = Reg(UInt(2 bits)) init 0
    when(phaseEnds) { phase := phase + 1 }
    // TXC rises into phase 0 and falls into phase 2; data changes into phase 3.
    val txc = RegInit(False)
    val enable = RegInit(False)
    val data = Reg(Bits(4 bits)) init 0
    txc := phase === 0 || phase === 1
    transmit.step := phaseEnds && phase === 2
    when(transmit.step) {
      enable := transmit.enable
      data := transmit.data
    }
    pins.txc := txc
    pins.txCtl := RegNext(enable) init False
    pins.txd := RegNext(data) init 0
  }

  val receiver = new ClockingArea(received) {
    val control = RegNext(pins.rxCtl) init False
    val data = RegNext(pins.rxd) init 0
    receive.step := True
    receive.valid := control
    receive.error := False // shows as a gap
    receive.data := data
    val state = Reg(LinkState())
    state.up init False
    when(!control) {
      state.up := data(0)
      state.speed := data(2 downto 1).asUInt
      state.fullDuplex := data(3)
    }
    link := state
  }
}
