// SPDX-License-Identifier: BSD-2-Clause
package mcpi.counters

import mcpi.bus.{BackingBus, MemoryBusConfig, NextEvent}
import mcpi.machine.{CounterTable, Machine}
import mcpi.memory.{CoherentConfig, MemoryEvents, PrivateCacheEvents}
import spinal.core._
import spinal.lib._

/** Commands of the host to the counters, in clocks; each bit is a pulse of one clock. Combined,
  * they act in this order: cleared, then stopped, then armed, then copied.
  */
case class CountersControl() extends Bundle {
  val clear, stop, arm, snapshot = Bool()
}

/** Parameters of the counters.
  *
  * @param iBlocks of the I-cache, in `iWays` ways
  * @param ramAddressWidth RAM is 2 to the power of it, bytes
  * @param codeBytes whose instruction words are watched one by one
  * @param translates addresses are translated, and that is counted
  * @param writeBack the D-cache is a write-back one, and what it costs is counted
  * @param iVictims the I-cache has victims, which are counted; `dVictims`: the D-cache
  * @param coherent the core has a private b-cache among others
  * @param table of the counters
  * @param packed kept in block RAM (`PackedCounters`), as an FPGA likes it; without skipping
  */
case class CountersConfig(
    bus: MemoryBusConfig,
    iBlocks: Int,
    table: CounterTable,
    iWays: Int = 1,
    comparators: Int = 24,
    ramAddressWidth: Int = 26,
    codeBytes: Int = 256 * 1024,
    packed: Boolean = false,
    translates: Boolean = false,
    writeBack: Boolean = false,
    iVictims: Boolean = false,
    dVictims: Boolean = false,
    coherent: Option[CoherentConfig] = None
) {
  val group: Option[Int] = coherent.map(_.groupBlocks)
  def events: CoreEvents = CoreEvents(translates, writeBack, group, iVictims, dVictims)
  def names: Seq[String] = table.names
}

object CountersConfig {
  def apply(m: Machine): CountersConfig = CountersConfig(
    MemoryBusConfig(m.int("cache.block")),
    iBlocks = m.int("icache.size") / m.int("cache.block"),
    table = m.counters,
    iWays = m.int("icache.ways"),
    translates = m.choice("core.translation") != "none",
    writeBack = m.choice("dcache.policy") == "back",
    iVictims = m.int("icache.victims") > 0,
    dVictims = m.int("dcache.victims") > 0,
    coherent = if (m.coherent) Some(CoherentConfig(m)) else None
  )
}

/** The product: two banks of 64-bit counters and the table of windows, cleared, frozen and copied
  * together.
  *
  * Everything is counted two clocks after it happened, when `Windows` knows whether its tick
  * belongs to window 1; counters.md defines every boundary. `ownersError` sticks until
  * cleared: a tick had no owner, or a snapshot's owners did not sum up to its ticks.
  */
class Counters(c: CountersConfig) extends Component {
  val io = new Bundle {
    val tick = in Bool ()
    val skip = in UInt (NextEvent.width bits) // ticks it stands for besides itself, all alike
    val core = in(c.events)
    val iWay = (c.iWays > 1) generate (in UInt (log2Up(c.iWays) bits)) // of what it fetches
    val memory = c.coherent.isEmpty generate in(MemoryEvents(c.writeBack))
    // Events of a coherent core, valid in a tick; and the core's number.
    val cache = c.coherent.isDefined generate in(PrivateCacheEvents(c.coherent.get))
    val place = c.coherent.isDefined generate (in UInt (3 bits))
    val control = in(CountersControl())
    val comparators = in(Comparators(c.comparators, events = c.packed))
    val autosnapshot = in UInt (64 bits) // after so many invocations; 0: never
    val snapshot = slave(SnapshotRead())
    val cells = in Bool () // read the cell `window`, `index` of the table
    val copied = c.coherent.isDefined generate (out Bool ()) // a copy, which the other cores follow
    val copies = c.coherent.isDefined generate (in Bool ()) // core 0's: this one copies too
    val ownersError = out Bool ()
    val invocation, closed = out Bool () // of window 1, two clocks after their tick
    val codeWindow = in UInt (34 bits) // an address in the 256 KB whose words are watched
    val coldStart = in Bool () // with `clear`: window 1 opens, and its end is copied
    val held = in Bool () // the machine does not run: its caches are emptied
    val gated = in Bool () // time is withheld for the host's word: no clock counts
    val idealActive = in Bool () // ideal memory is at work
    val hold = out Bool () // the queue of misses fills up
    val busy = out Bool () // a copy or a clear is not complete
    val backing = master(BackingBus(c.bus))
  }

  val windows = new Windows(c.comparators, events = c.packed)
  windows.io.pc := io.core.issuePc
  windows.io.clear := io.control.clear
  windows.io.comparators := io.comparators
  windows.io.force := io.coldStart
  io.invocation := windows.io.invocation
  io.closed := windows.io.closed

