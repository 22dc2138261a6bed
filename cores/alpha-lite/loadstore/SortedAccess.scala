// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import spinal.core._

/** The kind of the access in E1, in registers: it has a clock for its lookup first. */
class SortedAccess(u: LoadStore) extends Area {
  import u.{access, c, tick, uncached}
  private def kept(what: Bool): Bool = {
    val before = RegNext(access.valid && what && !tick) init False
    c.timing.agree(tick, before, access.valid && what, "an access is not sorted")
    before
  }
  val valid = kept(True)
  val load = kept(!uncached && !access.store)
  val store = kept(!uncached && access.store && !access.locked)
  val conditional = kept(access.store && access.locked)
}
