// SPDX-License-Identifier: BSD-2-Clause
package mcpi.counters

import mcpi.bus.{MemoryKind, NextEvent}
import mcpi.memory.{CoherentConfig, MemoryEvents, PrivateCacheEvents}
import spinal.core._
import spinal.lib._

/** What the words of the code window say of the tick being counted (`FetchSlots`). */
case class SlotEvents() extends Bundle {
  val word, block, windowWord, windowBlock = Bool() // first touches, in either bank
  val outside = Bool() // of the code window
  val fillWord = Bool() // first use of this word since its line was filled
}

/** What counts: two banks, each counter moved by what one clock brings.
  *
  * @param names of one bank's counters
  * @param packed what comes out is a pulse for each counter, which `PackedCounters` adds up, not a
  *   register of 64 bits; of a cause a number to be added. No tick may stand for several then
  * @param coherent of a core with a private b-cache: its events are of a tick, as the core's are
  */
class Banks(val packed: Boolean, names: Seq[String], coherent: Option[CoherentConfig] = None)
    extends Component {
  private val translates = names.contains(CounterNames.translation.head)
  private val back = names.contains(CounterNames.writeBack.head)
  private val Seq(iVictims, dVictims) = CounterNames.victims.map(names.contains(_))
  val io = new Bundle {
    val counts = in Bool () // not frozen, not being cleared
    val inWindow = in Bool () // what comes belongs to window 1 too
    val paused = in Bool () // the window is open, but paused
    val clear = in Bool ()
    val clearReplacements = in Bool () // later, in its turn behind the misses before it
    val clock = in Bool () // a clock that counts as one
    val tick = in Bool () // `event` holds
    val event = in(CoreEvents(translates, back, coherent.map(_.groupBlocks), iVictims, dVictims))
    val skipped = in UInt (NextEvent.width bits) // ticks that tick stands for beside itself
    val transaction = coherent.isEmpty generate in(MemoryEvents(back))
    val cache = coherent.isDefined generate in(PrivateCacheEvents(coherent.get))
    val invocation = in Bool ()
    val slots = in(SlotEvents())
    val replacement = slave(Flow(Replacement(coherent.isDefined)))
    val noOwner = out Bool () // a tick whose owner is none
  }

  private def bank(prefix: String): Map[String, UInt] = names.map { name =>
    val width = if (CounterNames.causes.contains(name)) CoherentCounts.openBits else 1
    val counter = out(if (packed) UInt(width bits) else Reg(UInt(64 bits)) init 0)
    if (packed) counter := 0
    name -> counter.setName(s"${prefix}_${name.replace('.', '_')}")
  }.toMap
  val everything = bank("all")
  val path = bank("path")

  private def one(counter: UInt, more: UInt = U(0)): Unit =
    if (packed) counter := 1 else counter := counter + 1 + more
  def count(name: String, more: UInt = U(0)): Unit = {
    one(everything(name), more)
    when(io.inWindow)(one(path(name), more))
  }

  /** One, and one for each tick left out. */
  private def countTicks(name: String): Unit = count(name, io.skipped)
  private def countBoth(name: String, more: UInt = U(0)): Unit =
    for (bank <- Seq(everything, path)) one(bank(name), more)

  when(io.counts && io.clock) {
    when(io.tick)(countTicks("clocks")) otherwise {
      count("clocks")
      count("withheld")
    }
  }
  io.noOwner := False
  when(io.counts && io.tick) {
    countTicks("ticks")
    switch(io.event.owner) {
      for (owner <- Owner.elements) is(owner) {
        if (owner == Owner.idle) countTicks(CounterNames.owners(owner.position))
        else if (coherent.isDefined && Owner.ofMemory.contains(owner))
          when(!io.event.coherent.busWait)(count(CounterNames.owners(owner.position)))
        else count(CounterNames.owners(owner.position))
        if (owner == Owner.issue) count("instructions")
      }
    }
    when(io.event.owner.asBits.asUInt >= Owner.elements.length)(io.noOwner := True)
    for (
      (name, happened) <- Seq(
        "icache.accesses" -> io.event.iAccess,
        "icache.misses" -> io.event.iMiss,
        "icache.stream_hits" -> io.event.iStreamHit,
        "dcache.accesses" -> io.event.dAccess,
        "dcache.misses" -> io.event.dMiss,
        "write_buffer.accesses" -> io.event.writeAccess,
        "write_buffer.merges" -> io.event.writeMerge,
        "taken_branches" -> io.event.takenBranch,
        "mispredicts" -> io.event.mispredict
      )
    ) when(happened)(count(name))
    when(io.event.palMode)(countTicks("pal_ticks"))
    if (translates)
      for ((name, happened) <- CounterNames.translation.zip(io.event.translation.elements))
        when(happened._2.asInstanceOf[Bool])(countTicks(name))
    if (back) when(io.event.storeMiss)(count("dcache.store_misses"))
    if (iVictims) when(io.event.iVictimHit)(count("icache.victim_hits"))
    if (dVictims) when(io.event.dVictimHit)(count("dcache.victim_hits"))
    // What a pause keeps out of the window, in both banks.
    when(io.paused) {
      countBoth("paused.ticks", io.skipped)
      when(io.event.owner === Owner.issue)(countBoth("paused.instructions"))
    }
  }
  private def access(kind: MemoryKind.C, miss: Bool)(more: => Unit): Unit = {
    count("bcache.accesses")
    when(miss)(count("bcache.misses"))
    more
    switch(kind) {
      is(MemoryKind.fetch)(count("bcache.fetches"))
      is(MemoryKind.prefetch)(count("bcache.prefetches"))
      is(MemoryKind.load)(count("bcache.loads"))
      is(MemoryKind.write) {
        count("bcache.writes")
        count("write_buffer.writes")
      }
    }
  }
  val further = coherent.isDefined generate new CoherentCounts(this)
  if (coherent.isDefined) {
    when(io.counts && io.tick && io.cache.access)(access(io.cache.kind, io.cache.miss) {})
    when(io.counts && io.tick && io.event.coherent.busWait)(count("owner.bus_wait"))
  } else {
    when(io.counts && io.transaction.access)(access(io.transaction.kind, io.transaction.miss) {
      when(io.transaction.victim)(count("bcache.victims"))
    })
    when(io.counts && io.transaction.dma)(count("bcache.dma"))
    when(io.counts && io.transaction.coreBusy)(count("bus.core_ticks"))
    when(io.counts && io.transaction.dmaBusy)(count("bus.dma_ticks"))
  }
  if (back) {
    when(io.counts && io.transaction.dirtyMiss)(count("dcache.dirty_misses"))
    when(io.counts && io.transaction.coreWaits)(count("bus.core_waits_dma"))
  }
  // An invocation of window 1 counts in both banks wherever its marker stands.
  when(io.counts && io.invocation)(countBoth("invocations"))

  // `FetchSlots` knows itself what counts.
  when(io.slots.word)(one(everything("fetch.words")))
  when(io.slots.block)(one(everything("fetch.blocks")))
  when(io.slots.windowWord)(one(path("fetch.words")))
  when(io.slots.windowBlock)(one(path("fetch.blocks")))
  when(io.slots.outside)(count("fetch.outside"))
  when(io.slots.fillWord)(count("fetch.fill_words"))

  // Verdicts on misses come late, each with what it counts in.
  for ((name, i) <- CounterNames.replacements.zipWithIndex) {
    when(io.replacement.valid && io.replacement.counts && io.replacement.cache === i) {
      def judged(name: String): Unit = {
        one(everything(name))
        when(io.replacement.window)(one(path(name)))
      }
      if (coherent.isDefined && i > 0)
        when(io.replacement.lost)(judged(CounterNames.coherenceMisses(i - 1)))
          .otherwise(judged(name))
      else judged(name)
    }
  }
  for (bank <- Seq(everything, path); name <- names if !packed) {
    val late = CounterNames.late.contains(name)
    when(if (late) io.clearReplacements else io.clear)(bank(name) := 0)
  }
}
