// SPDX-License-Identifier: BSD-2-Clause
package mcpi.boards

import mcpi.lance.{MdioPins, RgmiiPins}
import mcpi.machine.Machine
import mcpi.memory.{BlockRam, MemoryConfig}
import spinal.core._
import spinal.lib._

/** The ECPIX-5 without its PLL and pads, for tests: clocks are ports, and the serial line is as
  * fast as it can be, ten clocks a bit.
  */
class BoardBench(machine: Machine) extends Component {
  val rxd, quarter, rxc = in Bool ()
  val txd, phyReset, running, failed, linked = out Bool ()
  val rgmii = master(RgmiiPins())
  val mdio = master(MdioPins())
  private val board = new BoardFile("ecpix-5")
  val inner = new BoardNode(machine, board, baud = Some(board.clockHz / 10))
  val ram = new BlockRam(MemoryConfig(machine).bus, inner.pages.blocks)
  ram.io.bus <> inner.io.blocks
  inner.io.rxd := rxd
  inner.io.quarter := quarter
  inner.io.rxc := rxc
  inner.io.rgmii <> rgmii
  inner.io.mdio <> mdio
  txd := inner.io.txd
  phyReset := inner.io.phyReset
  running := inner.io.running
  failed := inner.io.failed
  linked := inner.io.linked
}
