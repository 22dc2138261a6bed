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
  val part = phy.make(new LancePart(LanceConfig(machine), _, _))
  bus.join(part)
  irq := part.interrupt
  phy_reset_n := !part.phyReset
  phy_mdc := part.mdio.mdc
  phy_mdio_o := part.mdio.write
  phy_mdio_oe := part.mdio.drive
  part.mdio.read := phy_mdio_i
}

/** The same as an option of a TURBOchannel: a slot, a PHY. `tc_cycle_i` is high in the clocks at
  * whose end the bus's clock rises.
  */
class LanceOptionTop(machine: Machine, phy: PartPhy) extends Component {
  val tc_cycle_i, tc_reset_i, tc_sel_i, tc_write_i, half_duplex_i = in Bool ()
  val tc_ad_i = in Bits (32 bits)
  val station_i = in Bits (48 bits)
  val tc_rdy_o, tc_int_o, phy_lost_o = out Bool ()
  val tc_ad_o = out Bits (32 bits)
  val part = phy.make(new OptionPart(LanceConfig(machine), PmadMap(machine), _, _))
  part.station := station_i
  part.halfDuplex := half_duplex_i
  phy_lost_o := part.lost
  private val slot = part.slot
  slot.cycle := tc_cycle_i
  slot.reset := tc_reset_i
  slot.sel := tc_sel_i
  slot.write := tc_write_i
  slot.adHost := tc_ad_i
  slot.ack := False
  slot.err := False
  tc_rdy_o := slot.rdy
  tc_int_o := slot.int
  tc_ad_o := slot.adOption
}

object PartBlocks {
  val blocks: Seq[Block] = Seq(
    Block("LanceWishboneMii", new LancePartTop(_, PartWishbone, PartMii)),
    Block("LanceWishboneRmii", new LancePartTop(_, PartWishbone, PartRmii)),
    Block("LanceWishboneRgmii", new LancePartTop(_, PartWishbone, PartRgmii)),
    Block("LanceAxi4Mii", new LancePartTop(_, PartAxi4, PartMii)),
    Block("LanceAxi4Rmii", new LancePartTop(_, PartAxi4, PartRmii)),
    Block("LanceAxi4Rgmii", new LancePartTop(_, PartAxi4, PartRgmii)),
    Block("LanceTurbochannelMii", new LanceOptionTop(_, PartMii)),
    Block("LanceTurbochannelRmii", new LanceOptionTop(_, PartRmii)),
    Block("LanceTurbochannelRgmii", new LanceOptionTop(_, PartRgmii))
  )
}
