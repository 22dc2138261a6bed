// SPDX-License-Identifier: BSD-2-Clause
package mcpi.boards

import mcpi.console.SerialLine
import mcpi.lance._
import mcpi.machine.Machine
import mcpi.memory._
import mcpi.node.{CoherentNode, Node, OnBoard}
import spinal.core._
import spinal.lib._

/** All that boards have in common, in the node's clock: node, serial line, page map, gateway to an
  * RGMII PHY, its management, the board's registers. What is below the pages, the top brings.
  *
  * @param baud of the serial line; board.toml's if none is given
  */
class BoardNode(machine: Machine, board: BoardFile, baud: Option[Int] = None) extends Component {
  private val memory = MemoryConfig(machine)
  val pages = board.pages(memory, machine)
  val io = new Bundle {
    val rxd = in Bool ()
    val txd = out Bool ()
    val blocks = master(BlockBus(memory.bus, pages.blockWidth))
    val quarter, rxc = in Bool () // 100 MHz; the PHY's receive clock
    val rgmii = master(RgmiiPins())
    val mdio = master(MdioPins())
    val phyReset = out Bool ()
    val running, failed, linked = out Bool () // for LEDs
  }
  private def ofOneCore = {
    val one = new Node(machine, onFpga = true)
    one.io.skip := 0
    one
  }
  val node: OnBoard = if (machine.coherent) new CoherentNode(machine, onFpga = true) else ofOneCore

  val line = new SerialLine(board.clockHz, baud.getOrElse(board.int("baud")))
  line.io.rxd := io.rxd
  io.txd := line.io.txd
  node.io.host.fromHost << line.io.fromHost
  line.io.toHost << node.io.host.toHost

  val map = new PageMap(pages)
  map.io.above <> node.io.backing
  map.io.below <> io.blocks

  val (quarter, received) = (PhyClock(io.quarter), PhyClock(io.rxc, falling = true))
  // The counters count from the first tick after they are armed.
  private val control = node.gate.io.control.pull()
  val armed, counts = RegInit(False)
  when(control.stop)(armed := False)
  when(control.arm)(armed := True)
  counts := armed && (counts || node.io.tick)

  private val exact = ExactConfig.of(machine)
  val gateway = exact match {
    case None => new PhyGateway(quarter, received, LanceConfig(machine).ticksPerNibble)
    case Some(config) => new ExactGateway(quarter, received, config)
  }
  val adapter = new RgmiiAdapter(quarter, received)
  gateway.tick := node.io.tick
  gateway.measures := counts
  gateway.mii <> node.io.mii
  adapter.transmit <> gateway.transmit
  adapter.receive <> gateway.receive
  adapter.pins <> io.rgmii

  private val rate = TickRate.of(machine, board)
  val registers = new BoardRegisters(board, pages.pages, memory.ramAddressWidth, rate, exact)
  registers.io.bus <> node.io.board
  registers.io.used := map.io.used
  registers.io.fault := map.io.fault
  registers.io.faultAddress := map.io.faultAddress
  registers.io.embedded := map.io.embedded
  map.io.forget := registers.io.forget
  registers.io.link := adapter.link
  registers.io.counts := gateway.counts
  registers.io.mdio <> io.mdio
  adapter.fast := registers.io.fast
  io.phyReset := registers.io.phyReset

  private val running = node.registers.io.run.pull()
  val waits = Bool() // for the other board's promise
  gateway match {
    case exactly: ExactGateway =>
      exactly.run := running
      exactly.exact <> registers.io.exact
      val outlook = new SendOutlook
      val card = node.lance
      outlook.timing := card.io.timing.pull()
      outlook.state := SendState.of(card.ticked.lance)
      exactly.outlook := outlook.ticks
      exactly.passed := node.passed
      waits := exactly.pause
    case _ => waits := False
  }
  rate match {
    case None => node.io.pause := waits
    case Some(given) =>
      val pacer = new Pacer(given)
      pacer.io.run := running
      pacer.io.tick := node.io.tick
      pacer.io.clear := control.clear
      pacer.io.counts := counts
      node.io.pause := pacer.io.pause
      registers.io.late := pacer.io.late
  }
  io.running := running
  io.failed := map.io.fault
  io.linked := registers.io.linked
}
