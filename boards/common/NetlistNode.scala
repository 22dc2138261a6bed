// SPDX-License-Identifier: BSD-2-Clause
package mcpi.boards

import mcpi.bus.{BackingBus, MemoryBusConfig, Mii}
import mcpi.console.HostRegisterBus
import mcpi.machine.Machine
import mcpi.memory.MemoryConfig
import mcpi.node.{HostBytes, Node, NodeIo}
import spinal.core._
import spinal.lib._

/** Ports of a node that a board uses, and `pause`, which keeps two of them in step. */
case class InsideIo(c: MemoryBusConfig) extends Bundle {
  val pause = in Bool ()
  val tick = out Bool ()
  val host = slave(HostBytes())
  val backing = master(BackingBus(c))
  val mii = master(Mii())
  val board = master(HostRegisterBus())
}

/** A node as it goes onto a board: nothing is skipped, nobody sees it retire. Synthesised for
  * `./mcpi board netlist` (docs/verification/boards.md).
  */
class NodeInside(machine: Machine) extends Component {
  val io = InsideIo(MemoryConfig(machine).bus)
  val node = new Node(machine, onFpga = true)
  node.io.pause := io.pause
  node.io.skip := 0
  io.tick := node.io.tick
  node.io.host <> io.host
  node.io.backing <> io.backing
  node.io.mii <> io.mii
  node.io.board <> io.board
}

/** Its netlist. */
class NodeNetlist(c: MemoryBusConfig) extends BlackBox {
  val clk, reset = in Bool ()
  val io = InsideIo(c)
  setDefinitionName("NodeInside")
  mapCurrentClockDomain(clk, reset)
}

/** The netlist in the place of a node, for the simulator: what a board does not show stays zero, so
  * that nothing is skipped.
  */
class NetlistNode(machine: Machine) extends Component {
  private val c = MemoryConfig(machine).bus
  val io = NodeIo(c, Node.core(machine, onFpga = true))
  val inside = new NodeNetlist(c)
  inside.io.pause := io.pause
  io.tick := inside.io.tick
  inside.io.host <> io.host
  inside.io.backing <> io.backing
  inside.io.mii <> io.mii
  inside.io.board <> io.board
  NodeStandIn.unseen(io)
}

/** For what stands in the place of a node and shows no more than a board does. */
object NodeStandIn {
  def unseen(io: NodeIo): Unit = {
    io.nextEvent := 0
    io.trace := 0
  }
}
