// SPDX-License-Identifier: BSD-2-Clause
package mcpi.lance

import spinal.core._
import spinal.lib._

/** Longwords of the part as the processor sees them; registers.rdl says what is in them. */
object PartRegisterMap {
  val rdp = 0
  val rap = 1
  val control = 2
  val status = 3
  val base = 4
  val mdio = 5
  val identity = 6
}

/** RDP and RAP of the chip, and what the chip has not: control of the wire, base of DMA, reports of
  * both sides, management of the PHY.
  */
class PartRegisters(c: LanceConfig) extends Component {
  val bus = slave(PartAccess())
  val chip = master(RegisterPort())
  val interrupt, dmaActive = in Bool ()
  val busFailed, busSilent, sendLost, receiveLost = in Bool () // one clock each
  val halfDuplex, phyReset = out Bool ()
  val base = out Bits (8 bits)
  val mdioPins = master(MdioPins())

  import PartRegisterMap._
  private def hits(register: Int) = bus.address === register
  private val writes = bus.valid && bus.write

  chip.valid := writes && bus.address(2 downto 1) === 0 && bus.mask(1 downto 0).orR
  chip.write := True
  chip.rap := bus.address(0)
  chip.writeData := bus.writeData(15 downto 0)

  val duplex, resets = RegInit(False)
  val baseBits = Reg(Bits(8 bits)) init 0
  val reports = Reg(Bits(4 bits)) init 0
  halfDuplex := duplex
  phyReset := resets
  base := baseBits
  when(writes && hits(control) && bus.mask(0)) {
    duplex := bus.writeData(0)
    resets := bus.writeData(1)
  }
  when(writes && hits(PartRegisterMap.base) && bus.mask(3))(baseBits := bus.writeData(31 downto 24))
  val cleared = (writes && hits(status) && bus.mask(0)) ? bus.writeData(5 downto 2) | B(0, 4 bits)
  reports := (reports & ~cleared) | (receiveLost ## sendLost ## busSilent ## busFailed)

  val management = new Mdio(half = (c.ticksPerUs + 4) / 5)
  management.pins <> mdioPins
  val busy, sent, missing = RegInit(False)
  val command = Reg(Bits(27 bits)) init 0
  val answer = Reg(Bits(16 bits)) init 0
  management.cmd.valid := busy && !sent
  management.cmd.write := command(26)
  management.cmd.phy := command(25 downto 21).asUInt
  management.cmd.register := command(20 downto 16).asUInt
  management.cmd.data := command(15 downto 0)
  when(management.cmd.fire)(sent := True)
  when(management.rsp.valid && sent) {
    busy := False
    missing := management.rsp.missing && !command(26)
    answer := management.rsp.data
  }
  when(writes && hits(mdio) && bus.mask.andR && !busy) {
    command := bus.writeData(26 downto 0)
    busy := True
    sent := False
  }

  private val hundred = Bool(c.linkMbps == 100)
  bus.readData := bus.address.mux(
    rdp -> chip.readData.resize(32),
    rap -> chip.readData.resize(32),
    control -> (resets ## duplex).resize(32),
    status -> (reports ## dmaActive ## interrupt).resize(32),
    PartRegisterMap.base -> (baseBits ## B(0, 24 bits)),
    mdio -> (busy ## missing ## answer).resize(32),
    identity -> (B"x7990" ## B"x1" ## hundred ## Bool(c.cLance) ## B(c.ticksPerUs, 10 bits)),
    default -> B(0, 32 bits)
  )
}
