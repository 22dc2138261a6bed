// SPDX-License-Identifier: BSD-2-Clause
package mcpi.boards

import mcpi.machine.Machine
import mcpi.memory.{BlockCache, Sdram}
import spinal.core._
import spinal.lib._
import spinal.lib.blackbox.lattice.ecp5.ODDRX1F

/** Colorlight i9 v7.2 on its extension board: SDRAM without mask pins behind a cache of blocks,
  * the first of two B50612D. Ports are the pins of pins.lpf.
  */
class ColorlightI9(machine: Machine) extends BoardTop("colorlight-i9") {
  val clk25 = in Bool ()
  val led_n = out Bool ()
  val sdram_clock, sdram_we_n, sdram_ras_n, sdram_cas_n = out Bool ()
  val sdram_a = out Bits (11 bits)
  val sdram_ba = out Bits (2 bits)
  val sdram_dq = inout(Analog(Bits(32 bits)))

  /** The chip's clock rises 3 periods of 600 MHz, 5 ns, after the node's (boards.md). */
  val clocks = new BoardClocks(clk25, 25, board, !button_n, lag = 3)
  val area = new ClockingArea(clocks.node) {
    val inner = new BoardNode(machine, board)
    val cache = new BlockCache(inner.pages, board.int("cache_blocks"))
    cache.io.above <> inner.io.blocks
    val ram = new Sdram(inner.pages.c, inner.pages.blockWidth)
    ram.io.bus <> cache.io.below
    val beat = Reg(UInt(25 bits)) init 0
    beat := beat + 1
    // The controller looks a clock after the chip's data are there: they wait in a register.
    val data = Bits(32 bits)
    ram.io.sdram.DQ.read := RegNext(data)
  }

  import area.inner
  private val chip = area.ram.io.sdram
  // From the pad's own registers: no wire of the fabric lies between the PLL and the pin.
  private val forwarded = ClockDomain(clocks.late, reset = False)(ODDRX1F())
  forwarded.D0 := True
  forwarded.D1 := False
  sdram_clock := forwarded.Q
  sdram_we_n := chip.WEn
  sdram_ras_n := chip.RASn
  sdram_cas_n := chip.CASn
  sdram_a := chip.ADDR
  sdram_ba := chip.BA
  area.data := sdram_dq
  for (i <- 0 until 32) when(chip.DQ.writeEnable(i))(sdram_dq(i) := chip.DQ.write(i))

  attach(inner, clocks.quarter)
  // The LED is dark without link, on with it, blinking while the machine runs.
  led_n := !(inner.io.linked && (!inner.io.running || area.beat.msb))
}
