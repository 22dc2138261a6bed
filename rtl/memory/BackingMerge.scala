// SPDX-License-Identifier: BSD-2-Clause
package mcpi.memory

import mcpi.bus.{BackingBus, MemoryBusConfig}
import spinal.core._
import spinal.lib._

/** Two users of one backing memory: `first` goes before `second` whenever both ask. The memory
  * answers reads in order, so the order of the commands says whose answer it is.
  *
  * @param depth reads under way, with one to spare for a change of hands
  */
class BackingMerge(c: MemoryBusConfig, depth: Int = 4) extends Component {
  val io = new Bundle {
    val first, second = slave(BackingBus(c))
    val backing = master(BackingBus(c))
  }
  val mine = io.first.cmd.valid
  io.backing.cmd.valid := io.first.cmd.valid || io.second.cmd.valid
  io.backing.cmd.payload := mine ? io.first.cmd.payload | io.second.cmd.payload
  io.first.cmd.ready := io.backing.cmd.ready
  io.second.cmd.ready := io.backing.cmd.ready && !mine

  val owners = Reg(Bits(depth bits)) init 0 // bit 0: whose the next answer is; true: second
  val reads = Reg(UInt(log2Up(depth + 1) bits)) init 0
  val begins = io.backing.cmd.fire && !io.backing.cmd.write
  val left = io.backing.rsp.valid ? (reads - 1) | reads
  val shifted = io.backing.rsp.valid ? (owners |>> 1) | owners
  owners := shifted
  when(begins)(owners(left.resize(log2Up(depth))) := !mine)
  reads := left + begins.asUInt

  io.first.rsp.valid := io.backing.rsp.valid && !owners(0)
  io.second.rsp.valid := io.backing.rsp.valid && owners(0)
  io.first.rsp.payload := io.backing.rsp.payload
  io.second.rsp.payload := io.backing.rsp.payload
}
