// SPDX-License-Identifier: BSD-2-Clause
package mcpi.counters

import mcpi.bus.{MemoryKind, NextEvent}
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

/** The product: two banks of 64-bit counters, cleared, frozen and copied together.
  *
  * Everything is counted two clocks after it happened, when `Windows` knows whether its tick
  * belongs to window 1; docs/counters.md defines every boundary. `ownersError` sticks until
  * cleared: a tick had no owner, or a snapshot's owners did not sum up to its ticks.
  */
class Counters(comparatorCount: Int = 16) extends Component {
  val io = new Bundle {
    val tick = in Bool ()
    val skip = in UInt (NextEvent.width bits) // ticks it stands for beside itself, all alike
    val core = in(CoreEvents())
    val memory = in(MemoryEvents())
    val control = in(CountersControl())
    val comparators = in(Vec(Comparator(), comparatorCount))
    val autosnapshot = in UInt (64 bits) // after so many invocations; 0: never
    val snapshot = slave(SnapshotRead())
    val ownersError = out Bool ()
  }

  val windows = new Windows(comparatorCount)
  windows.io.issue := io.tick && io.core.owner === Owner.issue
  windows.io.pc := io.core.issuePc
  windows.io.clear := io.control.clear
  windows.io.comparators := io.comparators

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
  ticked := io.tick
  when(io.tick)(seen := io.core)
  counted := ticked
  skipSeen := io.skip
  skipped := skipSeen
  when(ticked)(event := seen)
  transaction := io.memory
  transaction.access init False
  transaction.dma init False

  private def bank(prefix: String): Map[String, UInt] = CounterNames.all.map { name =>
    val register = Reg(UInt(64 bits)) init 0
    name -> register.setName(s"${prefix}_${name.replace('.', '_')}")
  }.toMap
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
  when(counting && clocked) {
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

  // An invocation of window 1 counts in both banks wherever its marker stands.
  val copyNext = RegInit(False) // a copy one clock on holds the tick of the marker too
  copyNext := io.control.snapshot
  when(counting && windows.io.invocation) {
    val invocations = everything("invocations") + 1
    everything("invocations") := invocations
    window("invocations") := invocations
    when(invocations === io.autosnapshot)(copyNext := True)
  }

  when(io.control.stop)(frozen := True)
  when(io.control.arm)(frozen := False)
  when(io.control.clear)((everything.values ++ window.values).foreach(_ := 0))

  private def copies(prefix: String, bank: Map[String, UInt]): Seq[UInt] =
    CounterNames.all.map { name =>
      val copy = Reg(UInt(64 bits)) init 0
      when(copyNext)(copy := bank(name))
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
