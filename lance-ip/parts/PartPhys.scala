// SPDX-License-Identifier: BSD-2-Clause
package mcpi.lance

import spinal.core._
import spinal.lib._

/** A part with its PHY's ports, made at the component that is being made. */
trait PartPhy {

  /** @param part makes the part from the clocks of what it sends and receives */
  def make[P <: PartCore](part: (ClockDomain, ClockDomain) => P): P

  protected def named[T <: Data](port: T, name: String): T = port.setName(name)
}

/** MII: both clocks are the PHY's. */
object PartMii extends PartPhy {
  def make[P <: PartCore](part: (ClockDomain, ClockDomain) => P): P = {
    val (txClock, rxClock) = (named(in Bool (), "mii_tx_clk"), named(in Bool (), "mii_rx_clk"))
    val (sending, receiving) = (PhyClock(txClock), PhyClock(rxClock))
    val made = part(sending, receiving).setName("part")
    val adapter = new MiiAdapter(sending, receiving).setName("adapter")
    adapter.transmit <> made.transmit
    adapter.receive <> made.receive
    named(out Bool (), "mii_tx_en") := adapter.pins.txEn
    named(out Bits (4 bits), "mii_txd") := adapter.pins.txd
    adapter.pins.rxDv := named(in Bool (), "mii_rx_dv")
    adapter.pins.rxEr := named(in Bool (), "mii_rx_er")
    adapter.pins.rxd := named(in Bits (4 bits), "mii_rxd")
    made.carrier := named(in Bool (), "mii_crs")
    made.collision := named(in Bool (), "mii_col")
    made
  }
}

/** RMII: one clock of 50 MHz. A carrier while the part sends is a collision. */
object PartRmii extends PartPhy {
  def make[P <: PartCore](part: (ClockDomain, ClockDomain) => P): P = {
    val clock = named(in Bool (), "rmii_ref_clk")
    val reference = PhyClock(clock)
    val made = part(reference, reference).setName("part")
    val adapter = new RmiiAdapter(reference).setName("adapter")
    adapter.transmit <> made.transmit
    adapter.receive <> made.receive
    adapter.fast := Bool(made.fast)
    named(out Bool (), "rmii_tx_en") := adapter.pins.txEn
    named(out Bits (2 bits), "rmii_txd") := adapter.pins.txd
    adapter.pins.crsDv := named(in Bool (), "rmii_crs_dv")
    adapter.pins.rxEr := named(in Bool (), "rmii_rx_er")
    adapter.pins.rxd := named(in Bits (2 bits), "rmii_rxd")
    val wire = new ClockingArea(reference) {
      val busy = RegNext(adapter.pins.crsDv || adapter.pins.txEn) init False
      val collides = RegNext(adapter.pins.crsDv && adapter.pins.txEn) init False
    }.setName("wire")
    made.carrier := wire.busy
    made.collision := wire.collides
    made
  }
}

/** RGMII, full duplex: `rgmii_clk_100` is a clock of 100 MHz. */
object PartRgmii extends PartPhy {
  def make[P <: PartCore](part: (ClockDomain, ClockDomain) => P): P = {
    val quarter = PhyClock(named(in Bool (), "rgmii_clk_100"))
    val received = PhyClock(named(in Bool (), "rgmii_rxc"), falling = true)
    val made = part(quarter, received).setName("part")
    val adapter = new RgmiiAdapter(quarter, received).setName("adapter")
    adapter.transmit <> made.transmit
    adapter.receive <> made.receive
    adapter.fast := Bool(made.fast)
    named(out Bool (), "rgmii_txc") := adapter.pins.txc
    named(out Bool (), "rgmii_tx_ctl") := adapter.pins.txCtl
    named(out Bits (4 bits), "rgmii_txd") := adapter.pins.txd
    adapter.pins.rxCtl := named(in Bool (), "rgmii_rx_ctl")
    adapter.pins.rxd := named(in Bits (4 bits), "rgmii_rxd")
    made.carrier := False
    made.collision := False
    made
  }
}
