// SPDX-License-Identifier: BSD-2-Clause
package mcpi.bus

import spinal.core._
import spinal.lib._

/** Below the b-cache tags: real RAM with any latency, in clocks and not in ticks. Simulation
  * answers it from C++, a board from SDRAM or block RAM. Reads are answered in order, with the
  * bytes of their mask at least; writes are not. The upper half of the addresses is the residency
  * table (memory.md), one byte per block of RAM.
  */
case class BackingCmd(c: MemoryBusConfig) extends Bundle {
  val write = Bool()
  val address = UInt(27 bits)
  val data = Bits(c.blockBits bits)
  val mask = Bits(c.blockBytes bits)
}

case class BackingBus(c: MemoryBusConfig) extends Bundle with IMasterSlave {
  val cmd = Stream(BackingCmd(c))
  val rsp = Flow(Bits(c.blockBits bits))
  override def asMaster(): Unit = { master(cmd); slave(rsp) }
}
