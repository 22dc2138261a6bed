// SPDX-License-Identifier: BSD-2-Clause
package mcpi.boards

import mcpi.machine.Machine
import mcpi.memory.BlockRam
import mcpi.memory.MemoryConfig
import spinal.core._
import spinal.lib._

/** LambdaConcept ECPIX-5: block RAM alone, one KSZ9031. Ports are the pins of pins.lpf. */
class Ecpix5(machine: Machine) extends BoardTop("ecpix-5") {
  val clk100 = in Bool ()
  val led_r_n, led_g_n, led_b_n = out Bool ()

  val clocks = new BoardClocks(clk100, 100, board, !button_n)
  val area = new ClockingArea(clocks.node) {
    val inner = new BoardNode(machine, board)
    val ram = new BlockRam(MemoryConfig(machine).bus, inner.pages.blocks)
    ram.io.bus <> inner.io.blocks
  }
  import area.inner
  attach(inner, clocks.quarter)
  led_r_n := !inner.io.failed
  led_g_n := !inner.io.running
  led_b_n := !inner.io.linked
}
