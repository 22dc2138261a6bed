// SPDX-License-Identifier: BSD-2-Clause
package mcpi.boards

import mcpi.machine.Machine
import mcpi.memory._
import mcpi.node.{Node, NodeIo}
import spinal.core._
import spinal.lib._
import spinal.lib.memory.sdram.SdramLayout
import spinal.lib.memory.sdram.sdr.SdramInterface

/** A node on the RAM of board `name`, in the place of a node of `mcpi-sim gates --load-by-link`:
  * page map, and block RAM, or a cache before a controller with a chip. The simulator's own RAM is
  * never asked.
  */
class NodeOnBoard(machine: Machine, name: String) extends Component {
  private val memory = MemoryConfig(machine)
  private val board = new BoardFile(name)
  private val pages = board.pages(memory, machine)
  val io = NodeIo(memory.bus, Node.core(machine, onFpga = true))
  val inside = new NodeInside(machine)
  inside.io.pause := io.pause
  io.tick := inside.io.tick
  inside.io.host <> io.host
  inside.io.mii <> io.mii
  inside.io.board <> io.board

  val map = new PageMap(pages.copy(embed = false))
  map.io.above <> inside.io.backing
  map.io.forget := False
  private def sdram() = {
    val ram = board.domain(ClockDomain.current)(new Sdram(memory.bus, pages.blockWidth))
    val chip = new SdramStandIn(SdramChip.layout2Mx32)
    for (
      (pin, own) <- chip.io.flatten.zip(ram.io.sdram.flatten)
      if own.isOutput
    ) pin := own
    ram.io.sdram.DQ.read := RegNext(chip.io.DQ.read) // as the board's top has it
    val cache = new BlockCache(pages, board.int("cache_blocks"))
    ram.io.bus <> cache.io.below
    cache.io.above
  }
  private val below =
    if (board.text("ram") == "sdram") sdram() else new BlockRam(memory.bus, pages.blocks).io.bus
  below <> map.io.below

  io.backing.cmd.valid := False
  io.backing.cmd.payload.assignFromBits(B(0, io.backing.cmd.payload.getBitsWidth bits))
  NodeStandIn.unseen(io)
}

/** Contents and answers of an SDRAM, two clocks after a read, as a node's clock sees them. Its
  * times and what it would not forgive are in boards/test/boards_support/sdram_model.py.
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
