// SPDX-License-Identifier: BSD-2-Clause
package mcpi.counters

import mcpi.bus.NextEvent
import mcpi.machine.{CounterRow, CounterTable}
import mcpi.memory.{CoherentConfig, MemoryEvents, PrivateCacheEvents}
import spinal.core._
import spinal.lib._

/** Events of the code window's words in the tick being counted (`FetchSlots`). */
case class SlotEvents() extends Bundle {
  val word, block, windowWord, windowBlock = Bool() // first touches, in either bank
  val outside = Bool() // of the code window
  val fillWord = Bool() // first use of this word since its line was filled
}

/** Counters in two banks, each counter moved by the events of one clock.
  *
  * @param table of one bank's counters
  * @param packed what comes out is a pulse for each counter, which `PackedCounters` adds up, not a
  *   register of 64 bits; of a cause a number to be added. No tick may stand for several then
  * @param coherent of a core with a private b-cache: its events are of a tick, as the core's are
  */
class Banks(
    val packed: Boolean,
    val table: CounterTable,
    events: => CoreEvents,
    writeBack: Boolean,
    coherent: Option[CoherentConfig] = None
) extends Component {
  private val names = table.names
  val io = new Bundle {
    val counts = in Bool () // not frozen, not being cleared
    val inWindow = in Bool () // the events belong to window 1 too
    val paused = in Bool () // the window is open, but paused
    val clear = in Bool ()
    val clearReplacements = in Bool () // later, in its turn after the misses before it
    val clock = in Bool () // a clock that counts as one
    val tick = in Bool () // `event` holds
    val event = in(events)
    val skipped = in UInt (NextEvent.width bits) // ticks that tick stands for besides itself
    val transaction = coherent.isEmpty generate in(MemoryEvents(writeBack))
    val cache = coherent.isDefined generate in(PrivateCacheEvents(coherent.get))
    val invocation = in Bool ()
    val slots = in(SlotEvents())
    val replacement = slave(Flow(Replacement(coherent.isDefined)))
    val noOwner = out Bool () // a tick whose owner is none
  }

  private def bank(prefix: String): Map[String, UInt] = names.map { name =>
    val width = if (table.ofCauses.contains(name)) CoherentCounts.openBits else 1
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

  /** Count one, and one for each tick left out. */
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
        val name = s"owner.${Owner.nameOf(owner)}"
        if (table.rows.exists(row => row.name == name && row.skips)) countTicks(name)
        else if (coherent.isDefined && Owner.ofMemory.contains(owner))
          when(!io.event.coherent.busWait)(count(name))
        else count(name)
        if (owner == Owner.issue) count("instructions")
      }
    }
    when(io.event.owner.asBits.asUInt >= Owner.elements.length)(io.noOwner := True)
    for (row <- table.of("core")) when(Events.high(io.event, row.event)) {
      if (row.skips) countTicks(row.name) else count(row.name)
    }
    // Count the ticks that a pause keeps out of the window, in both banks.
    when(io.paused) {
      countBoth("paused.ticks", io.skipped)
      when(io.event.owner === Owner.issue)(countBoth("paused.instructions"))
    }
  }
  val further = coherent.isDefined generate new CoherentCounts(this)
  if (coherent.isDefined) {
    when(io.counts && io.tick && io.event.coherent.busWait)(count("owner.bus_wait"))
    transactions(io.cache, io.counts && io.tick, row => row.inPrivate.getOrElse(row.event))
  } else transactions(io.transaction, io.counts, _.event)

  /** Counts events of the memory system; the parts of an access together. */
  private def transactions(
      bundle: Bundle,
      counts: Bool,
      event: CounterRow => Seq[String]
  ): Unit = {
    val (parts, others) =
      table.of("memory").filter(event(_).nonEmpty).partition(event(_).head == "access")
    when(counts && Events.high(bundle, Seq("access"))) {
      for (row <- parts) {
        val more = event(row).tail
        if (more.isEmpty) count(row.name) else when(Events.high(bundle, more))(count(row.name))
      }
    }
    for (row <- others) when(counts && Events.high(bundle, event(row)))(count(row.name))
  }
  // An invocation of window 1 counts in both banks wherever its marker stands.
  when(io.counts && io.invocation)(countBoth("invocations"))

  // `FetchSlots` knows itself what counts.
  when(io.slots.word)(one(everything("fetch.words")))
  when(io.slots.block)(one(everything("fetch.blocks")))
  when(io.slots.windowWord)(one(path("fetch.words")))
  when(io.slots.windowBlock)(one(path("fetch.blocks")))
  when(io.slots.outside)(count("fetch.outside"))
  for (row <- table.of("slots")) when(Events.high(io.slots, row.event))(count(row.name))

  // Verdicts on misses come late, each with what it counts in.
  for ((cache, i) <- Residency.caches.zipWithIndex) {
    when(io.replacement.valid && io.replacement.counts && io.replacement.cache === i) {
      def judged(name: String): Unit = {
        one(everything(name))
        when(io.replacement.window)(one(path(name)))
      }
      if (coherent.isDefined && i > 0)
        when(io.replacement.lost)(judged(s"$cache.coherence_misses"))
          .otherwise(judged(s"$cache.replacement_misses"))
      else judged(s"$cache.replacement_misses")
    }
  }
  for (bank <- Seq(everything, path); name <- names if !packed) {
    val late = table.late.contains(name)
    when(if (late) io.clearReplacements else io.clear)(bank(name) := 0)
  }
}
