// SPDX-License-Identifier: BSD-2-Clause
package mcpi.boards

import spinal.core._
import spinal.lib._

/** Pins that every board has: a button, the serial line, one RGMII PHY with its management. Names
  * are those of pins.lpf; a top adds its oscillator, its LEDs and its RAM.
  */
abstract class BoardTop(name: String) extends Component {
  val board = new BoardFile(name)
  val button_n, serial_rx = in Bool ()
  val serial_tx = out Bool ()
  val phy_reset_n, phy_mdc = out Bool ()
  val phy_mdio = inout(Analog(Bool()))
  val phy_rxc, phy_rx_ctl = in Bool ()
  val phy_rxd = in Bits (4 bits)
  val phy_txc, phy_tx_ctl = out Bool ()
  val phy_txd = out Bits (4 bits)

  /** From these pins to the node's part, whose 100 MHz are `quarter`. */
  protected def attach(inner: BoardNode, quarter: Bool): Unit = {
    inner.io.rxd := serial_rx
    serial_tx := inner.io.txd
    inner.io.quarter := quarter
    inner.io.rxc := phy_rxc
    inner.io.rgmii.rxCtl := phy_rx_ctl
    inner.io.rgmii.rxd := phy_rxd
    phy_txc := inner.io.rgmii.txc
    phy_tx_ctl := inner.io.rgmii.txCtl
    phy_txd := inner.io.rgmii.txd
    phy_reset_n := !inner.io.phyReset
    phy_mdc := inner.io.mdio.mdc
    inner.io.mdio.read := phy_mdio
    when(inner.io.mdio.drive)(phy_mdio := inner.io.mdio.write)
  }
}
