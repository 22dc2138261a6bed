// SPDX-License-Identifier: BSD-2-Clause
package mcpi.boards

import spinal.core._
import spinal.lib._
import spinal.lib.blackbox.lattice.ecp5.DCCA

/** From a board's oscillator: 100 MHz for RGMII, and of it the node's clock with its reset.
  *
  * An oscillator of another frequency has a PLL that makes the 100 MHz. The reset lasts until the
  * PLLs have locked and 65,536 clocks more, and as long as `button` is pressed (true). The clock of
  * a chip beside the node has the node's frequency, and rises `behind` periods of the VCO later.
  */
class BoardClocks(input: Bool, inputMhz: Int, board: BoardFile, button: Bool, behind: Int = 0)
    extends Area {
  private val fast = 100
  require(fast % inputMhz == 0, s"no 100 MHz from $inputMhz")
  val first = (inputMhz != fast) generate Pll(input, fast / inputMhz, 1, fast)
  val quarter = if (inputMhz == fast) input else first.CLKOP
  private val mhz = board.clockHz / 1e6
  val pll = Pll(quarter, board.multiplier, board.divider, mhz, Option.when(behind > 0)(behind))
  val late = pll.CLKOS // off, unless it is behind
  private val locked = if (inputMhz == fast) pll.LOCK else pll.LOCK && first.LOCK
  private val bare = ClockDomain(pll.CLKOP, config = ClockDomainConfig(resetKind = BOOT))
  val waiting = new ClockingArea(bare) {
    val stable = BufferCC(locked && !button, False)
    val count = Reg(UInt(17 bits)) init 0
    when(!count.msb) { count := count + 1 }
    when(!stable) { count := 0 }
    val reset = RegNext(!count.msb) init True
  }
  // Four thousand registers hear it: on a clock's wires, or routing it takes longer than all else.
  val node = ClockDomain(
    pll.CLKOP,
    DCCA.on(waiting.reset),
    config = ClockDomainConfig(resetKind = SYNC, resetActiveLevel = HIGH),
    frequency = FixedFrequency(HertzNumber(board.clockHz))
  )
}

/** The PLL of an ECP5: EHXPLLL, its first output fed back. SpinalHDL's cannot shift an output.
  *
  * @param multiplied
  *   frequency of the outputs, in input frequencies, times `divided`
  * @param divider
  *   of the VCO, to the outputs
  * @param behind
  *   how many periods of the VCO the second output rises later than the first, if it is on
  */
private[boards] class Pll(multiplied: Int, divided: Int, divider: Int, behind: Option[Int])
    extends BlackBox {
  setDefinitionName("EHXPLLL")
  val CLKI, CLKFB, RST, STDBY = in Bool ()
  val ENCLKOP, ENCLKOS = in Bool ()
  val PHASESEL0, PHASESEL1, PHASEDIR, PHASESTEP, PHASELOADREG = in Bool ()
  val CLKOP, CLKOS, LOCK = out Bool ()
  addGeneric("CLKI_DIV", divided)
  addGeneric("CLKFB_DIV", multiplied)
  addGeneric("FEEDBK_PATH", "CLKOP")
  addGeneric("INT_LOCK_STICKY", "DISABLED") // else LOCK stays when the lock is lost
  for ((output, phase) <- Seq("CLKOP" -> 0, "CLKOS" -> behind.getOrElse(0))) {
    addGeneric(s"${output}_ENABLE", "ENABLED")
    addGeneric(s"${output}_DIV", divider)
    addGeneric(s"${output}_CPHASE", phase)
    addGeneric(s"${output}_FPHASE", 0)
  }
}

private[boards] object Pll {

  /** `mhz` at the outputs, from a VCO of 600 MHz or a little more. */
  def apply(
      input: Bool,
      multiplied: Int,
      divided: Int,
      mhz: Double,
      behind: Option[Int] = None
  ): Pll = {
    val pll = new Pll(multiplied, divided, scala.math.ceil(600 / mhz - 1e-9).toInt, behind)
    pll.CLKI := input
    pll.CLKFB := pll.CLKOP
    pll.ENCLKOP := True
    pll.ENCLKOS := Bool(behind.isDefined)
    for (pin <- Seq(pll.RST, pll.STDBY, pll.PHASESEL0, pll.PHASESEL1)) pin := False
    for (pin <- Seq(pll.PHASEDIR, pll.PHASESTEP, pll.PHASELOADREG)) pin := False
    pll
  }
}
