// SPDX-License-Identifier: BSD-2-Clause
package mcpi.lance

import mcpi.bus.TcBeat
import spinal.core._
import spinal.lib._

case class IoasicDmaIo(dense: Boolean) extends Bundle {
  val cycle = in Bool ()
  val enable = in Bool () // SSR bit 16
  val pointer = in Bits (32 bits)
  val chip = slave(LanceMemory())
  val ack, err = in Bool ()
  val adHost = in Bits (32 bits)
  val rReq, wReq = out Bool ()
  val adOption = out Bits (32 bits)
  val mask = dense generate (out Bits (4 bits)) // of adOption's bytes
  val pending = out Bool () // a request that the host has not acknowledged
  val active = out Bool ()
  val failed = out Bool () // one tick: memory failed
}

/** A bus ownership of the chip as one TURBOchannel burst of one to four longwords.
  *
  * Without SSR's enable, or after an error, the chip gets no answer and finds MERR by itself.
  *
  * @param dense memory without gaps, of which only the bytes that are meant are written
  */
class IoasicDma(dense: Boolean) extends Component {
  val io = IoasicDmaIo(dense)

  object IoasicDmaState extends SpinalEnum {
    val idle, request, address, write, read, failed = newElement()
  }
  val state = Reg(IoasicDmaState()) init IoasicDmaState.idle
  val lane = Reg(UInt(2 bits)) // the longword that goes or comes next
  val end = Reg(UInt(2 bits))
  // The last longword goes to memory, or comes from it: what the chip waits for is known ahead.
  val lastGoes, lastComes = Reg(Bool()) init False
  val abandoned = Reg(Bool()) init False // the chip has let go: end the burst and forget it
  val rReq, wReq = Reg(Bool()) init False
  val adOption = Reg(Bits(32 bits)) init 0

  io.rReq := rReq
  io.wReq := wReq
  io.adOption := adOption
  io.pending := state === IoasicDmaState.request
  io.active := state =/= IoasicDmaState.idle || abandoned || io.chip.request
  io.chip.lane := lane
  io.chip.readValid := False
  io.chip.readData := (if (dense) io.chip.fromLongword(io.adHost) else io.adHost)
  io.failed := False

  // The longword of the piece; with gaps a single word is alone in its own.
  private def gapless(lane: UInt) = if (dense) lane else Mux(io.chip.single, U(0), lane)

  val wanted = io.chip.request && !abandoned
  when(state =/= IoasicDmaState.idle && !io.chip.request)(abandoned := True)
  io.chip.done := wanted && io.cycle && (lastGoes || lastComes && io.ack && !io.err)
  def endWrite(): Unit = { // done, or the chip has let go
    wReq := False
    lastGoes := False
    state := IoasicDmaState.idle
  }
  val mask = dense generate (Reg(Bits(4 bits)) init 0)
  val meant = dense generate new BytesMeant(io.chip, lane)
  if (dense) io.mask := mask
  // With gaps the upper half of a single word's longword is undefined (sources/lance.md 3.2): zero.
  def driveLongword(): Unit = {
    adOption := (if (dense) io.chip.longword else io.chip.writeData)
    if (dense) mask := meant.mask
    lastGoes := lane === end
    lane := lane + 1
  }

  switch(state) {
    is(IoasicDmaState.idle) {
      abandoned := False
      when(io.cycle && io.chip.request && io.enable) {
        rReq := !io.chip.write
        wReq := io.chip.write
        lane := gapless(io.chip.address(3 downto 2))
        end := gapless(io.chip.last(3 downto 2))
        state := IoasicDmaState.request
      }
    }
    is(IoasicDmaState.request) {
      when(io.cycle && io.ack) {
        adOption := TcBeat.dma(
          if (dense) GapMap.dense(io.pointer, io.chip.address, lane)
          else
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
        state := Mux(wReq, IoasicDmaState.write(), IoasicDmaState.read())
        lastComes := !wReq && lane === end
        when(wReq) {
          driveLongword()
          when(!wanted)(endWrite())
        }
      }
    }
    is(IoasicDmaState.write) {
      when(io.cycle) {
        driveLongword()
        when(lastGoes || !wanted)(endWrite())
      }
    }
    is(IoasicDmaState.read) {
      when(io.cycle && io.err) {
        rReq := False
        lastComes := False
        io.failed := True
        state := IoasicDmaState.failed
      } elsewhen (io.cycle && io.ack) {
        io.chip.readValid := wanted
        lane := lane + 1
        lastComes := lane + 1 === end && !lastComes
        when(lastComes) {
          rReq := False
          state := IoasicDmaState.idle
        }
      }
    }
    is(IoasicDmaState.failed) {
      when(!io.chip.request)(state := IoasicDmaState.idle)
    }
  }
}
