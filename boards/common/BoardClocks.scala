// SPDX-License-Identifier: BSD-2-Clause
package mcpi.boards

import spinal.core._
import spinal.lib._
import spinal.lib.blackbox.lattice.ecp5.DCCA

/** From a board's oscillator: 100 MHz for RGMII, and of it the node's clock with its reset.
  *
  * An oscillator of another frequency has a PLL that makes the 100 MHz. The reset lasts until the
  * PLLs have locked and 65,536 clocks more, and as long as `button` is pressed (true). The clock of
  * a chip beside the node has the node's frequency, and rises `lag` periods of the VCO later.
  */
class BoardClocks(input: Bool, inputMhz: Int, board: BoardFile, button: Bool, lag: Int = 0)
    extends Area {
  private val fast = 100
  private val direct = inputMhz == fast
  require(fast % inputMhz == 0, s"no 100 MHz from $inputMhz")
  val first = !direct generate new Pll(input, 1, fast / inputMhz, Seq(600 / fast))
  val quarter = if (direct) input else first.CLKOP
  // 25 MHz are compared with half the VCO's clock, divided: any VCO of a multiple of 50 MHz.
  private val outputs = Seq(2, board.divider) ++ Option.when(lag > 0)(board.divider)
  val pll = new Pll(quarter, 4, board.vcoMhz / 50, outputs, lag)
  val late = pll.CLKOS2 // off without `lag`
  private val locked = if (direct) pll.LOCK else pll.LOCK && first.LOCK
  private val bare = ClockDomain(pll.CLKOS, config = ClockDomainConfig(resetKind = BOOT))
  val waiting = new ClockingArea(bare) {
    val stable = BufferCC(locked && !button, False)
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
    frequency = FixedFrequency(HertzNumber(board.clockHz))
  )
}

/** The PLL of an ECP5: EHXPLLL, its first output fed back. SpinalHDL's cannot shift an output.
  *
  * Input ÷ `divided` is compared with the first output ÷ `multiplied`.
  *
  * @param dividers
  *   of the VCO: outputs CLKOP, CLKOS, CLKOS2; those without one are off
  * @param lag
  *   how many periods of the VCO the third output rises later than the others
  */
private[boards] class Pll(
    input: Bool,
    divided: Int,
    multiplied: Int,
    dividers: Seq[Int],
    lag: Int = 0
) extends BlackBox {
  setDefinitionName("EHXPLLL")
  val CLKI, CLKFB, RST, STDBY = in Bool ()
  val ENCLKOP, ENCLKOS, ENCLKOS2 = in Bool ()
  val PHASESEL0, PHASESEL1, PHASEDIR, PHASESTEP, PHASELOADREG = in Bool ()
  val CLKOP, CLKOS, CLKOS2, LOCK = out Bool ()
  addGeneric("CLKI_DIV", divided)
  addGeneric("CLKFB_DIV", multiplied)
  addGeneric("FEEDBK_PATH", "CLKOP")
  addGeneric("INT_LOCK_STICKY", "DISABLED") // otherwise LOCK stays high when the lock is lost
  private val enables = Seq("CLKOP" -> ENCLKOP, "CLKOS" -> ENCLKOS, "CLKOS2" -> ENCLKOS2)
  for (((output, _), at) <- enables.zipWithIndex) {
    addGeneric(s"${output}_ENABLE", "ENABLED")
    addGeneric(s"${output}_DIV", dividers.lift(at).getOrElse(dividers.last))
    addGeneric(s"${output}_CPHASE", if (at == 2) lag else 0)
    addGeneric(s"${output}_FPHASE", 0)
  }

  Component.current.parent.rework {
    CLKI := input
    CLKFB := CLKOP
    for (((_, enable), at) <- enables.zipWithIndex) enable := Bool(at < dividers.length)
    for (pin <- Seq(RST, STDBY, PHASESEL0, PHASESEL1, PHASEDIR, PHASESTEP, PHASELOADREG))
      pin := False
  }
}
