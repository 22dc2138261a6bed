// SPDX-License-Identifier: BSD-2-Clause
package mcpi.node

import spinal.core._

/** The governor of a node on an FPGA: the tick several times, one for each part of the node, so
  * that none of its wires is long.
  *
  * What holds rarely is told a clock before, and is one register of each copy. Two of the registers
  * are inverted and two have no reset: so synthesis keeps all four.
  *
  * {{{
  *   rare holds, a clock before ──► register 0 ─┐
  *        │                                     ├─► tick 0
  *        │               the others ──┬────────┘
  *        └───────────────► register 1 ─┬─► tick 1 …
  *                                     ┘
  * }}}
  */
class TickCopies(rare: Int, often: Int) extends Component {
  val io = new Bundle {
    val rareNext = in Bits (rare bits) // what it will hold in the next clock
    val holds = in Bits (often bits)
    val ticks = out Vec (Bool(), TickCopies.number)
  }
  private val next = io.rareNext.orR
  val held = for (n <- 0 until TickCopies.number) yield {
    val (inverted, resets) = (n % 2 == 1, n < 2)
    val register = Reg(Bool()).setName(s"held$n")
    if (resets) register init !Bool(inverted)
    register := (if (inverted) !next else next)
    if (inverted) !register else register
  }
  for ((tick, held) <- io.ticks.zip(held)) tick := !(held || io.holds.orR)
}

object TickCopies {
  val number = 4
}
