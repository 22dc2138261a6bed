// SPDX-License-Identifier: BSD-2-Clause
package mcpi.lance

import mcpi.bus.TcSlot
import spinal.core._
import spinal.lib._

/** The part as an option of a TURBOchannel with memory of its own: PMAD-AA in real clocks. */
class OptionPart(
    c: LanceConfig,
    map: PmadMap,
    transmitClock: ClockDomain,
    receiveClock: ClockDomain
) extends PartCore(c, transmitClock, receiveClock) {
  val slot = slave(TcSlot())
  val station = in Bits (48 bits)
  val halfDuplex = in Bool ()
  val lost = out Bool () // one clock: the PHY's clock stood

  val pmad = new Pmad(map)
  pmad.io.slot <> slot
  pmad.io.station := station
  pmad.io.csrTicks := 0
  pmad.io.skip := 0
  pmad.io.registers <> chip.io.registers
  pmad.io.memory <> chip.io.memory
  pmad.io.chipInterrupt := chip.io.interrupt
  pmad.io.csr0Selected := chip.io.csr0Selected
  chip.io.reset := pmad.io.chipReset
  chip.io.halfDuplex := halfDuplex
  lost := send.lost || hear.lost
}
