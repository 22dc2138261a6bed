// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import mcpi.bus.{EveryClock, MemoryCmd, NextEvent}
import spinal.core._
import spinal.lib._

/** A store for the write buffer. */
case class Store(c: AlphaLiteConfig) extends Bundle {
  val address = UInt(c.bus.addressWidth bits)
  val data = Bits(64 bits) // a clock later, with `dataLong`
  val long = Bool()
}

/** Merging write buffer: entries of one block, sent in the order they were opened.
  *
  * A store merges into an entry of its block unless that is being sent. The oldest entry is sent
  * when `drainAt` entries are in use, after `idleTicks` without a store, or on demand
  * (sources/ev4.md 2.2, 4.1).
  *
  * {{{
  *              head: on the bus, while `sending`      tail: the next to be opened
  *               ▼                                      ▼
  *   entries   │ sent │ candidate │ in use │ in use │  free  │
  *               └─ never merges     └── a store of its block merges: `targets`
  * }}}
  */
class WriteBuffer(val c: AlphaLiteConfig) extends Component {
  private[core] val n = c.writeBufferEntries
  private val offsetBits = log2Up(c.blockBytes)
  private val pointerBits = log2Up(n) max 1
  private val blockBitsRange = (c.bus.addressWidth - 1 downto offsetBits)

  val store = slave(Stream(Store(c))) // ready: merged or given an entry
  val dataLong = in Bool () // `data` is a longword
  val merged = out Bool ()
  val drain = in Bool () // send whatever there is, unless E1 redirects
  val redirected = in Bool () // E1 redirects
  val mayGo = in Bool () // a write that is due goes, if there is no load and no redirection in E1
  val sends = out Bool () // a due write goes out, if `hold` is low: a store never meets `hold`
  val hasEntry = out Bool () // an entry waits to be sent, due or not
  val drainAt = in UInt (3 bits)
  val idleTicks = in UInt (10 bits)
  val on = in Bool () // off: one entry, which never merges and never waits
  val skip = in UInt (NextEvent.width bits)
  val nextEvent = out UInt (NextEvent.width bits)
  val full, empty = out Bool ()
  val crowded = out Bool () // full, and not just being relieved
  val emptyNext = out Bool () // the buffer is empty after this clock
  val cmd = master(Stream(MemoryCmd(c.bus))) // valid: one is due; ready: it goes, due or not
  val done = in Bool () // the write sent last is answered
  val hold, cancel = in Bool () // STx_C's entry, the only one: send it later; drop it
  val lookupHit = out Bool () // an entry has the block of `store.address`
  val entryFreed = out Bool () // an entry is free after this clock
  private[core] val inRegisters = new BufferInRegisters(this).setName("")

  case class Entry() extends Bundle {
    val valid = Bool()
    val block = UInt(c.bus.addressWidth - offsetBits bits)
    val words = Bits(c.blockWords bits) // longwords that hold data
  }

  val entries = Vec.fill(n)(Reg(Entry()))
  entries.foreach(_.valid init False)
  val banks = for (w <- 0 until c.blockWords) yield Mem(Bits(32 bits), 1 << pointerBits)
  banks.zipWithIndex.foreach { case (bank, w) => bank.setName(s"bank$w") }

  private def at(p: UInt): Entry = if (n == 1) entries(0) else entries(p)
  private def following(p: UInt): UInt = (p === n - 1) ? U(0, pointerBits bits) | (p + 1)
  val head, tail = Reg(UInt(pointerBits bits)) init 0
  val count = Reg(UInt(log2Up(n + 1) bits)) init 0
  val sending = RegInit(False) // the head is on the bus
  // Comparisons of the count in registers, because many paths begin with a due write.
  val isFull, isAbove, isAtLeast = RegInit(False) // the last two compare with `drainAt`
  val isEmpty = RegInit(True)
  full := on ? isFull | !isEmpty
  crowded := full && !done
  empty := isEmpty

