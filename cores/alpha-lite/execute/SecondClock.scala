// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import spinal.core._

/** What stage E1 knows late and rarely, in registers: a clock without a tick makes room for it.
  *
  * {{{
  *   clock    │  tick   │  no tick  │  tick   │
  *   E1       ╳ HW_MFPR ┼───────────╳ …          it and all it looks at stand still meanwhile
  *   hold     ______/▔▔▔▔▔▔▔▔▔▔▔\______________
  *   stood    __________________/▔▔▔▔▔▔▔▔▔\____  registers say what the gates say
  * }}}
  *
  * Virtual time stands, so no tick is longer or shorter for it. Loads, which are common, have the
  * same in `Lookup`.
  */
class SecondClock(p: Pipeline) extends Area {
  import p._
  private val everyClock = ClockDomain.current.copy(clockEnable = null)
  val stood = everyClock(RegNext(!tick) init False)
  val stoodLong = everyClock(RegNext(stood && !tick) init False) // what is read from block RAM

  // An instruction that was killed waits too: who killed it comes late itself.
  val writesPal = e1.control.kind === Kind.palWrite
  val wanted = e1.issued && (e1.checked || writesPal || (e1.turns && redirectMatters))
  val decoded, isBarrier = everyClock(RegInit(False))
  val decodes = Bool()
  hold := (!stood && wanted) || (!stoodLong && e1.issued && e1.special) || revoke.holds || (decodes && !decoded)

  /** Whether D has MB or WMB. That takes the whole instruction word to know, and then decides what
    * goes on the memory bus; `maybe` is quickly known.
    */
  def barrier(maybe: Bool, kind: Kind.C): Bool = {
    decodes := maybe
    decoded := maybe && !tick
    val is = maybe && kind === Kind.barrier
    isBarrier := is && !tick
    assert(!tick || isBarrier === is, "a barrier is late", FAILURE)
    isBarrier
  }

  /** `what` from a register. In a tick it is right if E1's instruction has `needed` it. */
  def apply[T <: Data](what: T, needed: Bool): T = {
    val before = everyClock(RegNext(what))
    assert(!(tick && e1.issued && needed) || before.asBits === what.asBits, "E1 is late", FAILURE)
    before
  }
}
