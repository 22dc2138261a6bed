// SPDX-License-Identifier: BSD-2-Clause
package mcpi.bus

import spinal.core._
import spinal.lib._

/** Purpose of a memory transaction of the core; it decides priority and counting. */
object MemoryKind extends SpinalEnum {
  val fetch, prefetch, load, write = newElement()
  def named(name: String): E =
    Map("fetch" -> fetch, "prefetch" -> prefetch, "load" -> load, "write" -> write)(name)
}

/** Block transactions between the core's caches and the memory system.
  *
  * @param blockBytes cache block, 16 to 128 bytes
  * @param addressWidth physical address bits
  * @param writeBack the D-cache keeps what is stored (docs/explanation/memory.md): there are
  *   `dirty`, `store` and `wants`
  */
case class MemoryBusConfig(
    blockBytes: Int,
    addressWidth: Int = 34,
    writeBack: Boolean = false
) {
  require(isPow2(blockBytes) && blockBytes >= 16 && blockBytes <= 128)
  def blockBits: Int = 8 * blockBytes
}

/** Command for a block: `address` is its first byte; `data` and `mask` (one bit a byte) matter for
  * writes.
  */
case class MemoryCmd(c: MemoryBusConfig) extends Bundle {
  val kind = MemoryKind()
  val address = UInt(c.addressWidth bits)
  val data = Bits(c.blockBits bits)
  val mask = Bits(c.blockBytes bits)
  val dirty = c.writeBack generate Bool() // a load whose victim is dirty
}

/** A store of the core, which is in memory at once and takes no time. */
case class MemoryStore(c: MemoryBusConfig) extends Bundle {
  val address = UInt(c.addressWidth bits)
  val data = Bits(64 bits)
  val long = Bool() // a longword, in the lower half of `data`
}

/** The whole block, in the one tick it is due. Writes are answered too, when the bus is free again.
  * `error`: no RAM at that address.
  */
case class MemoryRsp(c: MemoryBusConfig) extends Bundle {
  val data = Bits(c.blockBits bits)
  val error = Bool()
}

/** Bus with one transaction at a time: after `cmd.fire` no other until `rsp.fire`.
  *
  * Both move only in a tick. `invalidate` (memory to core) names a block that DMA has written: the
  * D-cache drops it in the same tick.
  */
case class MemoryBus(c: MemoryBusConfig) extends Bundle with IMasterSlave {
  val cmd = Stream(MemoryCmd(c))
  val rsp = Flow(MemoryRsp(c))
  val invalidate = Flow(UInt(c.addressWidth bits))
  val store = c.writeBack generate Flow(MemoryStore(c)) // in ticks
  val wants = c.writeBack generate Bool() // the bus, for a load or a fetch that something waits for

  override def asMaster(): Unit = {
    master(cmd)
    slave(rsp, invalidate)
    if (c.writeBack) {
      master(store)
      out(wants)
    }
  }
}
