// SPDX-License-Identifier: BSD-2-Clause
package mcpi.counters

import mcpi.memory.{Cause, SnoopEvents}
import spinal.core._
import spinal.lib._

/** The causes of ticks in a coherent core's two banks (docs/explanation/multiprocessor.md).
  *
  * Of a tick whose cause is not known yet the owner counts as `open`. Its causes move in the tick
  * in which it is: each to the bank that its own tick was in, also while the counters are frozen.
  */
class CoherentCounts(banks: Banks) extends Area {
  private val io = banks.io
  private val event = io.event.coherent
  private val cache = io.cache

  val isOpen = cache.cause === Cause.open
  val owned = Owner.ofMemory.map(io.event.owner === _ && !event.busWait) :+ event.busWait
  for (
    ((bank, inside), name) <- Seq(banks.everything -> True, banks.path -> io.inWindow)
      .zip(Seq("all", "path"));
    (owner, mine) <- banks.table.caused.zip(owned)
  ) {
    def counter(cause: Cause.E) = bank(banks.table.cause(owner, Cause.nameOf(cause)))
    val one = (io.counts && inside && mine).asUInt
    if (banks.packed) {
      val open = (Reg(UInt(CoherentCounts.openBits bits)) init 0).setName(s"open_${name}_$owner")
      counter(Cause.open).allowOverride()
      counter(Cause.open) := open
      when(io.tick)(open := isOpen ? (open + one) | 0)
      when(io.clear)(open := 0)
      assert(!open.andR, "too many ticks without a cause", FAILURE)
      for (cause <- Cause.elements if cause != Cause.open)
        when(io.tick && cache.cause === cause)(counter(cause) := open + one)
    } else {
      val open = counter(Cause.open)
      when(io.tick) {
        when(isOpen) {
          open := open + one
        } otherwise {
          open := 0
          for (cause <- Cause.elements if cause != Cause.open)
            when(cache.cause === cause)(counter(cause) := counter(cause) + open + one)
        }
      }
    }
  }
}

object CoherentCounts {

  /** Ticks of one owner without a cause: a request waits for the ends of so many others. */
  val openBits = 15
}

/** Counters of the machine's bus, with their copy: those of all ticks, as no window is the
  * machine's.
  */
class SnoopCounters extends Component {
  val io = new Bundle {
    val tick = in Bool ()
    val bus = in(SnoopEvents())
    val control = in(CountersControl())
    val copy = in Bool () // core 0's counters copy theirs
    val values = out Vec (UInt(64 bits), SnoopCounters.names.length) // as they were copied
  }
  // Delay the events as long as those of the cores' counters (`Counters`).
  private val events = io.bus.grant ## io.bus.data ## io.bus.busy
  private val late = RegNext(RegNext(events.andMask(io.tick)) init 0) init 0
  val frozen = RegInit(False)
  when(io.control.stop)(frozen := True)
  when(io.control.arm)(frozen := False)
  for (((name, value), n) <- SnoopCounters.names.zip(io.values).zipWithIndex) {
    val counter = (Reg(UInt(64 bits)) init 0).setName(name.replace('.', '_'))
    when(late(SnoopCounters.names.length - 1 - n) && !frozen)(counter := counter + 1)
    when(io.control.clear)(counter := 0)
    value := RegNextWhen(counter, io.copy) init 0
  }
}

object SnoopCounters {
  val names: Seq[String] = Seq("snoop.requests", "snoop.data_ticks", "snoop.busy_ticks")
}
