// SPDX-License-Identifier: BSD-2-Clause
package mcpi.bus

import spinal.core._

/** The clock of registers that move in every clock, though those around them move in ticks. */
object EveryClock {
  private def domain = ClockDomain.current.copy(clockEnable = null)
  def apply[T](block: => T): T = domain(block)

  /** The registers around move in this clock. */
  def clockEnabled: Bool = ClockDomain.current.readClockEnableWire
}