  val candidate = sending ? following(head) | head // the next entry to send
  val compared = Vec(entries.map(e => e.valid && e.block === store.address(blockBitsRange)))
  lookupHit := compared.orR
  private def isSent(i: Int) = sending && head === i
  private def isNext(i: Int) = candidate === i
  private[core] def mayMerge(i: Int) =
    compared(i) && !isSent(i) && !(inRegisters.sendsOnceRead && isNext(i))
  val targets = Vec.fill(n)(Bool())
  for (i <- 0 until n) targets(i) := inRegisters.taker(i)
  val merge = on && targets.orR
  val open = store.valid && !merge && !full
  store.ready := merge || !full
  merged := store.valid && merge

  val entry = (if (n == 1) U(0, pointerBits bits) else merge ? OHToUInt(targets) | tail)
  val low = !(store.long && store.address(2))
  val high = !store.long || store.address(2)
  val words = Bits(c.blockWords bits)
  for (w <- 0 until c.blockWords)
    words(w) := store.address(offsetBits - 1 downto 3) === w / 2 &&
      (if (w % 2 == 0) low else high)

  private[core] val clockEnabled = EveryClock.clockEnabled
  val writes = EveryClock(RegNext(words & (store.fire && clockEnabled) #* c.blockWords))
  val place = EveryClock(RegNext(entry))
  val half = dataLong ? store.data(31 downto 0) | store.data(63 downto 32)
  for ((bank, w) <- banks.zipWithIndex) {
    val data = if (w % 2 == 0) store.data(31 downto 0) else half
    EveryClock(bank.write(place, data, writes(w)))
  }

  // Sending.
  val waiting = count > sending.asUInt
  val idle = Reg(UInt(10 bits)) init 0 // ticks since the last store
  val idleNext = CombInit(idle)
  when(idle =/= idle.maxValue) {
    idleNext := idle + 1 + skip.resized // with nothing to send it may wrap: a store clears it
  }
  idle := store.fire ? U(0, 10 bits) | idleNext
  val rested = RegNext(store.fire ? (idleTicks === 0) | (idleNext >= idleTicks)) init False
  // The entry whose write is answered is free.
  val crowds = done ? isAbove | isAtLeast
  val dueAnyway = crowds || rested || !on
  private val isRead = !inRegisters.stale
  hasEntry := waiting && !hold && isRead
  val isDue = waiting && (drain || dueAnyway)
  sends := mayGo && isDue && isRead
  cmd.valid := hasEntry && ((drain && !redirected) || dueAnyway)
  assert(!store.valid || sends === cmd.ready, "a store meets a load or a redirection", FAILURE)
  nextEvent := waiting ? NextEvent.in(idleTicks - idle) | NextEvent.never
  when(sending || cmd.valid || hold) { nextEvent := NextEvent.now }
  cmd.kind := mcpi.bus.MemoryKind.write
  if (c.writeBack) cmd.dirty := False
  cmd.address := at(candidate).block @@ U(0, offsetBits bits)
  private[core] def block(read: Mem[Bits] => Bits) = Cat(banks.map(read))
  cmd.data := block(inRegisters.read)
  inRegisters.end()
  val held = at(candidate).words
  for (w <- 0 until c.blockWords) cmd.mask(4 * w, 4 bits) := held(w) #* 4

  when(done || cancel) {
    sending := False
    at(head).valid := False
    head := following(head)
  }
  when(cmd.ready) { sending := True }
  entryFreed := done || cancel
  private def next(what: UInt => Bool) =
    open.mux(
      True -> (entryFreed ? what(count) | what(count + 1)),
      False -> (entryFreed ? what(count - 1) | what(count))
    )
  count := count + open.asUInt - entryFreed.asUInt
  emptyNext := next(_ === 0)
  isEmpty := emptyNext
  isFull := next(_ === n)
  isAbove := next(_ > drainAt)
  isAtLeast := next(_ >= drainAt)
  when(store.fire) {
    val e = at(entry)
    when(open) {
      e.valid := True
      e.block := store.address(blockBitsRange)
      e.words := words
      tail := following(tail)
    } otherwise { e.words := e.words | words }
  }
}
