// SPDX-License-Identifier: BSD-2-Clause
package mcpi.bus

import spinal.core._

/** Where a core has a value that comes late in its tick: there, by gates, or a clock later, in a
  * register (docs/explanation/core-fpga.md).
  *
  * {{{
  *   clock     │  tick   │  no tick  │  tick   │
  *   gates     ╳ … late ─┼───────────╳ …           what they look at stands until the next tick
  *   hold      ______/▔▔▔▔▔▔▔▔▔▔▔\______________   a second clock
  *   register  __________________/▔▔▔▔▔▔▔▔▔\____   in a tick it says what the gates say
  * }}}
  *
  * A core is of one kind. Nothing but this type knows which.
  */
sealed abstract class Timing {

  /** The form of a value or of a part that this kind of core has. */
  def apply[T](gates: => T, register: => T): T

  /** Makes a port, a part or assignments for registers alone; null in the other kind of core. */
  def forRegisters[T](what: => T): T = apply(null.asInstanceOf[T], what)

  /** Makes them for gates alone, likewise. */
  def forGates[T](what: => T): T = apply(what, null.asInstanceOf[T])

  /** Registers that may move in a clock without a tick. */
  def anyClock[T](registers: => T): T = apply(registers, EveryClock(registers))

  /** The registers around move in this clock; asked where some of them may move in any. */
  def clockEnabled: Bool = apply(True, EveryClock.clockEnabled)

  /** The value as it was a clock before; asserts that it is the same where it `counts`. */
  def late[T <: Data](value: T, counts: => Bool, message: String): T =
    apply(value, Timing.late(value, counts, message))

  /** Asserts that in a tick the register says what the gates say. */
  def agree[T <: Data](tick: => Bool, register: => T, gates: => T, message: String): Unit =
    forRegisters(Timing.agree(tick, register, gates, message))
}

object Timing {
  case object ByGates extends Timing {
    def apply[T](gates: => T, register: => T): T = gates
  }
  case object InRegisters extends Timing {
    def apply[T](gates: => T, register: => T): T = register
  }

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
