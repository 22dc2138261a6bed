// SPDX-License-Identifier: BSD-2-Clause
package mcpi.memory

import spinal.core._

/** Virtual time on an FPGA (docs/boards.md, Two clocks a tick): a clock behind a tick is none, and
  * whether the next one is stands in a register, so thousands of enables begin at a flip-flop.
  *
  * `holds` are therefore looked at a clock before the tick: a part whose hold must not come too
  * late says what it will be. `now` withholds the tick of its own clock, for nodes in step; on a
  * board it is constant. Every one of `ticks` is the same, from a register of its own that can
  * stand beside those it enables.
  */
class PacedGovernor(parts: Int, copies: Int) extends Component {
  require(parts >= 1 && copies >= 1)
  val io = new Bundle {
    val holds = in Bits (parts bits)
    val now = in Bool ()
    val ticks = out Vec (Bool(), copies)
  }
  private val next = !io.holds.orR && !io.ticks.head
  for (tick <- io.ticks) {
    val ready = new Ready
    ready.io.next := next
    tick := ready.io.is && !io.now
  }
}

/** One register, in a module that synthesis keeps: five that are the same would become one. */
class Ready extends Component {
  val io = new Bundle {
    val next = in Bool ()
    val is = out Bool ()
  }
  io.is := RegNext(io.next) init False
  definition.addAttribute("keep_hierarchy", "TRUE")
}
