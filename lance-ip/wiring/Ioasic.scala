// SPDX-License-Identifier: BSD-2-Clause
package mcpi.lance

import mcpi.bus.{NextEvent, TcBeat, TcSlot}
import mcpi.machine.Machine
import spinal.core._
import spinal.lib._

/** Dense offsets inside the IOASIC's slot, from `machines/memory-map.toml`. */
case class IoasicMap(pointer: Int, ssr: Int, sir: Int, simr: Int, slot: Int, rom: Int, rdp: Int) {
  require(Seq(pointer, ssr, sir, simr, slot, rom, rdp).forall(o => o % 4 == 0 && o < 0x100000))
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
      at("lance_rdp")
    )
  }
}

case class IoasicIo() extends Bundle {
  val slot = slave(TcSlot())
  val station = in Bits (48 bits)
  val csrTicks = in UInt (11 bits)
  val registers = master(RegisterPort())
  val memory = slave(LanceMemory())
  val chipInterrupt = in Bool ()
  val csr0Selected = in Bool ()
  val chipReset = out Bool ()
  val demand = out Bool () // one tick: TDMD on its way into CSR0
  val skip = in UInt (NextEvent.width bits)
  val nextEvent = out UInt (NextEvent.width bits)
}

/** The option of slot 7: station ROM, DMA pointer, SSR, SIR, SIMR, and the LANCE's two ports.
  *
  * A write to the LANCE is posted and reaches the chip `csrTicks` later; the next access of the
  * LANCE waits for it. A new access is answered with `conflict`, once, while a DMA request is
  * pending. Registers not in the map read zero.
  */
class Ioasic(map: IoasicMap) extends Component {
  val io = IoasicIo()
  val slot = io.slot

  val pointer, ssr, simr, slotRegister = Reg(Bits(32 bits)) init 0
  val readError = Reg(Bool()) init False
  val sir = B(32 bits, 16 -> readError, 8 -> io.chipInterrupt, default -> False)

  object AccessState extends SpinalEnum {
    val idle, access, done = newElement()
  }
  val state = Reg(AccessState()) init AccessState.idle
  val address = Reg(UInt(29 bits))
  val mask = Reg(Bits(4 bits))
  val rdy, conflict, conflicted = Reg(Bool()) init False
  val answer = Reg(Bits(32 bits)) init 0

  val posted = Reg(Bool()) init False
  val postedRap = Reg(Bool())
  val postedData = Reg(Bits(16 bits))
  val csr = new TicksToGo(11, io.skip)

  val dma = new IoasicDma
  dma.io.cycle := slot.cycle
  dma.io.enable := ssr(16)
  dma.io.pointer := pointer
  dma.io.chip <> io.memory
  dma.io.ack := slot.ack
  dma.io.err := slot.err
  dma.io.adHost := slot.adHost
  when(dma.io.failed)(readError := True)

  slot.rdy := rdy
  slot.conflict := conflict
  slot.rReq := dma.io.rReq
  slot.wReq := dma.io.wReq
  slot.int := (sir & simr).orR
  slot.adOption := Mux(slot.sel, answer, dma.io.adOption)

  io.chipReset := !ssr(8)
  io.registers.valid := posted && csr.over
  io.registers.write := True
  io.registers.rap := Mux(posted, postedRap, address(2))
  io.registers.writeData := postedData
  when(posted && csr.over)(posted := False)
  io.demand := False
  io.nextEvent := NextEvent.first(
    NextEvent.when(
      state =/= AccessState.idle || slot.sel || rdy || conflict || dma.io.active || slot.reset ||
        (posted && csr.over)
    ),
    csr.nextEvent
  )

  val offset = address(19 downto 0)
  def is_(entry: Int): Bool = offset === entry
  val isLance = offset(19 downto 3) === map.rdp >> 3
  val isRom = offset(19 downto 7) === map.rom >> 7
  def merge(register: Bits): Unit = for (i <- 0 until 4)
    when(mask(i))(register.subdivideIn(8 bits)(i) := slot.adHost.subdivideIn(8 bits)(i))

  when(slot.cycle) {
    rdy := False
    conflict := False
    switch(state) {
      is(AccessState.idle) {
        when(slot.sel) {
          address := TcBeat.ioAddress(slot.adHost)
          mask := TcBeat.ioMask(slot.adHost)
          conflicted := False
          state := AccessState.access
          when(dma.io.pending && !conflicted) {
            conflicted := True
            conflict := True
            state := AccessState.done
          }
        }
      }
      is(AccessState.access) {
        when(!isLance || !posted) {
          rdy := True
          state := AccessState.done
          when(slot.write)(write()).otherwise(read())
        }
      }
      is(AccessState.done) {
        when(!slot.sel)(state := AccessState.idle)
      }
    }
  }
  when(slot.reset) {
    state := AccessState.idle
    Seq(pointer, ssr, simr, slotRegister).foreach(_ := 0)
  }

  private def read(): Unit = {
    answer := 0
    when(is_(map.pointer))(answer := pointer)
    when(is_(map.ssr))(answer := ssr)
    when(is_(map.sir))(answer := sir)
    when(is_(map.simr))(answer := simr)
    when(is_(map.slot))(answer := slotRegister)
    when(isRom)(answer := StationRom(io.station, offset(6 downto 2)).resize(32))
    when(isLance)(answer := io.registers.readData.resize(32))
  }

  private def write(): Unit = {
    when(is_(map.pointer))(merge(pointer))
    when(is_(map.ssr))(merge(ssr))
    when(is_(map.simr))(merge(simr))
    when(is_(map.slot))(merge(slotRegister))
    when(is_(map.sir) && mask(2) && !slot.adHost(16))(readError := False)
    when(isLance && mask(1 downto 0).orR) {
      posted := True
      postedRap := address(2)
      postedData := slot.adHost(15 downto 0)
      csr.load(io.csrTicks)
      io.demand := !address(2) && io.csr0Selected && slot.adHost(3)
    }
  }
}