  // The core's events two clocks late, the memory system's (which come a clock late) one.
  val ticked = RegInit(False)
  val seen = c.events
  val counted = RegInit(False)
  val event = Reg(c.events)
  val transaction = c.coherent.isEmpty generate Reg(MemoryEvents(c.writeBack))
  val skipSeen, skipped = Reg(UInt(NextEvent.width bits)) init 0
  val clocked, clockedBefore = RegInit(False) // false until the pipe holds real clocks
  clockedBefore := True
  clocked := clockedBefore
  val gatedBefore = RegNext(io.gated) init False
  val gated = RegNext(gatedBefore) init False
  ticked := io.tick
  windows.io.issued := ticked && seen.owner === Owner.issue
  seen.allowOverride()
  seen := io.core // which tells of the last tick (`CoreEvents`), but for
  seen.issuePc := RegNextWhen(io.core.issuePc, io.tick)
  counted := ticked
  skipSeen := io.skip
  skipped := skipSeen
  when(ticked)(event := seen)
  if (c.coherent.isEmpty) {
    transaction := io.memory
    transaction.access init False
    transaction.dma init False
    transaction.coreBusy init False
    transaction.dmaBusy init False
  }
  if (c.writeBack) transaction.coreWaits init False

  val cache =
    c.coherent.isDefined generate RegNextWhen(RegNextWhen(io.cache, io.tick), ticked)

  val frozen = RegInit(False)
  val counting = !frozen && !io.control.clear
  val inWindow = windows.io.counts

  val banks = new Banks(c.packed, c.table, c.events, c.writeBack, c.coherent)
  banks.io.counts := counting
  banks.io.inWindow := inWindow
  banks.io.paused := windows.io.paused
  banks.io.clear := io.control.clear
  banks.io.clock := clocked && !gated
  banks.io.tick := counted
  banks.io.event := event
  banks.io.skipped := skipped
  if (c.coherent.isDefined) banks.io.cache := cache else banks.io.transaction := transaction
  banks.io.invocation := windows.io.invocation

  val isCold = RegInit(False) // a cold run ends with the window
  val invocations = Reg(UInt(64 bits)) init 0
  val ended = windows.io.closed && isCold
  val reached =
    counting && windows.io.invocation && invocations + 1 === io.autosnapshot
  // The copy contains the work of ideal memory after the marker's tick too, however long it takes.
  val waits = RegInit(False)
  val moved = RegNext(io.idealActive) init False
  val due = ended || reached || waits
  waits := due && moved
  val copyNext = RegInit(False) // a copy one clock on holds the tick of the marker too
  copyNext := io.control.snapshot || due && !moved
  private def copies = if (c.coherent.isDefined) copyNext || io.copies else copyNext
  when(ended)(isCold := False)
  when(io.control.clear)(isCold := io.coldStart)
  when(counting && windows.io.invocation)(invocations := invocations + 1)
  when(io.control.clear)(invocations := 0)

  when(io.control.stop)(frozen := True)
  when(io.control.arm)(frozen := False)

  // Replacement misses come late, in order with copies and clears.
  val residency = new Residency(c.bus, c.ramAddressWidth, c.group.getOrElse(0))
  private val offsetWidth = log2Up(c.bus.blockBytes)
  private def inRam(address: UInt) = address(33 downto c.ramAddressWidth) === 0
  private val misses = Seq( // in the order of Residency.caches
    (counted && event.iMiss, event.iMissAddress),
    (counted && event.dMiss, event.dMissAddress),
    if (c.coherent.isDefined)
      (counted && cache.access && cache.miss, cache.block << c.coherent.get.offsetWidth)
    else (transaction.access && transaction.miss, transaction.address)
  )
  val marks = Bits(3 bits)
  for (((happened, address), i) <- misses.zipWithIndex) {
    marks(i) := happened && inRam(address) && !io.control.clear
    residency.io.entry.block(i) := address(c.ramAddressWidth - 1 downto offsetWidth)
  }
  // Blocks of the b-cache that others took in this tick, with the part that a load under way had
  // read; and the D-cache's part of them, reported in the next tick.
  val losses = c.coherent.map(cc =>
    new Area {
      val taken = counted && cache.taken && !io.control.clear
      val takenBefore = RegNextWhen(cache.taken, counted) init False
      val before = RegNextWhen(cache.order, counted)
      val reported = takenBefore && counted && !io.control.clear
      private val first = (taken ? cache.order | before) << cc.offsetWidth
      residency.io.entry.lostBlock := first(c.ramAddressWidth - 1 downto offsetWidth)
      private val read = cache.overtaken & taken #* cc.groupBlocks
      val dropped = event.coherent.dropped & reported #* cc.groupBlocks
      residency.io.entry.lost := (read | dropped) ## taken
      val any = residency.io.entry.lost.orR
    }
  )
  if (c.coherent.isDefined) residency.io.place := io.place
  residency.io.entry.valid := (if (losses.isDefined) marks.orR || losses.get.any else marks.orR) ||
    copies || io.control.clear
  residency.io.entry.copy := copies
  residency.io.entry.clear := io.control.clear
  residency.io.entry.counts := counting
  residency.io.entry.window := inWindow
  residency.io.entry.missed := marks
  residency.io.backing <> io.backing
  banks.io.replacement << residency.io.replacement
  banks.io.clearReplacements := residency.io.clear

