// SPDX-License-Identifier: BSD-2-Clause
package mcpi.bus

import spinal.core._

/** Values that come late in a tick, a clock later in a register (docs/explanation/core-fpga.md).
  *
  * {{{
  *   clock     │  tick   │  no tick  │  tick   │
  *   gates     ╳ … late ─┼───────────╳ …           what they look at stands until the next tick
  *   hold      ______/▔▔▔▔▔▔▔▔▔▔▔\______________   a second clock
  *   register  __________________/▔▔▔▔▔▔▔▔▔\____   in a tick it says what the gates say
  * }}}
  */
object Timing {

  /** The value as it was a clock before; asserts that it is the same where it `counts`. */
  def late[T <: Data](value: T, counts: Bool, message: String): T = {
    val register = EveryClock(RegNext(value))
    agree(counts, register, value, message)
    register
  }

  /** Asserts that in a tick the register says what the gates say. */
  def agree[T <: Data](tick: Bool, register: T, gates: T, message: String): Unit =
    assert(!tick || register === gates, message, FAILURE)
}
