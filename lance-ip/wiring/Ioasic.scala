// SPDX-License-Identifier: BSD-2-Clause
package mcpi.lance

import mcpi.bus.{NextEvent, TcAccess, TcBeat}
import mcpi.machine.Machine
import spinal.core._
import spinal.lib._

/** Dense offsets inside the IOASIC's slot, from `machines/memory-map.toml`. */
case class IoasicMap(
    pointer: Int,
    ssr: Int,
    sir: Int,
    simr: Int,
    slot: Int,
    rom: Int,
    rdp: Int,
    classifier: Option[Int]
) {
  require(Seq(pointer, ssr, sir, simr, slot, rom, rdp).forall(o => o % 4 == 0 && o < 0x100000))
  require(classifier.forall(o => o % 0x800 == 0 && o < 0x100000))
}

object IoasicMap {
  def apply(machine: Machine): IoasicMap = {
    def at(entry: String): Int = machine.offset("ioasic", entry).toInt
    require(at("lance_rap") == at("lance_rdp") + 4)
    IoasicMap(
      at("lance_dma_pointer"),
      at("ssr"),
      at("sir"),
      at("simr"),
      at("slot"),
      at("station_rom"),
      at("lance_rdp"),
      Option.when(machine.classifies)(at("classifier"))
    )
  }
}

/** The option of slot 7: station ROM, DMA pointer, SSR, SIR, SIMR, and the LANCE's two ports.
  *
  * A write to the LANCE is posted and reaches the chip `csrTicks` later; the next access of the
  * LANCE waits for it. A new access is answered with `conflict`, once, while a DMA request is
  * pending. Registers not in the map read zero.
  */
class Ioasic(map: IoasicMap, dense: Boolean) extends LanceWiring(dense, map.classifier.nonEmpty) {
  private val slot = io.slot

  val pointer, ssr, simr, slotRegister = Reg(Bits(32 bits)) init 0
  val readError = Reg(Bool()) init False
  val sir = B(32 bits, 16 -> readError, 8 -> io.chipInterrupt, default -> False)

  val dma = new IoasicDma(dense)
  dma.io.cycle := slot.cycle
  dma.io.enable := ssr(16)
  dma.io.pointer := pointer
  dma.io.chip <> io.memory
  dma.io.ack := slot.ack
  dma.io.err := slot.err
  dma.io.adHost := slot.adHost
  when(dma.io.failed)(readError := True)

  val access = new TcAccess(slot, dmaWaits = dma.io.pending)
  val registers = new PostedRegisters(io)
  slot.rReq := dma.io.rReq
  slot.wReq := dma.io.wReq
  slot.int := (sir & simr).orR
  slot.adOption := Mux(slot.sel, access.data, dma.io.adOption)
  if (dense) slot.mask := dma.io.mask
  io.chipReset := !ssr(8)
  io.nextEvent := NextEvent.first(
    NextEvent.when(access.working || dma.io.active || slot.reset),
    registers.nextEvent
  )

  // The register that is asked for, decoded from the address beat when TcAccess takes it.
  val offset = access.address(19 downto 0)
  private val beat = TcBeat.ioAddress(slot.adHost)(19 downto 0)
  private val taken = slot.cycle && slot.sel && access.state === access.AccessState.idle
  private def addressed(low: Int, at: Int): Bool =
    RegNextWhen(beat(19 downto low) === at >> low, taken) init False
  val isPointer = addressed(2, map.pointer)
  val isSsr = addressed(2, map.ssr)
  val isSir = addressed(2, map.sir)
  val isSimr = addressed(2, map.simr)
  val isSlot = addressed(2, map.slot)
  val isLance = addressed(3, map.rdp)
  val isRom = addressed(7, map.rom)
  val isRap = access.address(2)
  registers.select(isRap)
  access.ready := !isLance || !registers.posted

  private val rom = StationRom(io.station, offset(6 downto 2)).resize(32)
  access.answer.allowOverride()
  access.answer := Seq(
    isPointer -> pointer,
    isSsr -> ssr,
    isSir -> sir,
    isSimr -> simr,
    isSlot -> slotRegister,
    isRom -> rom,
    isLance -> io.registers.readData.resize(32)
  ).map { case (asked, value) => asked.mux(value, B(0, 32 bits)) }.reduceBalancedTree(_ | _)

  when(access.writes) {
    when(isPointer)(access.merge(pointer))
    when(isSsr)(access.merge(ssr))
    when(isSimr)(access.merge(simr))
    when(isSlot)(access.merge(slotRegister))
    when(isSir && access.mask(2) && !slot.adHost(16))(readError := False)
    when(isLance && access.mask(1 downto 0).orR) {
      registers.write(isRap, slot.adHost(15 downto 0))
    }
  }
  // The entries of the classifier, which are written and not read.
  for (start <- map.classifier) {
    io.entries.valid := access.writes && addressed(11, start) && access.mask(0)
    io.entries.entry := offset(10 downto 8)
    io.entries.place := offset(7 downto 2)
    io.entries.data := slot.adHost
  }
  when(slot.reset)(Seq(pointer, ssr, simr, slotRegister).foreach(_ := 0))
}
