// SPDX-License-Identifier: BSD-2-Clause
package mcpi.counters

import mcpi.bus.{BackingBus, MemoryBusConfig, MemoryKind, NextEvent}
import mcpi.machine.Machine
import mcpi.memory.MemoryEvents
import spinal.core._
import spinal.lib._

/** What the host tells the counters, in clocks; each bit is a pulse of one clock. Combined, they
  * act in this order: cleared, then stopped, then armed, then copied.
  */
case class CountersControl() extends Bundle {
  val clear, stop, arm, snapshot = Bool()
}

/** Reads the snapshot: counter `index` of a bank (false: everything, true: window 1); the value is
  * there one clock later.
  */
case class SnapshotRead() extends Bundle with IMasterSlave {
  val index = UInt(8 bits)
  val window = Bool()
  val enable = Bool()
  val value = UInt(64 bits)
  override def asMaster(): Unit = { out(index, window, enable); in(value) }
}

/** What shapes the counters.
  *
  * @param iSets of the I-cache
  * @param ramAddressWidth RAM is 2 to the power of it, bytes
  * @param codeBytes whose instruction words are watched one by one
  */
case class CountersConfig(
    bus: MemoryBusConfig,
    iSets: Int,
    comparators: Int = 16,
    ramAddressWidth: Int = 26,
    codeBytes: Int = 256 * 1024
)

object CountersConfig {
  def apply(m: Machine): CountersConfig = CountersConfig(
    MemoryBusConfig(m.int("cache.block")),
    iSets = m.int("icache.size") / m.int("cache.block")
  )
}

/** The product: two banks of 64-bit counters, cleared, frozen and copied together.
  *
  * Everything is counted two clocks after it happened, when `Windows` knows whether its tick
  * belongs to window 1; docs/counters.md defines every boundary. `ownersError` sticks until
  * cleared: a tick had no owner, or a snapshot's owners did not sum up to its ticks.
  */
class Counters(c: CountersConfig) extends Component {
  val io = new Bundle {
    val tick = in Bool ()
    val skip = in UInt (NextEvent.width bits) // ticks it stands for beside itself, all alike
    val core = in(CoreEvents())
    val memory = in(MemoryEvents())
    val control = in(CountersControl())
    val comparators = in(Vec(Comparator(), c.comparators))
    val autosnapshot = in UInt (64 bits) // after so many invocations; 0: never
    val snapshot = slave(SnapshotRead())
    val ownersError = out Bool ()
    val codeWindow = in UInt (34 bits) // an address in the 256 KB whose words are watched
    val coldStart = in Bool () // with `clear`: window 1 opens, and its end is copied
    val gated = in Bool () // time is withheld for the host's word: no clock counts
    val hold = out Bool () // the queue of misses fills up
    val busy = out Bool () // a copy or a clear is not complete
    val backing = master(BackingBus(c.bus))
  }

  val windows = new Windows(c.comparators)
  windows.io.issue := io.tick && io.core.owner === Owner.issue
  windows.io.pc := io.core.issuePc
  windows.io.clear := io.control.clear
  windows.io.comparators := io.comparators
  windows.io.force := io.coldStart

  // The core's events two clocks late, the memory system's (which come a clock late) one.
  val ticked = RegInit(False)
  val seen = Reg(CoreEvents())
  val counted = RegInit(False)
  val event = Reg(CoreEvents())
  val transaction = Reg(MemoryEvents())
  val skipSeen, skipped = Reg(UInt(NextEvent.width bits)) init 0
  val clocked, clockedBefore = RegInit(False) // false until the pipe holds real clocks
  clockedBefore := True
  clocked := clockedBefore
  val gatedBefore = RegNext(io.gated) init False
  val gated = RegNext(gatedBefore) init False
  ticked := io.tick
  when(io.tick)(seen := io.core)
  counted := ticked
  skipSeen := io.skip
  skipped := skipSeen
  when(ticked)(event := seen)
  transaction := io.memory
  transaction.access init False
  transaction.dma init False
  transaction.coreBusy init False
  transaction.dmaBusy init False

