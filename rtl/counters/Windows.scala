// SPDX-License-Identifier: BSD-2-Clause
package mcpi.counters

import spinal.core._

/** What a comparator does when its instruction issues (docs/contracts.md 6); 0 is off. */
object MarkerAction {
  val open = 1
  val close = 2
  val pause = 3
  val resume = 4
  val invocation = 5
}

case class Comparator() extends Bundle {
  val address = UInt(34 bits) // of the instruction; bits 33:2 are compared
  val action = UInt(8 bits)
  val window = UInt(8 bits) // only window 1 exists; another never fires
}

/** The measured window: opened and closed by the program counter, so that the code measured is
  * the code that ships.
  *
  * Two clocks deep: `pc` of clock k, and whether it issued in k, known in k + 1, move `open` for
  * clock k + 2, where the counters add what belongs to that tick. So a window that an instruction
  * opens holds this instruction's own tick, one that an instruction closes does not. Comparators
  * that match together act in the order of their numbers.
  */
class Windows(count: Int) extends Component {
  val io = new Bundle {
    val pc = in UInt (34 bits)
    val issued = in Bool () // a clock later: an instruction issued there, in a tick
    val clear = in Bool () // closed, not paused
    val comparators = in(Vec(Comparator(), count))
    val counts = out Bool () // two clocks after `pc`: its tick counts
    val invocation = out Bool () // two clocks after `pc`, one clock long
    val force = in Bool () // opens it, when no tick is on its way
    val paused = out Bool () // as `counts`: open, but paused
    val closed = out Bool () // two clocks after a `pc` that closed it, one clock long
  }

  val matched = Reg(Bits(count bits)) init 0
  val open, paused, invoked, closed = RegInit(False)

  for ((comparator, i) <- io.comparators.zipWithIndex) {
    matched(i) := io.pc(33 downto 2) === comparator.address(33 downto 2)
  }

  invoked := False
  closed := False
  when(io.issued && matched =/= 0) {
    // The state each comparator finds is what the ones before it left.
    var (isOpen, isPaused) = (open, paused)
    var isClosed = False // by any of them: a later one may open it again
    for ((comparator, i) <- io.comparators.zipWithIndex) {
      def does(action: Int) =
        matched(i) && comparator.window === 1 && comparator.action === action
      val opens = does(MarkerAction.open) && !isOpen
      val closes = does(MarkerAction.close) && isOpen
      val nextOpen = (isOpen || opens) && !closes
      val nextPaused = (isPaused || does(MarkerAction.pause) && isOpen) &&
        !(does(MarkerAction.resume) || closes)
      when(does(MarkerAction.invocation))(invoked := True)
      isOpen = nextOpen.setName(s"open_after_$i")
      isPaused = nextPaused.setName(s"paused_after_$i")
      isClosed = (isClosed || closes).setName(s"closed_after_$i")
    }
    open := isOpen
    paused := isPaused
    closed := isClosed
  }
  when(io.clear) {
    open := False
    paused := False
  }
  when(io.force)(open := True)
  io.closed := closed
  io.paused := open && paused
  io.counts := open && !paused
  io.invocation := invoked
}
