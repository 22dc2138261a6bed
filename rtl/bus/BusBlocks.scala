// SPDX-License-Identifier: BSD-2-Clause
package mcpi.bus

import mcpi.machine.Block

object BusBlocks {
  val blocks: Seq[Block] = Seq(
    // Two slots, so that arbitration between options has something to decide.
    Block("TcHost", m => new TcHost(TcHostConfig(m).copy(slots = Seq(6, 7)))),
    Block("TcScratchOnTc", new TcScratchOnTc(_))
  )
}