  private def bank(prefix: String): Map[String, UInt] = CounterNames.all.map { name =>
    val register = Reg(UInt(64 bits)) init 0
    name -> register.setName(s"${prefix}_${name.replace('.', '_')}")
  }.toMap
  private val prompt = CounterNames.all.filterNot(CounterNames.replacements.contains)
  val everything = bank("all")
  val window = bank("path")
  val frozen = RegInit(False)
  val counting = !frozen && !io.control.clear
  val inWindow = windows.io.counts

  private def count(name: String): Unit = add(name, U(0, 1 bit))

  /** One, and one for each tick left out. */
  private def countTicks(name: String): Unit = add(name, skipped)
  private def add(name: String, more: UInt): Unit = {
    everything(name) := everything(name) + 1 + more
    when(inWindow)(window(name) := window(name) + 1 + more)
  }

  val noOwner = False
  when(counting && clocked && !gated) {
    when(counted)(countTicks("clocks")) otherwise {
      count("clocks")
      count("withheld")
    }
  }
  when(counting && counted) {
    countTicks("ticks")
    switch(event.owner) {
      for (owner <- Owner.elements) is(owner) {
        if (owner == Owner.idle) countTicks(CounterNames.owners(owner.position))
        else count(CounterNames.owners(owner.position))
        if (owner == Owner.issue) count("instructions")
      }
    }
    when(event.owner.asBits.asUInt >= Owner.elements.length)(noOwner := True)
    for (
      (name, happened) <- Seq(
        "icache.accesses" -> event.iAccess,
        "icache.misses" -> event.iMiss,
        "icache.stream_hits" -> event.iStreamHit,
        "dcache.accesses" -> event.dAccess,
        "dcache.misses" -> event.dMiss,
        "write_buffer.accesses" -> event.writeAccess,
        "write_buffer.merges" -> event.writeMerge,
        "taken_branches" -> event.takenBranch,
        "mispredicts" -> event.mispredict
      )
    ) when(happened)(count(name))
    when(event.palMode)(countTicks("pal_ticks"))
  }
  when(counting && transaction.access) {
    count("bcache.accesses")
    when(transaction.miss)(count("bcache.misses"))
    switch(transaction.kind) {
      is(MemoryKind.fetch)(count("bcache.fetches"))
      is(MemoryKind.prefetch)(count("bcache.prefetches"))
      is(MemoryKind.load)(count("bcache.loads"))
      is(MemoryKind.write) {
        count("bcache.writes")
        count("write_buffer.writes")
      }
    }
  }
  when(counting && transaction.dma)(count("bcache.dma"))
  when(counting && transaction.access && transaction.victim)(count("bcache.victims"))
  when(counting && transaction.coreBusy)(count("bus.core_ticks"))
  when(counting && transaction.dmaBusy)(count("bus.dma_ticks"))

  // What a pause keeps out of the window, in both banks.
  private def countBoth(name: String, more: UInt = U(0)): Unit = {
    everything(name) := everything(name) + 1 + more
    window(name) := window(name) + 1 + more
  }
  when(counting && counted && windows.io.paused) {
    countBoth("paused.ticks", skipped)
    when(event.owner === Owner.issue)(countBoth("paused.instructions"))
  }

  // An invocation of window 1 counts in both banks wherever its marker stands.
  val copyNext = RegInit(False) // a copy one clock on holds the tick of the marker too
  copyNext := io.control.snapshot
  val isCold = RegInit(False) // a cold run ends with the window
  when(windows.io.closed && isCold) {
    copyNext := True
    isCold := False
  }
  when(io.control.clear)(isCold := io.coldStart)
  when(counting && windows.io.invocation) {
    val invocations = everything("invocations") + 1
    everything("invocations") := invocations
    window("invocations") := invocations
    when(invocations === io.autosnapshot)(copyNext := True)
  }

  when(io.control.stop)(frozen := True)
  when(io.control.arm)(frozen := False)
  when(io.control.clear) {
    for (bank <- Seq(everything, window); name <- prompt) bank(name) := 0
  }

