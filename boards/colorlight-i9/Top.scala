// SPDX-License-Identifier: BSD-2-Clause
package mcpi.boards

import mcpi.machine.Machine
import mcpi.memory.{MemoryConfig, Sdram}
import spinal.core._
import spinal.lib._

/** Colorlight i9 v7.2 on its extension board: SDRAM without mask pins, the first of two B50612D.
  * Ports are the pins of pins.lpf.
  */
class ColorlightI9(machine: Machine) extends BoardTop("colorlight-i9") {
  val clk25 = in Bool ()
  val led_n = out Bool ()
  val sdram_clock, sdram_we_n, sdram_ras_n, sdram_cas_n = out Bool ()
  val sdram_a = out Bits (11 bits)
  val sdram_ba = out Bits (2 bits)
  val sdram_dq = inout(Analog(Bits(32 bits)))

  val clocks = new BoardClocks(clk25, 25, board.divider, !button_n)
  val area = new ClockingArea(clocks.node) {
    val inner = new BoardNode(machine, board)
    val ram = new Sdram(MemoryConfig(machine).bus, inner.pages.blockWidth)
    ram.io.bus <> inner.io.blocks
    val beat = Reg(UInt(25 bits)) init 0
    beat := beat + 1
    val even = RegInit(False)
    even := !even
    // The controller looks a clock after the chip's data are there: they wait in a register.
    val data = Bits(32 bits)
    ram.io.sdram.DQ.read := RegNext(data)
  }

  /** The chip's clock rises a quarter of a clock behind the node's (docs/reference/boards.md). */
  private val falling = ClockDomain(
    clocks.quarter,
    config = ClockDomainConfig(clockEdge = FALLING, resetKind = BOOT)
  )
  val chipClock = new ClockingArea(falling) {
    // Both clocks are the PLL's, 5 ns apart.
    val before = RegNext(area.even) init False addTag crossClockDomain
    val pin = RegNext(area.even =/= before) init False addTag crossClockDomain
  }
  import area.inner
  private val chip = area.ram.io.sdram
  sdram_clock := chipClock.pin
  sdram_we_n := chip.WEn
  sdram_ras_n := chip.RASn
  sdram_cas_n := chip.CASn
  sdram_a := chip.ADDR
  sdram_ba := chip.BA
  area.data := sdram_dq
  for (i <- 0 until 32) when(chip.DQ.writeEnable(i))(sdram_dq(i) := chip.DQ.write(i))

  attach(inner, clocks.quarter)
  // One LED: dark without link, on with it, blinking while the machine runs.
  led_n := !(inner.io.linked && (!inner.io.running || area.beat.msb))
}
