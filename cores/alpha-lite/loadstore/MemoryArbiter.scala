// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import mcpi.bus.{MemoryBus, MemoryCmd, MemoryKind, MemoryStore}
import spinal.core._
import spinal.lib._

/** Arbiter of one transaction at a time: load, then demand fetch, then prefetch, then write, except
  * that a write goes first when the buffer is full or a load waits for it (ev4.md 4.1). It moves as
  * its registers' clock does: in ticks, with ideal memory in clocks.
  *
  * {{{
  *   crowded: write ──► load ──► demand ──► prefetch ──► write that is due
  *              │  a load whose block is in the buffer: its write first
  *              ▼
  *   granted ──► memory.cmd ──► busy, kind ──► memory.rsp ──► whose it is
  * }}}
  */
class MemoryArbiter(c: AlphaLiteConfig) extends Component {
  val fetch = slave(FetchPort(c))
  val loadAddress = in UInt (c.bus.addressWidth bits)
  val loadWaits = in Bool () // a load missed before and has not been sent
  val missed = in Bool () // or the one in E1 misses
  val loadBuffered = in Bool () // its block is in the write buffer, which goes first
  val loadGoes = out Bool ()
  val loadDone = out Bool ()
  val write = slave(Stream(MemoryCmd(c.bus))) // valid: it is due; ready: it goes, due or not
  val hasWrite = in Bool () // it can go, due or not
  val mayWrite = out Bool () // a write that is due goes, if no load and no redirection is in E1
  val crowded = in Bool () // the buffer is full: a write goes first
  val writeDone = out Bool ()
  val mayGo = out Bool () // nothing of this core is on the bus, or ends
  val dirty = c.writeBack generate (in Bool ()) // a load's victim
  val store = c.writeBack generate slave(Flow(MemoryStore(c.bus)))
  val memory = master(MemoryBus(c.bus))

  val busy = RegInit(False)
  val kind = Reg(MemoryKind()) // of the transaction on the bus
  private val rsp = memory.rsp.valid
  assert(!rsp || busy, "an answer that nobody has asked for", FAILURE)
  loadDone := rsp && kind === MemoryKind.load
  writeDone := rsp && kind === MemoryKind.write
  fetch.demandRsp.valid := rsp && kind === MemoryKind.fetch
  fetch.prefetchRsp.valid := rsp && kind === MemoryKind.prefetch
  fetch.demandRsp.payload := memory.rsp.payload
  fetch.prefetchRsp.payload := memory.rsp.payload

  val free = !busy || rsp
  mayGo := free
  val go = free && memory.cmd.ready
  private case class Grant() extends Bundle {
    val write, load, demand, prefetch = Bool()
  }
  private def grantIf(loadWants: Bool): Grant = {
    val first = loadWants && loadBuffered
    val load = loadWants && !loadBuffered
    val others = fetch.demand.valid || fetch.prefetch.valid
    val grant = Grant()
    // A grant does not depend on a write that it would wait for in vain.
    val urgent = write.valid && crowded
    val loadFirst = hasWrite && first
    grant.write := urgent || loadFirst || (write.valid && !(load || others))
    grant.load := load && !urgent
    grant.demand := fetch.demand.valid && !load && !urgent && !loadFirst
    grant.prefetch := fetch.prefetch.valid && !fetch.demand.valid && !load && !urgent && !loadFirst
    grant
  }
  val granted = grantIf(loadWaits || missed).asBits
  private val grant = Grant()
  grant.assignFromBits(granted)
  mayWrite := go && (crowded || !(fetch.demandDue || fetch.prefetch.valid))
  loadGoes := go && grant.load
  fetch.demand.ready := go && grant.demand
  fetch.prefetch.ready := go && grant.prefetch
  write.ready := go && grant.write

  memory.cmd.valid := free && granted.orR
  memory.cmd.payload.allowOverride()
  memory.cmd.payload := write.payload
  private def gated(select: Bool, word: UInt) = word & U((select #* widthOf(word)).asBits)
  memory.cmd.address := gated(grant.write, write.address) | gated(grant.load, loadAddress) |
    gated(grant.demand, fetch.demand.payload) | gated(grant.prefetch, fetch.prefetch.payload)
  when(grant.load) { memory.cmd.kind := MemoryKind.load }
  when(grant.demand) { memory.cmd.kind := MemoryKind.fetch }
  when(grant.prefetch) { memory.cmd.kind := MemoryKind.prefetch }
  if (c.writeBack) {
    memory.cmd.dirty := grant.load && dirty
    memory.wants := loadWaits || missed || fetch.demand.valid
    memory.store << store
  }
  when(rsp) { busy := False }
  when(memory.cmd.valid && memory.cmd.ready) {
    busy := True
    kind := memory.cmd.kind
  }
}
