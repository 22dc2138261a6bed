// SPDX-License-Identifier: BSD-2-Clause
package mcpi.bus

import mcpi.machine.{Block, Machine}
import spinal.core._
import spinal.lib._

case class TcScratchIo() extends Bundle {
  val tick = in Bool ()
  val slot = slave(TcSlot())
  val nextEvent = out UInt (NextEvent.width bits)
}

/** The smallest whole TURBOchannel option, to copy: four scratch longwords, an interrupt, DMA of up
  * to four longwords between them and memory, the option ROM (turbochannel.md says more).
  *
  * | dense offset | register |
  * |:---|:---|
  * | 0, 4, 8, C | scratch longwords |
  * | 10 | address in memory, bits 31:2 |
  * | 14 | bits 1:0 longwords less one, 8: into memory, 9: out of it; reads 31: busy, 30: error |
  * | 18 | bit 0: the interrupt, set by the end of a burst, written by the core |
  * | 3E0… | option ROM |
  */
class TcScratch extends Component {
  val io = TcScratchIo()
  private val slot = io.slot

  object BurstState extends SpinalEnum {
    val idle, request, address, write, read, failed = newElement()
  }

  val ticked = new TickArea(io.tick) {
    val scratch = Vec(Reg(Bits(32 bits)) init 0, 4)
    val address = Reg(Bits(32 bits)) init 0
    val last = Reg(UInt(2 bits)) init 0
    val error, interrupt = Reg(Bool()) init False

    // Programmed I/O
    val state = Reg(BurstState()) init BurstState.idle
    val access = new TcAccess(slot, dmaWaits = state === BurstState.request)
    val offset = access.address(11 downto 0)
    val number = offset(3 downto 2)
    val isScratch = offset(11 downto 4) === 0
    val busy = state =/= BurstState.idle
    val status = busy ## error ## B(0, 28 bits) ## last
    access.ready := True
    when(isScratch)(access.answer := scratch(number))
      .otherwise(access.answer := OptionRom("SCRATCH ")(offset))
    when(offset === 0x10)(access.answer := address)
    when(offset === 0x14)(access.answer := status)
    when(offset === 0x18)(access.answer := interrupt.asBits.resize(32))
    val starts = access.writes && offset === 0x14 && !busy
    when(access.writes) {
      when(isScratch)(access.merge(scratch(number)))
      when(offset === 0x10)(access.merge(address))
      when(offset === 0x18)(interrupt := slot.adHost(0))
    }

    // DMA: one burst, as slow as a reader can follow.
    val rReq, wReq = Reg(Bool()) init False
    val lane = Reg(UInt(2 bits))
    val adOption = Reg(Bits(32 bits)) init 0
    def end(): Unit = {
      rReq := False
      wReq := False
      interrupt := True
      state := BurstState.idle
    }
    when(starts) {
      last := slot.adHost(1 downto 0).asUInt
      wReq := slot.adHost(8)
      rReq := slot.adHost(9) && !slot.adHost(8)
      lane := 0
      error := False
      when(slot.adHost(9 downto 8) =/= 0)(state := BurstState.request)
    }
    when(slot.cycle) {
      switch(state) {
        is(BurstState.request) {
          when(slot.ack) {
            adOption := TcBeat.dma(B"00" ## address(31 downto 2) ## B"00" asUInt)
            state := BurstState.address
          }
        }
        is(BurstState.address) {
          adOption := scratch(0)
          lane := wReq.asUInt.resized
          state := Mux(wReq, BurstState.write(), BurstState.read())
        }
        is(BurstState.write) { // the longword before `lane` is on the bus
          adOption := scratch(lane)
          lane := lane + 1
          when(lane === last + 1)(end())
        }
        is(BurstState.read) {
          when(slot.ack) {
            scratch(lane) := slot.adHost
            lane := lane + 1
            when(lane === last)(end())
          }
        }
      }
      when(slot.err) { // memory failed; of a write it is said when the burst is over
        error := True
        when(busy)(end())
      }
    }
    slot.rReq := rReq
    slot.wReq := wReq
    slot.adOption := Mux(slot.sel, access.data, adOption)
    slot.int := interrupt
    io.nextEvent := NextEvent.when(access.working || busy || slot.reset)
    when(slot.reset) {
      rReq := False
      wReq := False
      interrupt := False
      state := BurstState.idle
    }
  }
}

/** A host and two scratch cards, in slots 0 and 7. */
class TcScratchOnTc(machine: Machine) extends Component {
  private val config = TcHostConfig(machine)
  val io = new Bundle {
    val tick = in Bool ()
    val io = slave(IoBus())
    val dma = master(DmaBus())
    val interrupts = out Bits (config.slots.size bits)
    val fault = out(TcFault())
    val faultTaken = in Bool ()
    val seen = Vec(out(TcSlot()), config.slots.size) // the pins of the slots, for waveforms
  }
  val host = new TcHost(config)
  host.io.tick := io.tick
  host.io.skip := 0
  host.io.io <> io.io
  host.io.dma <> io.dma
  host.io.faultTaken := io.faultTaken
  io.interrupts := host.io.interrupts
  io.fault := host.io.fault
  for ((slot, seen) <- host.io.slots.zip(io.seen)) {
    val card = new TcScratch
    card.io.tick := io.tick
    card.io.slot <> slot
    for ((to, from) <- seen.flatten.zip(slot.flatten)) to := from
  }
}
