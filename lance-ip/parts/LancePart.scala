// SPDX-License-Identifier: BSD-2-Clause
package mcpi.lance

import spinal.core._
import spinal.lib._

/** The part with registers and DMA on a bus. */
class LancePart(c: LanceConfig, transmitClock: ClockDomain, receiveClock: ClockDomain)
    extends PartCore(c, transmitClock, receiveClock) {
  val access = slave(PartAccess())
  val memory = master(PartMemory())
  val mdio = master(MdioPins())
  val phyReset = out Bool ()

  val registers = new PartRegisters(c)
  val dma = new PartDma(c)
  registers.bus <> access
  registers.chip <> chip.io.registers
  registers.interrupt := chip.io.interrupt
  registers.dmaActive := dma.active
  registers.busFailed := dma.failed
  registers.busSilent := dma.silent
  registers.sendLost := send.lost
  registers.receiveLost := hear.lost
  registers.mdioPins <> mdio
  phyReset := registers.phyReset
  dma.base := registers.base
  dma.chip <> chip.io.memory
  dma.memory <> memory
  chip.io.halfDuplex := registers.halfDuplex
  chip.io.reset := False
}
