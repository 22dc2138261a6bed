// SPDX-License-Identifier: BSD-2-Clause
package mcpi.memory

import mcpi.bus.Timing
import spinal.core._

/** Virtual time on an FPGA (timing.md): a clock behind a tick is none, and whether the next
  * one is stands in a register, so thousands of enables begin at a flip-flop.
  *
  * `holds` are therefore looked at a clock before the tick: a part whose hold must not come too
  * late says what it will be. `now` withholds what its own clock would be, for nodes in step; on a
  * board it is constant. Every one of `ticks` is the same, from a register of its own that can
  * stand beside those it enables.
  *
  * With ideal memory parts move while ticks are withheld, too: in `steps`, never beside a tick.
  * `settled` says as what the coming clock in which something moves shall be thought: high for a
  * tick, low for a step. Each has two clocks to be thought in, so a tick there takes three.
  */
class PacedGovernor(parts: Int, copies: Int) extends Component {
  require(parts >= 1 && copies >= 1)
  val io = new Bundle {
    val holds = in Bits (parts bits)
    val now = in Bool ()
    val ideal = in Bool ()
    val stops = in Bool () // no step in the next clock
    val ticks = out Vec (Bool(), copies)
    val steps, settled = out Bool ()
  }
  private val held = io.holds.orR
  private val moved = io.ticks.head || io.steps
  val ticksNext = Timing.early(RegNext(io.ideal && !held && !moved) init False)
  io.settled := !io.ideal || ticksNext
  private val next = !held && !moved && io.settled
  for (tick <- io.ticks) tick := Ready(next) && !io.now
  private val stepNext = io.ideal && held && !io.stops && !moved && !ticksNext
  io.steps := Ready(stepNext) && !ticksNext && !io.now
}

object Ready {
  def apply(next: Bool): Bool = {
    val ready = new Ready
    ready.io.next := next
    ready.io.is
  }
}

/** One register, in a module that synthesis keeps: five that are the same would become one, and
  * whoever looks at the netlist knows it for a beat (docs/explanation/timing.md).
  */
class Ready extends Component {
  val io = new Bundle {
    val next = in Bool ()
    val is = out Bool ()
  }
  io.is := RegNext(io.next) init False
  definition.addAttribute("keep_hierarchy", "TRUE")
}
