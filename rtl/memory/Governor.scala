// SPDX-License-Identifier: BSD-2-Clause
package mcpi.memory

import spinal.core._

/** Virtual time: a clock is a tick unless somebody holds it (docs/reference/contracts.md 3).
  *
  * A `hold` is a register of its part, so that what is decided in clock k takes effect in clock
  * k + 1; or a few gates after registers, none of which asks whether this clock is a tick.
  */
class Governor(parts: Int) extends Component {
  require(parts >= 1)
  val io = new Bundle {
    val holds = in Bits (parts bits)
    val tick = out Bool ()
  }
  io.tick := !io.holds.orR
}
