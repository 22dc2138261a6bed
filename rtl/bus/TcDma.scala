// SPDX-License-Identifier: BSD-2-Clause
package mcpi.bus

import spinal.core._
import spinal.lib._

case class TcDmaIo(c: TcHostConfig) extends Bundle {
  val memory = master(DmaBus())
  val cycle, grant = in Bool () // grant comes only with cycle
  val busy = out Bool ()
  val posted = out Bool () // written words that memory has not yet taken
  val active = out Bool () // anything is under way, to the last acknowledgement
  val ack, err = out Bool ()
  val memoryFailed, tooLong = out Bool () // one tick: why `err` comes
  val crossed = out Bool () // with tooLong: 2 KB, not the number of longwords
  val address = out UInt (34 bits) // of the longword that comes next
  val adHost = out Bits (32 bits)
  val rReq, wReq = in Bool () // of the slot served
  val adOption = in Bits (32 bits)
  val mask = c.masks generate (in Bits (4 bits))
}

/** A DMA burst of an option: longwords on the TURBOchannel, 16-byte pieces to memory.
  *
  * A burst that crosses 2 KB or exceeds `maxBurst` longwords ends with `err` (sources/lance.md 4).
  */
class TcDma(c: TcHostConfig) extends Component {
  val io = TcDmaIo(c)

  object DmaState extends SpinalEnum {
    val idle, granted, address, writing, fetch, arrive, reading, more, failed = newElement()
  }
  val state = Reg(DmaState()) init DmaState.idle
  val isRead = Reg(Bool())
  val address = Reg(UInt(34 bits))
  val words = Reg(UInt(8 bits))
  val crossed = Reg(Bool()) // the word before was the last of its 2 KB
  val ack, err = Reg(Bool()) init False
  val adHost = Reg(Bits(32 bits)) init 0
  val piece = Reg(Bits(128 bits))
  val mask = Reg(Bits(16 bits)) init 0

  // At most one burst's pieces wait here: the next burst is granted when none is left.
  val posted = new PostedWrites(c.maxBurst / 4 + 1)
  val push = posted.io.push
  push.valid := False
  push.payload.address := address(33 downto 4) @@ U"0000"
  push.payload.write := True
  push.payload.data := piece
  push.payload.mask := mask
  val lane = address(3 downto 2)
  private def bytes = if (c.masks) io.mask else B"1111" // of the longword that comes

  val waiting = Reg(Bool()) init False // a command is out
  val fetching = state === DmaState.fetch
  io.memory.cmd.valid := !waiting && (posted.io.pop.valid || fetching)
  io.memory.cmd.payload := posted.io.pop.payload
  when(fetching) {
    io.memory.cmd.payload.address := address(33 downto 4) @@ U"0000"
    io.memory.cmd.payload.write := False
    io.memory.cmd.payload.mask := 0
  }
  posted.io.pop.ready := io.memory.cmd.ready && !waiting && !fetching
  when(io.memory.cmd.fire)(waiting := True)
  when(io.memory.rsp.valid)(waiting := False)

  val writeFailed = Reg(Bool()) init False // reported with err when the burst is over
  val writesOut = Reg(Bool()) init False
  when(io.memory.cmd.fire)(writesOut := io.memory.cmd.write)
  when(io.memory.rsp.valid && writesOut && io.memory.rsp.error)(writeFailed := True)

  io.busy := state =/= DmaState.idle
  io.posted := state === DmaState.writing || posted.io.occupancy =/= 0 ||
    (waiting && writesOut) || writeFailed
  io.active := state =/= DmaState.idle || io.posted || waiting || ack || err
  io.ack := ack
  io.err := err
  io.adHost := adHost

  val next = address + 4
  val lastOfPiece = address(3 downto 2) === 3
  val crosses = next(33 downto 11) =/= address(33 downto 11)
  val exhausted = crossed || words === c.maxBurst

  io.memoryFailed := io.memory.rsp.valid && io.memory.rsp.error
  io.tooLong := False
  io.crossed := crossed
  io.address := address

  when(io.cycle) {
    ack := False
    err := False
  }
  switch(state) {
    is(DmaState.idle) {
      words := 0
      mask := 0
      crossed := False
      when(io.grant) {
        ack := True
        isRead := io.rReq
        state := DmaState.granted
      } elsewhen (io.cycle && writeFailed && posted.io.occupancy === 0 && !waiting) {
        err := True
        writeFailed := False
      }
    }
    is(DmaState.granted) {
      when(io.cycle)(state := DmaState.address)
    }
    is(DmaState.address) {
      when(io.cycle) {
        address := TcBeat.dmaAddress(io.adOption)
        state := Mux(isRead, DmaState.fetch(), DmaState.writing())
      }
    }
    is(DmaState.writing) {
      when(io.cycle) {
        when(!io.wReq) {
          push.valid := mask.orR
          state := DmaState.idle
        } elsewhen (exhausted) {
          err := True
          io.tooLong := True
          push.valid := mask.orR
          state := DmaState.failed
        } otherwise {
          push.valid := lastOfPiece
          push.payload.data.subdivideIn(32 bits)(lane) := io.adOption
          push.payload.mask.subdivideIn(4 bits)(lane) := bytes
          piece.subdivideIn(32 bits)(lane) := io.adOption
          mask.subdivideIn(4 bits)(lane) := bytes
          when(lastOfPiece)(mask := 0)
          words := words + 1
          address := next
          crossed := crosses
        }
      }
    }
    is(DmaState.fetch) {
      when(io.memory.cmd.fire)(state := DmaState.arrive)
    }
    is(DmaState.arrive) {
      when(io.memory.rsp.valid) {
        piece := io.memory.rsp.data
        state := Mux(io.memory.rsp.error, DmaState.failed(), DmaState.reading())
        err := io.memory.rsp.error
      }
    }
    is(DmaState.reading) {
      when(io.cycle) {
        when(!io.rReq) {
          state := DmaState.idle
        } otherwise {
          ack := True
          adHost := piece.subdivideIn(32 bits)(lane)
          words := words + 1
          address := next
          crossed := crosses
          when(lastOfPiece || words === c.maxBurst - 1)(state := DmaState.more)
        }
      }
    }
    is(DmaState.more) { // the option takes the last word, then says whether it wants another
      when(io.cycle) {
        when(!io.rReq)(state := DmaState.idle)
          .elsewhen(!ack) {
            io.tooLong := exhausted
            state := Mux(exhausted, DmaState.failed(), DmaState.fetch())
          }
      }
    }
    is(DmaState.failed) {
      when(io.cycle) {
        when(Mux(isRead, io.rReq, io.wReq))(err := True)
          .otherwise(state := DmaState.idle)
      }
    }
  }
}
