// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import mcpi.machine.{Block, Machine}

/** What of this room can be elaborated on its own. */
object Blocks {
  val blocks: Seq[Block] = Seq(
    Block("AlphaLite", m => new AlphaLite(AlphaLiteConfig(m))),
    Block("AlphaLiteOnFpga", m => new AlphaLite(onFpga(m))), // but seen and skipped
    Block("AlphaLiteBetweenPins", m => new BetweenPins(new AlphaLite(synthesised(m))))
  )

  /** What is worth its clocks and registers on an FPGA alone. */
  private def onFpga(m: Machine) = AlphaLiteConfig(m).copy(lateEvents = true)

  /** The core as it goes onto an FPGA. */
  private def synthesised(m: Machine) = onFpga(m).copy(retirePort = false, skips = false)
}
