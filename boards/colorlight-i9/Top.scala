// SPDX-License-Identifier: BSD-2-Clause
package mcpi.boards

import mcpi.machine.Machine
import mcpi.memory.{MemoryConfig, Sdram}
import spinal.core._
import spinal.lib._

/** Colorlight i9 v7.2 on its extension board: SDRAM without mask pins, the first of two B50612D.
  * Ports are the pins of pins.lpf.
  */
class ColorlightI9(machine: Machine) extends Component {
  val board = new BoardFile("colorlight-i9")
  val clk25, button_n, serial_rx = in Bool ()
  val serial_tx = out Bool ()
  val led_n = out Bool ()
  val phy_reset_n, phy_mdc = out Bool ()
  val phy_mdio = inout(Analog(Bool()))
  val phy_rxc, phy_rx_ctl = in Bool ()
  val phy_rxd = in Bits (4 bits)
  val phy_txc, phy_tx_ctl = out Bool ()
  val phy_txd = out Bits (4 bits)
  val sdram_clock, sdram_we_n, sdram_ras_n, sdram_cas_n = out Bool ()
  val sdram_a = out Bits (11 bits)
  val sdram_ba = out Bits (2 bits)
  val sdram_dq = inout(Analog(Bits(32 bits)))

  val clocks = new BoardClocks(clk25, 25, board.int("clock_mhz"), !button_n)
  val area = new ClockingArea(clocks.node) {
    val inner = new BoardNode(machine, board)
    val ram = new Sdram(MemoryConfig(machine).bus, inner.pages.blockWidth)
    ram.io.bus <> inner.io.blocks
    val beat = Reg(UInt(25 bits)) init 0
    beat := beat + 1
    val even = RegInit(False)
    even := !even
  }

  /** The chip's clock rises three quarters of a clock behind the node's: commands have stood for
    * long, and its data stand where the controller takes them (docs/boards.md).
    */
  private val falling = ClockDomain(
    clocks.quarter,
    config = ClockDomainConfig(clockEdge = FALLING, resetKind = BOOT)
  )
  val chipClock = new ClockingArea(falling) {
    val before = RegNext(area.even) init False
    val pin = RegNext(area.even === before) init False
  }
  import area.inner
  private val chip = area.ram.io.sdram
  sdram_clock := chipClock.pin
  sdram_we_n := chip.WEn
  sdram_ras_n := chip.RASn
  sdram_cas_n := chip.CASn
  sdram_a := chip.ADDR
  sdram_ba := chip.BA
  chip.DQ.read := sdram_dq
  for (i <- 0 until 32) when(chip.DQ.writeEnable(i))(sdram_dq(i) := chip.DQ.write(i))

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
  // One LED: dark without link, on with it, blinking while the machine runs.
  led_n := !(inner.io.linked && (!inner.io.running || area.beat.msb))
}
