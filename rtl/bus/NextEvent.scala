// SPDX-License-Identifier: BSD-2-Clause
package mcpi.bus

import spinal.core._
import spinal.lib._

/** Skipping idle ticks (contracts.md 3): how many ticks, from this one on, pass in which a
  * part does nothing but count time. A number of ticks of `width` bits that saturates; zero: it
  * does something in this tick, or may.
  */
object NextEvent {
  val width = 16

  def now: UInt = U(0, width bits)
  def never: UInt = U((1 << width) - 1, width bits)

  /** In this tick when `busy`, else never. */
  def when(busy: Bool): UInt = busy ? now | never

  /** In `ticks`. */
  def in(ticks: UInt): UInt =
    if (ticks.getWidth <= width) ticks.resize(width)
    else ((ticks >> width) === 0) ? ticks(width - 1 downto 0) | never

  /** A counter of ticks to go that stands at zero, and then means nothing, or counts. */
  def counter(left: UInt): UInt = (left === 0) ? never | in(left)

  def first(parts: UInt*): UInt = parts.reduceBalancedTree((a, b) => (a < b) ? a | b)
}
