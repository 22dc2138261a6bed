// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import spinal.core._

/** What the access in E1 finds in the D-cache and in the write buffer, in registers.
  *
  * {{{
  *   clock    │  tick   │  no tick  │  tick   │
  *   E1       ╳ load ───┼───────────╳ …          it and all it looks at stand still meanwhile
  *   hold     ______/▔▔▔▔▔▔▔▔▔▔▔\______________
  *   done     __________________/▔▔▔▔▔▔▔▔▔\____  the registers say what the gates say
  * }}}
  *
  * So stage D's consent and the bus grant, which need it, begin at registers. No tick is longer or
  * shorter for it: time stands still for a clock after each load and each store.
  */
class Lookup(c: AlphaLiteConfig) extends Component {
  val tick = in Bool ()
  val holding = in Bool () // things move without a tick: with ideal memory
  val loads, stores = in Bool () // what is in E1, or a store that comes back
  val misses = in Bool () // E1's load, its block
  val waiting = in Bool () // an access that could not end in E1, whose block was looked up too
  val matched = in Bits (c.writeBufferEntries bits) // the entries of the block
  val hold = out Bool () // no tick, please

  val done = RegNext(!tick && !holding) init False
  val missesBefore = RegNext(misses) init False
  val isMissing = out(missesBefore && done)
  val entries = out(RegNext(matched) init 0)
  val still = in Bits (c.writeBufferEntries bits) // those of them that have not been sent since
  hold := !done && (loads || stores)
  private val right = isMissing === misses && (!(loads || stores || waiting) || still === matched)
  assert(!tick || right, "a lookup is out of date", FAILURE)
}
