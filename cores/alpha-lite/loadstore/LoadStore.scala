// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import mcpi.bus.{IoBus, LockPort, MemoryBus, MemoryKind, NextEvent}
import spinal.core._
import spinal.lib._

/** A load or store in stage E1. */
case class MemoryAccess() extends Bundle {
  val store = Bool()
  val address = UInt(34 bits) // physical
  val data = Bits(64 bits)
  val long = Bool()
  val locked = Bool()
  val register = UInt(5 bits) // of a load's result
  val slot = UInt(10 bits)
}

case class LateLoad() extends Bundle {
  val register = UInt(5 bits)
  val value = Bits(64 bits)
  val slot = UInt(10 bits)
}

/** Loads and stores: hits are known in E1; whatever cannot end there becomes the one pending
  * access (a load miss, an I/O access, a store that found the buffer full).
  *
  * With a write-back D-cache a store that misses is filled as a load is, and every store goes to
  * memory at once, outside virtual time; the write buffer is STx_C's alone.
  */
class LoadStore(val c: AlphaLiteConfig) extends Component {
  val tick, ideal = in Bool ()
  val skip = in UInt (NextEvent.width bits)
  val nextEvent = out UInt (NextEvent.width bits)
  val access = slave(Flow(MemoryAccess())) // in ticks; never while `busy`
  val next = in UInt (34 bits) // D: the address of the access that comes into E1, if one does
  val breakLock = in Bool () // trap, interrupt, HW_REI
  val attempt = in Bool () // E1 has an access, or had: it was killed, and nothing is in D then
  val loads, stores = in Bool () // the attempted access is a load; a store

  // For E1 and D, in the same tick.
  val missed = out Bool () // a load in E1 misses; comes last of all
  val fills = out Bool () // an earlier load has missed
  val fillEnds = out Bool () // the fill ends in this tick; comes late
  val filling = out Bool () // the fill does not end in this tick
  val undrained = out Bool () // MB waits for a store
  val late = out Bool () // the load in E1 gets its value by `lateLoad`
  val uncached = out Bool ()
  val blocksAll = out Bool () // no access may issue: I/O, or a store that waits
  val blockedByIo, blockedByLock = out Bool ()
  val drain = in Bool () // MB waits, or will, unless E1 redirects
  val redirected = in Bool () // E1 redirects

  val loaded = out Bits (64 bits) // stage E2: the quadword of a hit
  val lateLoad = master(Flow(LateLoad()))
  val places = out Bool () // `lateLoad.payload` counts, in no tick
  // D or the fetch unit changes its wish; ideal memory works in this clock, which is no tick.
  val busMayTurn, idealClock = in Bool ()
  val error = out Bool () // this access ended in an error

  val memory = master(MemoryBus(c.bus))
  val shared = c.isCoherent generate master(LockPort())
  val io = master(IoBus())
  val fetch = slave(FetchPort(c))
  val drainAt = in UInt (3 bits)
  val idleTicks = in UInt (10 bits)
  val cacheOn, bufferOn = in Bool () // off: no block is kept; one store is kept and sent at once
  val hold = out Bool ()
  val idealActive = out Bool () // ideal memory has an access under way, while `hold` is high
  val loadEvent, missEvent, storeEvent, mergeEvent = out Bool ()
  val missAddress = out UInt (c.bus.addressWidth bits) // with missEvent
  val storeMissEvent = c.writeBack generate (out Bool ())
  val victimEvent = c.hasDVictims generate (out Bool ())
  val flush = in Bool () // drop the D-cache, in ticks
  val linkedEvent, decidedEvent, failedEvent = c.isCoherent generate (out Bool ())
  val bufferedEvent = c.isCoherent generate (out Bool ()) // a store gets an entry of the buffer
  val droppedEvent = c.isCoherent generate (out Bits (c.dropBlocks bits))

  private val offsetBits = log2Up(c.blockBytes)
  private def blockAddress(a: UInt) =
    a(c.bus.addressWidth - 1 downto offsetBits) @@ U(0, offsetBits bits)

  val cache: DataCache =
    if (c.hasDVictims) new DCacheWithVictims(c)
    else if (c.dWays > 1) new DCacheOfWays(c)
    else new DCache(c)
  private[core] val victims = cache match {
    case it: DCacheWithVictims => Some(it)
    case _ => None
  }
  val buffer = new WriteBuffer(c)
  val arbiter = new MemoryArbiter(c)
  arbiter.memory <> memory
  arbiter.fetch <> fetch
  buffer.drainAt := drainAt
  buffer.idleTicks := idleTicks
  buffer.on := bufferOn
  buffer.skip := skip
  buffer.done := arbiter.writeDone
  arbiter.write << buffer.cmd

  object Wait extends SpinalEnum(binarySequential) {
    val none, fill, io, store, conditional, verdict = newElement()
  }
  val pending = Reg(Wait()) init Wait.none
  val job = Reg(MemoryAccess())
  val sent = RegInit(False) // its request is on a bus

