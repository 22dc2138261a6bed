// SPDX-License-Identifier: BSD-2-Clause
package mcpi.node

import mcpi.bus._
import spinal.core._
import spinal.lib._

/** RAM belongs to the memory system while the machine runs, to the host link while it is held. It
  * changes hands only when no read is under way, so no answer goes to the wrong side.
  *
  * @param most reads of one side under way
  */
class BackingSwitch(c: MemoryBusConfig, most: Int = 7) extends Component {
  val io = new Bundle {
    val run = in Bool ()
    val memory = slave(BackingBus(c))
    val host = slave(BackingBus(c))
    val hostOwns = out Bool ()
    val ram = master(BackingBus(c))
  }
  val hostOwns = RegInit(True)
  val reads = Reg(UInt(log2Up(most + 1) bits)) init 0
  val begins = io.ram.cmd.fire && !io.ram.cmd.write
  when(begins && !io.ram.rsp.valid)(reads := reads + 1)
  when(!begins && io.ram.rsp.valid)(reads := reads - 1)
  when(reads === 0 && !io.ram.cmd.valid)(hostOwns := !io.run)

  io.hostOwns := hostOwns
  io.ram.cmd.valid := hostOwns ? io.host.cmd.valid | io.memory.cmd.valid
  io.ram.cmd.payload := hostOwns ? io.host.cmd.payload | io.memory.cmd.payload
  io.host.cmd.ready := hostOwns && io.ram.cmd.ready
  io.memory.cmd.ready := !hostOwns && io.ram.cmd.ready
  io.host.rsp.valid := hostOwns && io.ram.rsp.valid
  io.memory.rsp.valid := !hostOwns && io.ram.rsp.valid
  io.host.rsp.payload := io.ram.rsp.payload
  io.memory.rsp.payload := io.ram.rsp.payload
}
