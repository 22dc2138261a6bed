// SPDX-License-Identifier: BSD-2-Clause
package mcpi.lance

import mcpi.machine.{Block, Machine}
import spinal.core._

/** LANCE-IP as a design of somebody else's takes it: a bus, a PHY, an interrupt, MDIO, the PHY's
  * reset. `clk` has `clock.ticks_per_us` MHz.
  */
class LancePartTop(machine: Machine, bus: PartBus, phy: PartPhy) extends Component {
  val irq, phy_reset_n, phy_mdc, phy_mdio_o, phy_mdio_oe = out Bool ()
  val phy_mdio_i = in Bool ()
  val part = phy.make(LanceConfig(machine))
  bus.join(part)
  irq := part.interrupt
  phy_reset_n := !part.phyReset
  phy_mdc := part.mdio.mdc
  phy_mdio_o := part.mdio.write
  phy_mdio_oe := part.mdio.drive
  part.mdio.read := phy_mdio_i
}

object PartBlocks {
  private val buses = Seq("Wishbone" -> PartWishbone, "Axi4" -> PartAxi4)
  private val phys = Seq("Mii" -> PartMii, "Rmii" -> PartRmii, "Rgmii" -> PartRgmii)
  val blocks: Seq[Block] =
    for ((busName, bus) <- buses; (phyName, phy) <- phys)
      yield Block(s"Lance$busName$phyName", m => new LancePartTop(m, bus, phy))
}
