// SPDX-License-Identifier: BSD-2-Clause
package mcpi.memory

import mcpi.bus.MemoryBusConfig
import spinal.core._
import spinal.lib._

/** A board's block RAM, a block a clock; read data comes two clocks after its command, out of a
  * register, since a block RAM read alone takes 5.6 ns on speed 6.
  */
class BlockRam(c: MemoryBusConfig, blocks: Int) extends Component {
  val io = new Bundle {
    val bus = slave(BlockBus(c, log2Up(blocks)))
  }
  val bytes = Mem(Bits(c.blockBits bits), blocks)
  private val fires = io.bus.cmd.valid
  private val address = io.bus.cmd.block
  io.bus.cmd.ready := True
  bytes.write(address, io.bus.cmd.data, fires && io.bus.cmd.write, io.bus.cmd.mask)
  val read = bytes.readSync(address, fires && !io.bus.cmd.write)
  val readPending = RegNext(fires && !io.bus.cmd.write) init False
  val data = RegNext(read)
  io.bus.rsp.valid := RegNext(readPending) init False
  io.bus.rsp.payload := data
}
