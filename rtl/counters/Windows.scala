// SPDX-License-Identifier: BSD-2-Clause
package mcpi.counters

import spinal.core._

/** Action of a comparator when its instruction issues (docs/reference/contracts.md 6); 0 is off. */
object MarkerAction {
  val open = 1
  val close = 2
  val pause = 3
  val resume = 4
  val invocation = 5
  val event = 6 // moves no window; a node on a board has it, for the record of the board
  def last(events: Boolean): Int = if (events) event else invocation
}

/** Windows by number, from 1 on; the first is the measured path. */
object WindowNames {
  val all: Seq[String] = Seq("path", "spin", "hold", "probe")
  val further: Seq[String] = all.tail
}

/** Settings of the host, a bit for each of `count` comparators: so nothing is left to decode where
  * they fire. `events`: there is the action `event`.
  */
case class Comparators(count: Int, events: Boolean) extends Bundle {
  val address = Vec(UInt(34 bits), count) // of the instruction; bits 33:2 are compared
  val action = Vec(Bits(count bits), MarkerAction.last(events)) // from `MarkerAction` 1 on
  val window = Vec(Bits(count bits), WindowNames.all.length) // from window 1 on
  def does(what: Int): Bits = action(what - 1)
}

/** Which comparators fire, and whether the path's window is open: opened and closed by the program
  * counter, so that the code measured is the code that ships. What further windows make of their
  * comparators, `WindowTable` knows.
  *
  * Two clocks deep: `pc` of clock k, and whether it issued in k, known in k + 1, move `open` for
  * clock k + 2, where the counters add what belongs to that tick. So a window that an instruction
  * opens holds this instruction's own tick, one that an instruction closes does not. Comparators
  * that match together act in the order of their numbers.
  */
class Windows(count: Int, events: Boolean) extends Component {
  val io = new Bundle {
    val pc = in UInt (34 bits)
    val issued = in Bool () // a clock later: an instruction issued there, in a tick
    val clear = in Bool () // closed, not paused
    val comparators = in(Comparators(count, events))
    val counts = out Bool () // two clocks after `pc`: its tick counts
    val invocation = out Bool () // two clocks after `pc`, one clock long
    val force = in Bool () // opens it, when no tick is on its way
    val paused = out Bool () // as `counts`: open, but paused
    val closed = out Bool () // two clocks after a `pc` that closed it, one clock long
    val further = out Bits (count bits) // two clocks after `pc`: what fired for further windows
  }

  val matched = Reg(Bits(count bits)) init 0
  val open, paused, invoked, closed = RegInit(False)
  val further = Reg(Bits(count bits)) init 0

  for ((address, i) <- io.comparators.address.zipWithIndex) {
    matched(i) := io.pc(33 downto 2) === address(33 downto 2)
  }

  /** The state after comparator 0, 1, … each of which sets it, clears it or lets it be: the carries
    * of an addition, where 1 + 1 sets, 0 + 0 clears and 0 + 1 passes on; the state before is what
    * the lowest bit carries. Bit n is the state that comparator n finds; bit `count` is the last.
    */
  private def states(before: Bool, sets: Bits, clears: Bits, name: String): Bits = {
    val sum = ((sets ## True).asUInt +^ (~clears ## before).asUInt).asBits
    (sum(count + 1 downto 1) ^ (sets ^ ~clears).resized).setName(name)
  }
  private val ofPath = matched & io.comparators.window(0)
  private def fired(action: Int) = ofPath & io.comparators.does(action)
  val closes = fired(MarkerAction.close)
  val opens = states(open, fired(MarkerAction.open), closes, "open_before")
  val found = opens(count - 1 downto 0)
  val pausing = states(
    paused,
    fired(MarkerAction.pause) & found,
    closes | fired(MarkerAction.resume),
    "paused_before"
  )

  invoked := False
  closed := False
  further := 0
  when(io.issued) {
    open := opens.msb
    paused := pausing.msb
    closed := (closes & found).orR // by any of them: a later one may open it again
    invoked := fired(MarkerAction.invocation).orR
    further := matched & io.comparators.window.tail.reduce(_ | _)
  }
  when(io.clear) {
    open := False
    paused := False
    further := 0
  }
  when(io.force)(open := True)
  io.closed := closed
  io.paused := open && paused
  io.counts := open && !paused
  io.invocation := invoked
  io.further := further

  /** Comparators that fire, of any action, a clock after `pc`; hardware only if somebody asks. */
  def passed: Bits = rework {
    val any = (matched & io.comparators.action.reduce(_ | _)).setName("passed")
    io.issued ? any | B(0, count bits)
  }
}