  private val timing = new AccessInRegisters(this).setName("")
  val now = timing.now
  val physical = access.address
  uncached := physical(33 downto 32) =/= 0
  val isLoad = timing.isLoad
  val isConditional = timing.isConditional
  val isStore = timing.isStore
  // Accesses that want a block of the D-cache, and those that want an entry of the write buffer.
  private[core] def wantsBlock = if (c.writeBack) isLoad || isStore else isLoad
  private[core] def buffered = if (c.writeBack) False else isStore

  // E1: the cache.
  cache.next := next
  cache.tick := tick
  cache.address := physical
  cache match {
    case ways: DCacheOfWays => ways.used := isLoad || isStore
    case _ =>
  }
  val miss = timing.misses
  val storeHit = isStore && timing.hits
  // A load whose block is a victim does not ask for the bus: the block comes back by itself.
  private[core] def asksBus = victims.fold(miss)(miss && !_.takes)
  private[core] def fillDone = victims.fold(arbiter.loadDone)(arbiter.loadDone || _.back.valid)
  victims.foreach { it =>
    it.loadMisses := miss
    it.stores := isStore && !timing.hits
    it.stored.of(physical, access.long, access.data)
    it.keeps := !ideal
    it.fillNext := access.valid ? physical | job.address
  }
  // A register waits for a load's block alone.
  private def ofLoad(block: Bool, by: MemoryAccess) = if (c.writeBack) block && !by.store else block
  late := ofLoad(miss && !ideal, access.payload) ||
    (access.valid && ((uncached && !access.store) || (access.store && access.locked)))

  // E1: the write buffer; a store that finds it full comes back as the pending access.
  val retrying = pending === Wait.store
  val conditional = pending === Wait.conditional
  val locks = new Locks(c)
  val again = retrying || conditional // nothing is in E1 then
  buffer.store.valid := buffered || (retrying && tick) || locks.store
  // This is a bit of its own: nothing that wants the bus or the buffer is in E1 then.
  val held = RegNext(pending.getAheadValue() =/= Wait.none) init False
  val wanted = held ? job.address | physical
  buffer.store.address := wanted
  buffer.store.long := again ? job.long | access.long
  timing.write()
  val refused = buffered && !buffer.store.ready

  // The bus.
  val waiting = pending === Wait.fill
  arbiter.missed := timing.asksBus
  arbiter.loadWaits := waiting && !sent
  arbiter.loadBuffered := timing.isBuffered
  arbiter.loadAddress := blockAddress(wanted)
  arbiter.crowded := buffer.crowded
  buffer.drain := drain || pending === Wait.io || conditional || ideal
  buffer.redirected := redirected
  arbiter.hasWrite := buffer.hasEntry
  buffer.mayGo := arbiter.mayWrite

  io.cmd.valid := pending === Wait.io && !sent && buffer.empty
  io.cmd.address := job.address
  io.cmd.write := job.store
  io.cmd.quad := !job.long
  io.cmd.data := job.data
  val ioAnswers = pending === Wait.io && sent && io.rsp.valid
  val ioDone = ioAnswers && tick

  when(now) {
    job := access.payload
    when(refused) { pending := Wait.store }
    when(miss) { pending := Wait.fill }
    when(uncached) { pending := Wait.io }
    when(isConditional) { pending := Wait.conditional }
  }
  when(arbiter.loadGoes || (io.cmd.fire && tick)) { sent := True }
  victims.foreach(it => when(it.takes) { sent := True })
  when(fillDone || ioDone) { sent := False; pending := Wait.none }
  when(retrying && buffer.store.fire) { pending := Wait.none }
  when(locks.decided) { pending := locks.toIo ? Wait.io | Wait.verdict }
  // STx_C's result must not overtake older results on their way to the register file.
  val verdictRipe = RegInit(False)
  when(tick) { verdictRipe := pending === Wait.verdict && !verdictRipe }
  val verdictDone = verdictRipe && tick
  when(verdictDone) { pending := Wait.none }

