// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import spinal.core._

/** The redirector for what E1 finds wrong with its own instruction: it becomes a trap, fetching
  * goes to PALcode, and what D took meanwhile is void, while virtual time stands.
  *
  * {{{
  *   tick t        │   no tick    │   no tick    │  tick t + 1
  *   D: it leaves  │ E1: misplaced│              │ E1: a trap; D is void; F1 at the vector
  *   owner: issue  │ owner: exception, as told from now on (`lateEvents`)
  *   now           /▔▔▔▔▔▔▔▔▔▔▔▔▔▔\_____________________________
  *   done          _______________/▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔
  * }}}
  *
  * In tick t + 1 everything is as if D had known. So an address need not be looked at in the tick
  * in which it is added up.
  */
class Revoke(p: Pipeline) extends Area {
  import p.{tick, c, e1}
  require(c.lateEvents, "the owner of the last tick is told when it is known")
  private val everyClock = ClockDomain.current.copy(clockEnable = null)
  val done, ripe = everyClock(RegInit(False)) // ripe: what looks at E1 has seen it for a clock
  val misplaced =
    e1.issued && !e1.killed && (e1.address(2 downto 0).asBits & e1.aligned).orR
  val now = misplaced && !done
  done := misplaced && !tick
  ripe := done && !tick
  val holds = misplaced && !ripe
}
