// SPDX-License-Identifier: BSD-2-Clause
package mcpi.boards

import mcpi.machine.Machine
import mcpi.memory.{BlockBus, MemoryConfig, Sdram}
import spinal.core._
import spinal.lib._
import spinal.lib.memory.sdram.sdr.SdramInterface
import mcpi.memory.SdramChip

/** SDRAM and its controller at 50 MHz, for their test. */
class SdramBench(machine: Machine) extends Component {
  private val c = MemoryConfig(machine).bus
  val clk, reset = in Bool ()
  val bus = slave(BlockBus(c, 18))
  val sdram = master(SdramInterface(SdramChip.layout2Mx32))
  private val domain = ClockDomain(
    clk,
    reset,
    config = ClockDomainConfig(resetKind = SYNC, resetActiveLevel = HIGH),
    frequency = FixedFrequency(50 MHz)
  )
  val area = new ClockingArea(domain) {
    val ram = new Sdram(c, 18)
    ram.io.bus <> bus
    ram.io.sdram <> sdram
  }
}