  // Unused fetch slots.
  val slots = new FetchSlots(c.bus.blockBytes, c.iBlocks, c.iWays, c.codeBytes, c.iVictims)
  if (c.iWays > 1) slots.io.way := RegNextWhen(io.iWay, io.tick)
  slots.io.window := io.codeWindow
  slots.io.clear := io.control.clear
  slots.io.held := io.held
  slots.io.read := ticked
  slots.io.pc := seen.issuePc
  slots.io.filling := (if (c.iVictims) seen.iMiss || seen.iVictimHit else seen.iMiss)
  slots.io.filledBlock := (if (c.translates) seen.iMissPc else seen.iMissAddress)
  slots.io.used := counted && event.owner === Owner.issue
  slots.io.filled := counted && event.iMiss
  if (c.iVictims) slots.io.returned := counted && event.iVictimHit
  slots.io.counts := counting
  slots.io.inWindow := inWindow
  banks.io.slots := slots.io.events

  // Every tick once more, by the windows that are open.
  val table = new WindowTable(c.comparators, skips = !c.packed, events = c.packed)
  table.io.comparators := io.comparators
  table.io.entry.valid := counted || copies || io.control.clear
  table.io.entry.copy := copies
  table.io.entry.clear := io.control.clear
  table.io.entry.fired := windows.io.further
  table.io.entry.tick := counted
  table.io.entry.counts := counting
  table.io.entry.path := inWindow
  table.io.entry.owner := event.owner.asBits.asUInt
  if (c.coherent.isDefined) {
    val owners = c.table.owners // bus_wait's cells lie before those of idle
    when(event.owner === Owner.idle)(table.io.entry.owner := owners.indexOf("idle"))
    when(event.coherent.busWait)(table.io.entry.owner := owners.indexOf("bus_wait"))
    io.copied := copyNext
  }
  if (!c.packed) table.io.entry.skipped := skipped
  table.io.read.cell := (io.snapshot.window ## io.snapshot.index).asUInt
  table.io.read.enable := io.snapshot.enable
  val readsCell = RegNextWhen(io.cells, io.snapshot.enable) init False

  val holding = RegNext(slots.io.sweeping) init True
  io.hold := holding || residency.io.hold || table.io.hold

  /** All counters, one bank after the other, in the order of the table. */
  private val counters =
    for (bank <- Seq(banks.everything, banks.path); name <- c.names) yield bank(name)
  private def reads(read: SnapshotRead): Unit = {
    read.index := io.snapshot.index
    read.window := io.snapshot.window
    read.enable := io.snapshot.enable
    io.snapshot.value := readsCell ? table.io.read.value | read.value
  }
  val (copyFails, copying) = if (c.packed) {
    val caused = c.table.ofCauses // the last ones
    val pulses = c.names.dropRight(caused.length)
    def adds(names: Seq[String]) =
      Cat(for (bank <- Seq(banks.everything, banks.path); name <- names) yield bank(name))
    def drive(packed: PackedCounters): Unit = {
      packed.io.clear := io.control.clear
      packed.io.clearLate := residency.io.clear
      packed.io.copy := copies
      packed.io.copyLate := residency.io.copy
    }
    val kept = new PackedCounters(pulses, c.table.late)
    kept.io.adds := adds(pulses)
    drive(kept)
    reads(kept.io.read)
    assert(!io.tick || io.skip === 0, "packed counters can't skip", FAILURE)
    if (caused.isEmpty) (kept.io.failed, kept.io.busy)
    else {
      val levels = caused.filter(_.endsWith(".open")).toSet
      val causes =
        new PackedCounters(caused, Set(), addBits = CoherentCounts.openBits, levels = levels)
      causes.io.adds := adds(caused)
      drive(causes)
      causes.io.read.index := io.snapshot.index - pulses.length
      causes.io.read.window := io.snapshot.window
      causes.io.read.enable := io.snapshot.enable
      when(!readsCell)(io.snapshot.value := kept.io.read.value | causes.io.read.value)
      (kept.io.failed, kept.io.busy || causes.io.busy)
    }
  } else {
    val snapshot = new Snapshot(c.table)
    snapshot.io.all := Vec(counters.take(c.names.length))
    snapshot.io.path := Vec(counters.drop(c.names.length))
    snapshot.io.copy := copies
    snapshot.io.copyReplacements := residency.io.copy
    reads(snapshot.io.read)
    (snapshot.io.failed, False)
  }
  io.busy := slots.io.sweeping || residency.io.busy || table.io.busy || waits || copies || copying

  val ownersError = RegInit(False)
  when(io.control.clear)(ownersError := False)
  when(banks.io.noOwner || copyFails)(ownersError := True)
  io.ownersError := ownersError
}
