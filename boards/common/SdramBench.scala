// SPDX-License-Identifier: BSD-2-Clause
package mcpi.boards

import mcpi.machine.Machine
import mcpi.memory.{BlockBus, MemoryConfig, Sdram}
import spinal.core._
import spinal.lib._
import spinal.lib.memory.sdram.sdr.SdramInterface
import mcpi.memory.SdramChip

/** SDRAM and its controller at the clock of the Colorlight i9, for their test. */
class SdramBench(machine: Machine) extends Component {
  private val c = MemoryConfig(machine).bus
  val clk, reset = in Bool ()
  val bus = slave(BlockBus(c, 18))
  val sdram = master(SdramInterface(SdramChip.layout2Mx32))
  private val domain = ClockDomain(
    clk,
    reset,
    config = ClockDomainConfig(resetKind = SYNC, resetActiveLevel = HIGH),
    frequency = FixedFrequency(HertzNumber(new BoardFile("colorlight-i9").clockHz))
  )
  val area = new ClockingArea(domain) {
    val ram = new Sdram(c, 18)
    ram.io.bus <> bus
    for (
      (pin, own) <- sdram.flatten.zip(ram.io.sdram.flatten)
      if own.isOutput
    ) pin := own
    ram.io.sdram.DQ.read := RegNext(sdram.DQ.read) // as the board's top has it
  }
}
