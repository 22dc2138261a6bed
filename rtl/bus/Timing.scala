// SPDX-License-Identifier: BSD-2-Clause
package mcpi.bus

import spinal.core._

/** What the timing of a routed board may take for granted of a register (timing.md): Verilog
  * attributes, for nobody but `./mcpi board timing`. `keep` holds the name in synthesis.
  */
object Timing {

  /** The host writes it before a run, long before anything looks. */
  def static(register: Data): Unit = mark(register, "mcpi_static")

  /** What it holds has been there for two clocks when a register of virtual time takes it. */
  def early[T <: Data](register: T): T = mark(register, "mcpi_early")

  /** It is `value` ("0" or "1") as long as a run lasts. */
  def quiet(register: Bool, value: String): Unit = mark(register, s"mcpi_quiet_$value")

  private def mark[T <: Data](register: T, name: String): T = {
    register.addAttribute(name)
    register.addAttribute("keep")
    register
  }
}
