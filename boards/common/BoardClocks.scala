// SPDX-License-Identifier: BSD-2-Clause
package mcpi.boards

import spinal.core._
import spinal.lib._
import spinal.lib.blackbox.lattice.ecp5.DCCA

/** From a board's oscillator: 100 MHz for RGMII and the node's clock, with its reset.
  *
  * The reset lasts until the PLL has locked and 65,536 clocks more, and as long as `button` is
  * pressed (true). All outputs come from the VCO; the node's is divided by `divider`, and so is
  * that of a chip beside it, which rises `behind` periods of the VCO after the node's.
  */
class BoardClocks(input: Bool, inputMhz: Int, divider: Int, button: Bool, behind: Int = 0)
    extends Area {
  private val vco = BoardFile.vcoHz / 1000000
  private val fast = 100
  require(fast % inputMhz == 0 || inputMhz == fast, s"no 100 MHz from $inputMhz")
  val pll = new Pll(
    multiplied = fast / inputMhz,
    dividers = Seq(vco / fast, divider, divider),
    phases = Seq(0, 0, behind)
  )
  pll.CLKI := input
  pll.CLKFB := pll.CLKOP
  for (pin <- Seq(pll.ENCLKOP, pll.ENCLKOS)) pin := True
  pll.ENCLKOS2 := Bool(behind > 0)
  for (pin <- Seq(pll.RST, pll.STDBY, pll.PHASESEL0, pll.PHASESEL1)) pin := False
  for (pin <- Seq(pll.PHASEDIR, pll.PHASESTEP, pll.PHASELOADREG)) pin := False

  val quarter = pll.CLKOP
  val late = pll.CLKOS2 // off, unless it is behind
  private val bare = ClockDomain(pll.CLKOS, config = ClockDomainConfig(resetKind = BOOT))
  val waiting = new ClockingArea(bare) {
    val stable = BufferCC(pll.LOCK && !button, False)
    val count = Reg(UInt(17 bits)) init 0
    when(!count.msb) { count := count + 1 }
    when(!stable) { count := 0 }
    val reset = RegNext(!count.msb) init True
  }
  // Four thousand registers hear it: on a clock's wires, or routing it takes longer than all else.
  val node = ClockDomain(
    pll.CLKOS,
    DCCA.on(waiting.reset),
    config = ClockDomainConfig(resetKind = SYNC, resetActiveLevel = HIGH),
    frequency = FixedFrequency(HertzNumber(BoardFile.vcoHz / divider))
  )
}

/** The PLL of an ECP5: EHXPLLL, its first output fed back. SpinalHDL's cannot shift an output.
  *
  * @param multiplied
  *   frequency of the first output, in input frequencies
  * @param dividers
  *   of the VCO: outputs CLKOP, CLKOS, CLKOS2
  * @param phases
  *   how many periods of the VCO each output rises later
  */
private[boards] class Pll(multiplied: Int, dividers: Seq[Int], phases: Seq[Int]) extends BlackBox {
  setDefinitionName("EHXPLLL")
  val CLKI, CLKFB, RST, STDBY = in Bool ()
  val ENCLKOP, ENCLKOS, ENCLKOS2 = in Bool ()
  val PHASESEL0, PHASESEL1, PHASEDIR, PHASESTEP, PHASELOADREG = in Bool ()
  val CLKOP, CLKOS, CLKOS2, LOCK = out Bool ()
  addGeneric("CLKI_DIV", 1)
  addGeneric("CLKFB_DIV", multiplied)
  addGeneric("FEEDBK_PATH", "CLKOP")
  addGeneric("INT_LOCK_STICKY", "DISABLED") // else LOCK stays when the lock is lost
  for (((output, divider), phase) <- Seq("CLKOP", "CLKOS", "CLKOS2") zip dividers zip phases) {
    addGeneric(s"${output}_ENABLE", "ENABLED")
    addGeneric(s"${output}_DIV", divider)
    addGeneric(s"${output}_CPHASE", phase)
    addGeneric(s"${output}_FPHASE", 0)
  }
}