  // Completion.
  private val keepsBlock = if (c.isCoherent) cacheOn && !shared.lost else cacheOn
  private def loadAnswered = arbiter.loadDone && !memory.rsp.error
  private def block =
    victims.fold(memory.rsp.data)(it => it.back.valid ? it.back.payload | memory.rsp.data)
  cache.fill.valid := victims.fold(loadAnswered)(loadAnswered || _.back.valid) && keepsBlock
  cache.fill.payload := block
  cache.fillAddress := job.address
  // A coherent core's stands before its tick, as every answer: the private cache looks at the flag
  // that it leaves, and says whether it takes a command.
  val dmaWrote = if (c.isCoherent) memory.invalidate.valid else memory.invalidate.valid && tick
  val dropLater = RegInit(False) // STx_C's own block, if DMA's is dropped in that tick
  when(locks.wrote && dmaWrote) { dropLater := True } elsewhen (!dmaWrote) { dropLater := False }
  cache.invalidate.valid := dmaWrote || locks.wrote || dropLater
  cache.invalidate.payload := dmaWrote ? memory.invalidate.payload |
    job.address
  if (c.isCoherent) cache.whole := dmaWrote // STx_C drops its own block alone, not the b-cache's
  // One-hot, so that the block, which comes last, meets one gate.
  val jobQuad = Reg(Bits(c.blockWords / 2 bits))
  when(now) { jobQuad := UIntToOh(physical(offsetBits - 1 downto 3), c.blockWords / 2) }
  val fillQuad = block
    .subdivideIn(64 bits)
    .zipWithIndex
    .map { case (quad, n) => quad & (jobQuad(n) #* 64) }
    .reduceBalancedTree(_ | _)
  val fillLong = job.address(2) ? fillQuad(63 downto 32) | fillQuad(31 downto 0)
  val isIo = pending === Wait.io
  val long = isIo ? io.rsp.data(31 downto 0) | fillLong
  private[core] def valueComes(io: Bool, verdict: Bool) =
    ofLoad(fillDone && !ideal, job) || (io && (!job.store || job.locked)) || verdict
  val lateValue = new LateValue(this).setName("")
  lateLoad.valid := lateValue.comes
  lateLoad.register := job.register
  lateLoad.slot := job.slot
  lateLoad.value := job.long ? long.asSInt.resize(64).asBits | (isIo ? io.rsp.data | fillQuad)
  when(job.store) { lateLoad.value := locks.succeeded.asBits.resized }
  val failing = ((arbiter.loadDone || arbiter.writeDone) && memory.rsp.error) ||
    (ioDone && io.rsp.error)
  val failed = RegInit(False) // with ideal memory an answer comes between two ticks
  when(tick) { failed := False } elsewhen (failing) { failed := True }
  error := failing || failed

  // E2: the quadword, or with ideal memory the one that was filled while time stood still.
  val filled = RegInit(False)
  val filledQuad = Reg(Bits(64 bits))
  when(tick) { filled := False }
  when(arbiter.loadDone && ideal) {
    filled := True
    filledQuad := fillQuad
  }
  loaded := filled ? filledQuad | cache.quad

  locks.load := now && access.locked && !access.store
  locks.conditional := isConditional
  locks.address := physical
  locks.break := breakLock && tick
  locks.dma.valid := dmaWrote
  locks.dma.payload := memory.invalidate.payload
  locks.byKind((), locks.early.ends := memory.invalidate.valid && !ideal)
  locks.waiting := conditional
  locks.job := job.address
  locks.tick := tick
  locks.bufferEmpty := buffer.empty
  locks.sent := buffer.sends && !locks.holdWrite
  buffer.hold := locks.holdWrite
  buffer.cancel := locks.cancel

  // For D, which looks at them in ticks: whether this clock is one is known late. Behind what was
  // killed D is void, so that it was killed is not asked.
  private def inE1(what: Bool) = attempt && what
  blockedByIo := inE1(uncached) ||
    (isIo && !lateValue.ioAnswered)
  blockedByLock := inE1(access.store && access.locked) || conditional ||
    (pending === Wait.verdict && !verdictRipe)
  private val mayBeRefused =
    if (c.writeBack) False else inE1(!uncached && access.store && !access.locked)
  blocksAll := blockedByIo || blockedByLock || retrying || mayBeRefused && !timing.isTaken
  missed := timing.missesForD
  fills := waiting
  fillEnds := lateValue.fillEnds
  filling := fills && !fillEnds
  undrained := mayBeRefused || !buffer.empty

  val holding = RegInit(False)
  timing.end()
  val fillStays = (miss || waiting) && !fillDone
  holding := ideal && (fillStays || !buffer.emptyNext)
  idealActive := holding
  nextEvent := NextEvent.first(
    NextEvent.when(access.valid || pending =/= Wait.none || holding),
    buffer.nextEvent
  )

  // With ideal memory STx_C stores between two ticks, of which the second tells it.
  val wroteBetween = RegInit(False)
  when(tick) { wroteBetween := False } elsewhen (locks.wrote) { wroteBetween := True }

  if (c.writeBack) {
    cache.victim := wanted
    cache.fillStored := job.store
    arbiter.dirty := cache.victimDirty
    arbiter.store.valid := isStore
    arbiter.store.address := physical
    arbiter.store.data := access.data
    arbiter.store.long := access.long
    storeMissEvent := miss && access.store
  }

  if (c.isCoherent) {
    // The buffer has STx_C's entry alone.
    shared.conditional := memory.cmd.kind === MemoryKind.write && locks.isEntered
    shared.flag := locks.holds
    locks.verdict << shared.decided
    linkedEvent := locks.load
    bufferedEvent := buffer.store.fire && !locks.store
    decidedEvent := locks.decided
    failedEvent := !(locks.toIo || locks.wrote)
    droppedEvent := cache.dropped
  }

  loadEvent := wantsBlock
  missEvent := asksBus
  victims.foreach(it => victimEvent := it.takes)
  missAddress := physical
  cache.flush := flush && tick
  storeEvent := buffered || locks.wrote || wroteBetween
  mergeEvent := buffer.merged && buffer.store.fire
}
