// SPDX-License-Identifier: BSD-2-Clause
package mcpi.bus

import mcpi.machine.Machine
import spinal.core._
import spinal.lib._

/** @param ticksPerCycle ticks of one TURBOchannel cycle
  * @param timeoutCycles cycles from `sel` after which a silent slot ends in an error
  * @param slots slot numbers that exist, in the order of `io.slots`
  * @param maxBurst longwords of one DMA burst (the DEC 3000/600 allows 128, facts/lance.md 4)
  */
case class TcHostConfig(
    ticksPerCycle: Int,
    timeoutCycles: Int,
    slots: Seq[Int] = Seq(7),
    maxBurst: Int = 128
) {
  require(ticksPerCycle >= 1 && ticksPerCycle <= 16)
  require(timeoutCycles >= 16 && timeoutCycles <= 4096)
  require(slots.nonEmpty && slots.forall(s => s >= 0 && s < 8) && slots.distinct == slots)
  require(maxBurst >= 4 && maxBurst <= 128 && maxBurst % 4 == 0)
}

object TcHostConfig {
  def apply(machine: Machine): TcHostConfig = TcHostConfig(
    machine.int("turbochannel.ticks_per_cycle"),
    machine.int("turbochannel.timeout_cycles")
  )
}

/** `interrupts`: one level per existing slot, in the order of `slots`. */
case class TcHostIo(c: TcHostConfig) extends Bundle {
  val tick = in Bool ()
  val io = slave(IoBus())
  val dma = master(DmaBus())
  val slots = Vec(master(TcSlot()), c.slots.size)
  val interrupts = out Bits (c.slots.size bits)
  val quiescent = out Bool ()
}
