// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import spinal.core._

/** `late === early`, for a word out of a block RAM, which comes when half of the tick is over.
  *
  * Synthesis takes all its inputs for equally early and would spread the comparison over many
  * levels; the eighths are kept as signals of their own, two levels deep, one more to join them.
  */
object LateCompare {
  def apply(late: Bits, early: Bits): Bool = {
    val parts = for (low <- 0 until widthOf(late) by 8) yield {
      val width = 8 min (widthOf(late) - low)
      (late(low, width bits) === early(low, width bits)).addAttribute("keep")
    }
    parts.reduce(_ && _)
  }
}