  // Replacement misses come late, in order with copies and clears.
  val residency = new Residency(c.bus, c.ramAddressWidth)
  private val offsetWidth = log2Up(c.bus.blockBytes)
  private def inRam(address: UInt) = address(33 downto c.ramAddressWidth) === 0
  private val misses = Seq( // in the order of CounterNames.replacements
    (counted && event.iMiss, event.iMissAddress),
    (counted && event.dMiss, event.dMissAddress),
    (transaction.access && transaction.miss, transaction.address)
  )
  val marks = Bits(3 bits)
  for (((happened, address), i) <- misses.zipWithIndex) {
    marks(i) := happened && inRam(address) && !io.control.clear
    residency.io.entry.block(i) := address(c.ramAddressWidth - 1 downto offsetWidth)
  }
  residency.io.entry.valid := marks.orR || copyNext || io.control.clear
  residency.io.entry.copy := copyNext
  residency.io.entry.clear := io.control.clear
  residency.io.entry.counts := counting
  residency.io.entry.window := inWindow
  residency.io.entry.missed := marks
  residency.io.backing <> io.backing
  private val replacement = residency.io.replacement
  for ((name, i) <- CounterNames.replacements.zipWithIndex) {
    when(replacement.valid && replacement.counts && replacement.cache === i) {
      everything(name) := everything(name) + 1
      when(replacement.window)(window(name) := window(name) + 1)
    }
    when(residency.io.clear)(Seq(everything, window).foreach(_(name) := 0))
  }

  // Unused fetch slots.
  val slots = new FetchSlots(c.bus.blockBytes, c.iSets, c.codeBytes)
  slots.io.window := io.codeWindow
  slots.io.clear := io.control.clear
  slots.io.read := ticked
  slots.io.pc := seen.issuePc
  slots.io.filling := seen.iMiss
  slots.io.filledBlock := seen.iMissAddress
  slots.io.used := counted && event.owner === Owner.issue
  slots.io.filled := counted && event.iMiss
  slots.io.counts := counting
  slots.io.inWindow := inWindow
  when(slots.io.word)(everything("fetch.words") := everything("fetch.words") + 1)
  when(slots.io.block)(everything("fetch.blocks") := everything("fetch.blocks") + 1)
  when(slots.io.windowWord)(window("fetch.words") := window("fetch.words") + 1)
  when(slots.io.windowBlock)(window("fetch.blocks") := window("fetch.blocks") + 1)
  when(slots.io.outside)(count("fetch.outside"))
  when(slots.io.fillWord)(count("fetch.fill_words"))

  val holding = RegNext(slots.io.sweeping) init True
  io.hold := holding || residency.io.hold
  io.busy := slots.io.sweeping || residency.io.busy || copyNext

  private def copies(prefix: String, bank: Map[String, UInt]): Seq[UInt] =
    CounterNames.all.map { name =>
      val copy = Reg(UInt(64 bits)) init 0
      when(if (prompt.contains(name)) copyNext else residency.io.copy)(copy := bank(name))
      copy.setName(s"snapshot_${prefix}_${name.replace('.', '_')}")
    }
  val copyOfEverything = copies("all", everything)
  val copyOfWindow = copies("path", window)

  val value = Reg(UInt(64 bits)) init 0
  when(io.snapshot.enable) {
    value := 0
    for ((bank, isWindow) <- Seq(copyOfEverything -> False, copyOfWindow -> True)) {
      when(io.snapshot.window === isWindow) {
        switch(io.snapshot.index) {
          for ((copy, i) <- bank.zipWithIndex) is(i)(value := copy)
        }
      }
    }
  }
  io.snapshot.value := value

  // After each copy the owners are added up, one a clock, and compared with the ticks.
  val check = new Area {
    val running = RegInit(False)
    val index = Reg(UInt(log2Up(Owner.elements.length + 1) bits)) init 0
    val sum, windowSum = Reg(UInt(64 bits)) init 0
    val failed = False
    private val first = CounterNames.all.indexOf(CounterNames.owners.head)
    when(running) {
      index := index + 1
      switch(index) {
        for (i <- Owner.elements.indices) is(i) {
          sum := sum + copyOfEverything(first + i)
          windowSum := windowSum + copyOfWindow(first + i)
        }
        default {
          running := False
          failed := sum =/= copyOfEverything.head || windowSum =/= copyOfWindow.head
        }
      }
    }
    when(copyNext) {
      running := True
      index := 0
      sum := 0
      windowSum := 0
    }
  }

  val ownersError = RegInit(False)
  when(io.control.clear)(ownersError := False)
  when(noOwner || check.failed)(ownersError := True)
  io.ownersError := ownersError
}
