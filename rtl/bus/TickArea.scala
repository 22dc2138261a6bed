// SPDX-License-Identifier: BSD-2-Clause
package mcpi.bus

import spinal.core._

/** Registers of virtual time: they move in ticks only, and reset needs no tick. Nothing ticks while
  * a machine is held, so a plain clock enable would keep the state of the run before.
  */
class TickArea(tick: Bool)
    extends ClockingArea(
      ClockDomain.current.copy(clockEnable = tick || ClockDomain.current.readResetWire)
    )
