// SPDX-License-Identifier: BSD-2-Clause
package mcpi.lance

import mcpi.bus.{NextEvent, OptionRom, TcAccess}
import mcpi.machine.Machine
import spinal.core._
import spinal.lib._

/** Dense offsets inside the card's slot, from `machines/memory-map.toml`. */
case class PmadMap(size: Int, rdp: Int, stationRom: Int, optionRom: Int)

object PmadMap {
  def apply(machine: Machine): PmadMap = {
    def at(entry: String): Int = machine.offset("pmad", entry).toInt
    require(at("rap") == at("rdp") + 4 && at("memory") == 0)
    PmadMap(Pmad.memoryBytes, at("rdp"), at("station_rom"), at("option_rom"))
  }
}

object Pmad {
  val memoryBytes = 0x20000

  // Cycles of `sel` for an access: sources/lance.md 3.2.
  val memoryReadCycles = 9
  val memoryWriteCycles = 6
  val romCycles = 13
}

/** PMAD-AA: a TURBOchannel option with 128 KB of its own memory, which the chip addresses as it is
  * (sources/lance.md 3.2). No DMA on the TURBOchannel, no interrupt mask, no reset but the bus's.
  *
  * The memory has one port. The chip goes first, a longword a tick; programmed I/O takes a tick
  * that the chip leaves. Station ROM: byte 2 of each longword. Option ROM: turbochannel.md.
  */
class Pmad(map: PmadMap) extends LanceWiring {
  private val slot = io.slot
  private val chip = io.memory

  val access = new TcAccess(slot, dmaWaits = False)
  val registers = new PostedRegisters(io)
  val offset = access.address(21 downto 0)
  val isMemory = offset < map.size
  val isLance = offset(21 downto 3) === map.rdp >> 3
  val isStation = offset(21 downto 7) === map.stationRom >> 7
  val isOption = offset(21 downto 12) === map.optionRom >> 12
  val isRap = access.address(2)
  registers.select(isRap)

  // The chip's side: a longword a tick, what is read comes in the next.
  val lane = Reg(UInt(2 bits))
  val left = Reg(UInt(3 bits)) init 0 // longwords still to ask for
  val started, ended, arrives = Reg(Bool()) init False
  val arrivingLane = Reg(UInt(2 bits))
  val first = chip.address(3 downto 2)
  val last = chip.last(3 downto 2)
  val chipNow = chip.request && left =/= 0
  when(!chip.request) {
    started := False
    left := 0
  } elsewhen (!started) {
    started := True
    lane := first
    left := (last - first).resize(3) + 1
  } elsewhen (chipNow) {
    lane := lane + 1
    left := left - 1
  }
  ended := chipNow && left === 1
  arrives := chipNow && !chip.write
  arrivingLane := lane
  val meant = new BytesMeant(chip, lane)
  val chipData = chip.longword

  // The core's side: one tick of the memory, while its access waits for its cycles.
  val waited = Reg(UInt(4 bits))
  val served, fetched = Reg(Bool()) init False
  val held = Reg(Bits(32 bits))
  val coreNow = access.here && isMemory && !served && !chipNow
  when(coreNow)(served := True)
  fetched := coreNow
  when(access.selected)(waited := waited + 1)
  when(!access.here) {
    served := False
    waited := 0
  }

  val memory = Mem(Bits(32 bits), map.size / 4)
  val data = memory.readWriteSync(
    address = chipNow ? (chip.address(16 downto 4) @@ lane) | offset(16 downto 2),
    data = chipNow ? chipData | slot.adHost,
    enable = chipNow || coreNow,
    write = chipNow ? chip.write | slot.write,
    mask = chipNow ? meant.mask | access.mask
  )
  when(fetched)(held := data)

  chip.lane := chip.write ? lane | arrivingLane
  chip.readValid := arrives
  chip.readData := chip.fromLongword(data)
  chip.done := chip.request && ended

  // `sel` is high for two cycles more than the access waits.
  private def cycles(n: Int): UInt = U(n - 3, 4 bits)
  val wanted = slot.write ? cycles(Pmad.memoryWriteCycles) | cycles(Pmad.memoryReadCycles)
  val memoryReady = waited >= wanted && served && !fetched
  val romReady = waited >= cycles(Pmad.romCycles)
  access.ready := True
  when(isMemory)(access.ready := memoryReady)
  when(isStation || isOption)(access.ready := romReady)
  when(isLance)(access.ready := !registers.posted)
  when(isMemory)(access.answer := held)
  when(isStation) {
    access.answer := B(0, 8 bits) ## StationRom(io.station, offset(6 downto 2)) ## B(0, 16 bits)
  }
  when(isOption)(access.answer := OptionRom("PMAD-AA ", "DEC     ")(offset(11 downto 0)))
  when(isLance)(access.answer := io.registers.readData.resize(32))
  when(access.writes && isLance && access.mask(1 downto 0).orR) {
    registers.write(isRap, slot.adHost(15 downto 0))
  }

  slot.rReq := False
  slot.wReq := False
  slot.int := io.chipInterrupt
  slot.adOption := access.data
  io.chipReset := slot.reset
  io.nextEvent := NextEvent.first(
    NextEvent.when(access.working || chip.request || ended || slot.reset),
    registers.nextEvent
  )
}
