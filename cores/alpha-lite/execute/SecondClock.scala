// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import mcpi.bus.{EveryClock, Timing}
import spinal.core._

/** Late and rare results of stage E1, in registers: a clock without a tick makes room for it.
  *
  * {{{
  *   clock    │  tick   │  no tick  │  tick   │
  *   E1       ╳ HW_MFPR ┼───────────╳ …          it and all it looks at stand still meanwhile
  *   hold     ______/▔▔▔▔▔▔▔▔▔▔▔\______________
  *   noTickBefore ______________/▔▔▔▔▔▔▔▔▔\____  registers say what the gates say
  * }}}
  *
  * Virtual time stands, so no tick is longer or shorter for it. Loads, which are common, have the
  * same in `Lookup`.
  */
class SecondClock(p: Pipeline) extends Area {
  import p.{c, e1, hold, loadStore, mayDemand, registers, revoke, decoding, tick}
  val noTickBefore = EveryClock(RegNext(!tick) init False)
  val noTickTwice = EveryClock(
    RegNext(noTickBefore && !tick) init False
  ) // what is read from block RAM

  // An instruction that was killed waits too: who killed it comes late itself.
  val mayMatter = mayDemand || loadStore.drain // `redirectMatters`, now and then in vain
  val wanted = e1.issued && (e1.needsSecondClock || (e1.turns && mayMatter))
  val decoded = EveryClock(RegInit(False))
  val decodes = Bool() // D's instruction needs one
  decoded := decodes && !tick
  decoding := decodes && !decoded
  hold := (!noTickBefore && wanted) || (!noTickTwice && e1.issued && e1.special) || revoke.holds ||
    decoding || registers.hold
  if (c.translates) when(p.translates) { hold := True }

  /** `what` of D's instruction, from a register: right in a tick, as `decodes` has held the clock
    * before.
    */
  def inD(what: Bool): Bool = {
    val before = EveryClock(RegNext(what && !tick) init False)
    Timing.agree(tick, before, what, "D is late")
    before
  }

  /** `what` from a register. In a tick it is right if E1's instruction has `needed` it. */
  def apply[T <: Data](what: T, needed: Bool): T = {
    val before = EveryClock(RegNext(what))
    Timing.agree(tick && e1.issued && needed, before.asBits, what.asBits, "E1 is late")
    before
  }
}
