// SPDX-License-Identifier: BSD-2-Clause
package mcpi.boards

import spinal.core._
import spinal.lib._
import spinal.lib.blackbox.lattice.ecp5.{DCCA, EHXPLLL, EHXPLLLConfig}

/** From a board's oscillator: 100 MHz for RGMII and the node's clock, with its reset.
  *
  * The reset lasts until the PLL has locked and 65,536 clocks more, and as long as `button` is
  * pressed (true). Both outputs come from the VCO; the node's is divided by `divider`.
  */
class BoardClocks(input: Bool, inputMhz: Int, divider: Int, button: Bool) extends Area {
  private val vco = BoardFile.vcoHz / 1000000
  private val fast = 100
  require(fast % inputMhz == 0 || inputMhz == fast, s"no 100 MHz from $inputMhz")
  val pll = EHXPLLL(
    EHXPLLLConfig(
      clkiFreq = inputMhz MHz,
      mDiv = 1,
      fbDiv = fast / inputMhz,
      opDiv = vco / fast,
      osDiv = divider,
      os2Div = divider, // the library leaves -1 in the parameters of unused outputs
      os3Div = divider
    )
  )
  pll.io.CLKI := input
  pll.io.CLKFB := pll.io.CLKOP
  pll.io.ENCLKOP := True
  pll.io.ENCLKOS := True
  for (pin <- Seq(pll.io.ENCLKOS2, pll.io.ENCLKOS3, pll.io.STDBY, pll.io.RST)) pin := False
  for (pin <- Seq(pll.io.PHASESEL0, pll.io.PHASESEL1, pll.io.PHASEDIR)) pin := False
  for (pin <- Seq(pll.io.PHASESTEP, pll.io.PHASELOADREG, pll.io.PLLWAKESYNC)) pin := False

  val quarter = pll.io.CLKOP
  private val bare = ClockDomain(pll.io.CLKOS, config = ClockDomainConfig(resetKind = BOOT))
  val waiting = new ClockingArea(bare) {
    val stable = BufferCC(pll.io.LOCK && !button, False)
    val count = Reg(UInt(17 bits)) init 0
    when(!count.msb) { count := count + 1 }
    when(!stable) { count := 0 }
    val reset = RegNext(!count.msb) init True
  }
  // Four thousand registers hear it: on a clock's wires, or routing it takes longer than all else.
  val node = ClockDomain(
    pll.io.CLKOS,
    DCCA.on(waiting.reset),
    config = ClockDomainConfig(resetKind = SYNC, resetActiveLevel = HIGH),
    frequency = FixedFrequency(HertzNumber(BoardFile.vcoHz / divider))
  )
}
