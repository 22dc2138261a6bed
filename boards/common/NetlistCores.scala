// SPDX-License-Identifier: BSD-2-Clause
package mcpi.boards

import mcpi.bus.{BackingBus, MemoryBusConfig, Mii}
import mcpi.console.HostRegisterBus
import mcpi.machine.Machine
import mcpi.memory.MemoryConfig
import mcpi.node.{CoherentNode, CoherentNodeIo, HostBytes}
import spinal.core._
import spinal.lib._

/** Ports of a node of several cores that a board would use, with `pause`, and the guest's `exit`.
  */
case class CoresInsideIo(c: MemoryBusConfig) extends Bundle {
  val pause = in Bool ()
  val tick = out Bool ()
  val host = slave(HostBytes())
  val backing = master(BackingBus(c))
  val mii = master(Mii())
  val board = master(HostRegisterBus())
  val exit = master Flow Bits(8 bits)
}

/** A node of several cores as it goes onto an FPGA: nobody sees its cores. */
class CoresInside(machine: Machine) extends Component {
  val io = CoresInsideIo(MemoryConfig(machine).bus)
  val node = new CoherentNode(machine, onFpga = true)
  node.io.pause := io.pause
  io.tick := node.io.tick
  node.io.host <> io.host
  node.io.backing <> io.backing
  node.io.mii <> io.mii
  node.io.board <> io.board
  io.exit << node.io.exit
}

/** Its netlist. */
class CoresNetlist(c: MemoryBusConfig) extends BlackBox {
  val clk, reset = in Bool ()
  val io = CoresInsideIo(c)
  setDefinitionName("CoresInside")
  mapCurrentClockDomain(clk, reset)
}

/** The netlist in the place of a node of several cores, for `mcpi-cores`: their trace is zero. */
class NetlistCores(machine: Machine) extends Component {
  val io = CoherentNodeIo(machine)
  val inside = new CoresNetlist(MemoryConfig(machine).bus)
  inside.io.pause := io.pause
  io.tick := inside.io.tick
  inside.io.host <> io.host
  inside.io.backing <> io.backing
  inside.io.mii <> io.mii
  inside.io.board <> io.board
  io.exit << inside.io.exit
  io.trace := 0
  for (port <- io.order.flatten ++ io.answer.flatten)
    port.assignFromBits(B(0, port.getBitsWidth bits))
}
