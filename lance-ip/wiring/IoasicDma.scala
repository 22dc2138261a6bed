// SPDX-License-Identifier: BSD-2-Clause
package mcpi.lance

import mcpi.bus.TcBeat
import spinal.core._
import spinal.lib._

case class IoasicDmaIo() extends Bundle {
  val cycle = in Bool ()
  val enable = in Bool () // SSR bit 16
  val pointer = in Bits (32 bits)
  val chip = slave(LanceMemory())
  val ack, err = in Bool ()
  val adHost = in Bits (32 bits)
  val rReq, wReq = out Bool ()
  val adOption = out Bits (32 bits)
  val pending = out Bool () // a request that the host has not acknowledged
  val active = out Bool ()
  val failed = out Bool () // one tick: memory failed
}

/** One bus ownership of the chip as one TURBOchannel burst of one to four longwords.
  *
  * Without SSR's enable, or after an error, the chip gets no answer and finds MERR by itself.
  */
class IoasicDma extends Component {
  val io = IoasicDmaIo()

  object IoasicDmaState extends SpinalEnum {
    val idle, request, address, write, read, failed = newElement()
  }
  val state = Reg(IoasicDmaState()) init IoasicDmaState.idle
  val lane = Reg(UInt(2 bits))
  val abandoned = Reg(Bool()) init False // the chip has let go: finish for the bus's sake
  val rReq, wReq = Reg(Bool()) init False
  val adOption = Reg(Bits(32 bits)) init 0
  val data = Reg(Bits(128 bits))

  val lanes = B(io.chip.mask.subdivideIn(4 bits).map(_.orR))
  val first, last = UInt(2 bits)
  first := OHToUInt(OHMasking.first(lanes))
  last := OHToUInt(OHMasking.last(lanes))
  when(io.chip.single) {
    first := 0
    last := 0
  }
  val end = Reg(UInt(2 bits))

  val words = io.chip.writeData.subdivideIn(32 bits)
  // The upper half of a single word's longword is undefined (facts/lance.md 3.2): zero.
  val word = Mux(io.chip.single, io.chip.writeData(15 downto 0).resize(32), words(lane))

  io.rReq := rReq
  io.wReq := wReq
  io.adOption := adOption
  io.pending := state === IoasicDmaState.request
  io.active := state =/= IoasicDmaState.idle || abandoned || io.chip.request
  io.chip.done := False
  io.chip.readData := data
  io.failed := False

  when(state =/= IoasicDmaState.idle && !io.chip.request)(abandoned := True)
  def finish(): Unit = {
    io.chip.done := io.chip.request && !abandoned
    state := IoasicDmaState.idle
  }

  switch(state) {
    is(IoasicDmaState.idle) {
      abandoned := False
      when(io.cycle && io.chip.request && io.enable) {
        rReq := !io.chip.write
        wReq := io.chip.write
        lane := first
        end := last
        state := IoasicDmaState.request
      }
    }
    is(IoasicDmaState.request) {
      when(io.cycle && io.ack) {
        adOption := TcBeat.dma(
          Mux(
            io.chip.single,
            GapMap.single(io.pointer, io.chip.address),
            GapMap.burst(io.pointer, io.chip.address, lane)
          )
        )
        state := IoasicDmaState.address
      }
    }
    is(IoasicDmaState.address) {
      when(io.cycle) {
        adOption := word
        state := Mux(wReq, IoasicDmaState.write(), IoasicDmaState.read())
      }
    }
    is(IoasicDmaState.write) {
      when(io.cycle) {
        lane := lane + 1
        adOption := words(lane + 1)
        when(lane === end) {
          wReq := False
          finish()
        }
      }
    }
    is(IoasicDmaState.read) {
      when(io.cycle && io.err) {
        rReq := False
        io.failed := True
        state := IoasicDmaState.failed
      } elsewhen (io.cycle && io.ack) {
        data.subdivideIn(32 bits)(lane) := io.adHost
        lane := lane + 1
        when(lane === end) {
          rReq := False
          io.chip.readData.subdivideIn(32 bits)(lane) := io.adHost
          finish()
        }
      }
    }
    is(IoasicDmaState.failed) {
      when(!io.chip.request)(state := IoasicDmaState.idle)
    }
  }
}
