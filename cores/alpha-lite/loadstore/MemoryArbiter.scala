// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import mcpi.bus.{MemoryBus, MemoryCmd, MemoryKind}
import spinal.core._
import spinal.lib._

/** One transaction at a time: load, then demand fetch, then prefetch, then write, except that a
  * write goes first when the buffer is full or a load waits for it (facts/ev4.md 4.1).
  */
class MemoryArbiter(c: AlphaLiteConfig) extends Component {
  val fetch = slave(FetchPort(c))
  val load = slave(Stream(UInt(c.bus.addressWidth bits)))
  val loadDone = out Bool ()
  val write = slave(Stream(MemoryCmd(c.bus)))
  val writeDone = out Bool ()
  val writeFirst = in Bool ()
  val moves = in Bool () // a clock in which the bus moves
  val memory = master(MemoryBus(c.bus))

  val busy = RegInit(False)
  val kind = Reg(MemoryKind()) // of the transaction on the bus
  val rsp = memory.rsp.valid && moves && busy
  loadDone := rsp && kind === MemoryKind.load
  writeDone := rsp && kind === MemoryKind.write
  fetch.demandRsp.valid := rsp && kind === MemoryKind.fetch
  fetch.prefetchRsp.valid := rsp && kind === MemoryKind.prefetch
  fetch.demandRsp.payload := memory.rsp.payload
  fetch.prefetchRsp.payload := memory.rsp.payload

  val free = !busy || rsp
  val grantWrite = write.valid &&
    (writeFirst || !(load.valid || fetch.demand.valid || fetch.prefetch.valid))
  val grantLoad = load.valid && !grantWrite
  val grantDemand = fetch.demand.valid && !grantWrite && !load.valid
  val grantPrefetch =
    fetch.prefetch.valid && !grantWrite && !load.valid && !fetch.demand.valid
  val go = free && memory.cmd.ready && moves
  load.ready := go && grantLoad
  fetch.demand.ready := go && grantDemand
  fetch.prefetch.ready := go && grantPrefetch
  write.ready := go && grantWrite

  memory.cmd.valid := free && (load.valid || fetch.demand.valid || fetch.prefetch.valid ||
    write.valid)
  memory.cmd.payload := write.payload
  when(!grantWrite) {
    memory.cmd.kind := grantLoad ? MemoryKind.load |
      (grantDemand ? MemoryKind.fetch | MemoryKind.prefetch)
    memory.cmd.address := grantLoad ? load.payload |
      (grantDemand ? fetch.demand.payload | fetch.prefetch.payload)
  }
  when(rsp) { busy := False }
  when(memory.cmd.valid && go) {
    busy := True
    kind := memory.cmd.kind
  }
}
