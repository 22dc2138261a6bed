// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import mcpi.bus.EveryClock
import spinal.core._

/** The redirector for what is known too late in the tick in which an instruction leaves D. Fetching
  * goes to PALcode, and what D took meanwhile is void, while virtual time stands. An access that is
  * misplaced, or to which there is no right, becomes a trap; what is illegal has become one in D.
  *
  * {{{
  *   tick t        │   no tick    │   no tick    │  tick t + 1
  *   D: it leaves  │ E1: misplaced│              │ E1: a trap; D is void; F1 at the vector
  *   owner: issue  │ owner: exception, reported from now on (`TickReasons`)
  *   now           /▔▔▔▔▔▔▔▔▔▔▔▔▔▔\_____________________________
  *   done          _______________/▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔
  * }}}
  *
  * In tick t + 1 everything is as if D had known. So an address need not be looked at in the tick
  * in which it is added up, and the front end does not wait for the decoder.
  */
class Revoke(p: Pipeline) extends Area {
  import p.{tick, c, e1}
  val done, ripe = EveryClock(RegInit(False)) // ripe: what looks at E1 has seen it for a clock
  val turned = EveryClock(RegInit(False)) // after an illegal instruction
  val unaligned = (e1.address(2 downto 0).asBits & e1.aligned).orR
  val misplaced = e1.issued && !e1.killed &&
    (if (c.translates) unaligned || e1.refused else unaligned)
  val now = misplaced && !done || e1.illegal && !turned
  done := misplaced && !tick
  turned := e1.illegal && !tick
  ripe := (done || turned) && !tick
  // An access from the second clock on: in the first it has one of its own (`Lookup`).
  val holds = (done || e1.illegal) && !ripe
  private val isVoid = ripe && !p.fetched.valid
  assert(!(p.tick && (misplaced || e1.illegal)) || isVoid, "fetching has not turned", FAILURE)
}
