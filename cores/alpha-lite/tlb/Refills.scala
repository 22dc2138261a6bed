// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import mcpi.counters.TranslationEvents
import spinal.core._
import spinal.lib._

/** The time that refills take: what the counters get of it, and the floor that HW_REI waits
  * for.
  *
  * {{{
  *   tick      │ f │   │ … PALcode … │   h    │ h + 1 … h + penalty │ f + floor, at least
  *   DTB_MISS  │ D │   │              │ HW_REI │                     │ the access once more
  *   ITB_MISS  │ t │ D │              │ HW_REI │                     │ the instruction in D
  *   running   _____▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔\____________________
  * }}}
  */
class Refills(p: Pipeline) extends Area {
  import p.{redirectPenalty, events, fetchRefused, refillFloor, e1Valid, pal, execute}
  val trapped = Flow(UInt(16 bits)) // in D: to this vector
  val isMiss, isDataMiss = Bool()
  // An access traps in E1, in the tick after.
  private def accessTraps(vector: Int) = p.revoke.misplaced && p.refusal === vector
  isMiss := trapped.valid && trapped.payload === Vector.ITB_MISS
  isDataMiss := accessTraps(Vector.DTB_MISS)

  val ofFetch, ofData = RegInit(False) // it runs
  val left = Reg(UInt(10 bits)) init 0 // ticks in which HW_REI may not issue
  val penalty = (redirectPenalty > 3) ? redirectPenalty | U(3, 3 bits)
  when(left =/= 0)(left := left - 1)
  when(isMiss || isDataMiss) {
    val least = U(3, 4 bits) + penalty
    left := (refillFloor > least) ? (refillFloor - least) | U(0, 10 bits)
    ofFetch := isMiss
    ofData := isDataMiss
  }

  // It ends with the penalty of the HW_REI that leaves PAL mode.
  val ending = Reg(UInt(3 bits)) init 0
  when(ending =/= 0)(ending := ending - 1)
  when(ending === 1) {
    ofFetch := False
    ofData := False
  }
  when(e1Valid && execute.isReturn && !pal.exceptionAddress(0))(ending := penalty - 1)

  /** HW_REI in stage D waits for the floor. */
  def holds(isReturn: Bool): Bool = isReturn && !pal.exceptionAddress(0) && left =/= 0

  private def delayed(what: Bool) = RegNext(what) init False
  def report(events: TranslationEvents, fetchRefused: Bool, switches: Bool): Unit = {
    events.fetchMiss := delayed(isMiss)
    events.dataMiss := accessTraps(Vector.DTB_MISS) || accessTraps(Vector.DTB_MISS_PAL)
    events.fetchRefill := delayed(fetchRefused || isMiss || ofFetch)
    val refills = delayed(isDataMiss || ofData)
    events.dataRefill := refills || isDataMiss
    val bars = delayed(trapped.valid && trapped.payload === Vector.ITB_ACV)
    events.fault := accessTraps(Vector.D_FAULT) || bars
    events.contextSwitch := delayed(switches)
  }
}
