// SPDX-License-Identifier: BSD-2-Clause
package mcpi.boards

import mcpi.machine.Machine
import mcpi.memory.BlockRam
import mcpi.memory.MemoryConfig
import spinal.core._
import spinal.lib._

/** LambdaConcept ECPIX-5: block RAM alone, one KSZ9031. Ports are the pins of pins.lpf. */
class Ecpix5(machine: Machine) extends Component {
  val board = new BoardFile("ecpix-5")
  val clk100, button_n, serial_rx = in Bool ()
  val serial_tx = out Bool ()
  val led_r_n, led_g_n, led_b_n = out Bool ()
  val phy_reset_n, phy_mdc = out Bool ()
  val phy_mdio = inout(Analog(Bool()))
  val phy_rxc, phy_rx_ctl = in Bool ()
  val phy_rxd = in Bits (4 bits)
  val phy_txc, phy_tx_ctl = out Bool ()
  val phy_txd = out Bits (4 bits)

  val clocks = new BoardClocks(clk100, 100, board.int("clock_mhz"), !button_n)
  val area = new ClockingArea(clocks.node) {
    val inner = new BoardNode(machine, board)
    val ram = new BlockRam(MemoryConfig(machine).bus, inner.pages.blocks)
    ram.io.bus <> inner.io.blocks
  }
  import area.inner
  inner.io.rxd := serial_rx
  serial_tx := inner.io.txd
  inner.io.quarter := clocks.quarter
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
  led_r_n := !inner.io.failed
  led_g_n := !inner.io.running
  led_b_n := !inner.io.linked
}
