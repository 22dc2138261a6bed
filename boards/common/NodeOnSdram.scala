// SPDX-License-Identifier: BSD-2-Clause
package mcpi.boards

import mcpi.machine.Machine
import mcpi.memory._
import mcpi.node.NodeIo
import spinal.core._
import spinal.lib._
import spinal.lib.memory.sdram.SdramLayout
import spinal.lib.memory.sdram.sdr.SdramInterface

/** The RAM of a Colorlight i9 below a node, and the node as it goes onto it, in the place of a node
  * of `mcpi-sim gates --load-by-link`: page map, controller, and a chip that keeps 8 MB. The
  * simulator's own RAM is never asked.
  */
class NodeOnSdram(machine: Machine) extends Component {
  private val memory = MemoryConfig(machine)
  private val board = new BoardFile("colorlight-i9")
  val io = NodeIo(memory.bus)
  val inside = new NodeInside(machine)
  inside.io.pause := io.pause
  io.tick := inside.io.tick
  inside.io.host <> io.host
  inside.io.mii <> io.mii
  inside.io.board <> io.board

  val map = new PageMap(
    PageConfig(memory.bus, board.int("frames"), board.int("page_bytes"), memory.ramAddressWidth)
  )
  map.io.above <> inside.io.backing
  map.io.forget := False
  val ram = ClockDomain.current.copy(frequency = FixedFrequency(board.int("clock_mhz") MHz))(
    new Sdram(memory.bus, map.io.below.cmd.block.getWidth)
  )
  ram.io.bus <> map.io.below
  val chip = new SdramStandIn(SdramChip.layout2Mx32)
  for (
    (pin, own) <- chip.io.flatten.zip(ram.io.sdram.flatten)
    if own.isOutput
  ) pin := own
  ram.io.sdram.DQ.read := RegNext(chip.io.DQ.read) // as the board's top has it

  io.backing.cmd.valid := False
  io.backing.cmd.payload.assignFromBits(B(0, io.backing.cmd.payload.getBitsWidth bits))
  NodeStandIn.unseen(io)
}

/** What an SDRAM keeps and answers, two clocks behind a read, as a node's clock sees it. Its times
  * and what it would not forgive are in boards/test/sdram_model.py.
  */
class SdramStandIn(layout: SdramLayout) extends Component {
  val io = slave(SdramInterface(layout))
  private val words =
    Mem(Bits(layout.dataWidth bits), BigInt(1) << (layout.wordAddressWidth))
  val open = Vec.fill(1 << layout.bankWidth)(Reg(UInt(layout.rowWidth bits)) init 0)
  private val command = io.RASn ## io.CASn ## io.WEn
  private val bank = io.BA.asUInt
  when(command === B"011")(open(bank) := io.ADDR(layout.rowWidth - 1 downto 0).asUInt)
  private val address = open(bank) @@ bank @@ io.ADDR(layout.columnWidth - 1 downto 0).asUInt
  words.write(address, io.DQ.write, command === B"100")
  io.DQ.read := words.readSync(address, command === B"101")
}
