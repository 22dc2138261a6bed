// SPDX-License-Identifier: BSD-2-Clause
package mcpi.bus

import spinal.core._
import spinal.lib._

case class TcProgrammedIo(c: TcHostConfig) extends Bundle {
  val io = slave(IoBus())
  val cycle, grant, posted = in Bool () // grant comes only with cycle
  val served = in Bool () // a burst gets the bus: a retry has given way
  val wants, busy, conflicted = out Bool () // conflicted: back for a retry, DMA goes first
  val active = out Bool () // an access is here, or under way
  val timedOut = out Bool () // one tick
  val address = out UInt (34 bits) // of the access
  val sel = out Bits (c.slots.size bits)
  val write = out Bool ()
  val adHost = out Bits (32 bits)
  val rdy, conflict = in Bool ()
  val adOption = in Bits (32 bits)
}

/** An uncached access of the core as one or two TURBOchannel accesses.
  *
  * Address bits 31:29 are the slot. Bit 28 clear, the dense half: a read is always two bus reads,
  * the aligned quadword; a write one for each longword. Bit 28 set, the sparse half: longwords
  * eight bytes apart, one bus access; of a quadword written, bits 35:32 are the byte mask
  * (sources/lance.md 4). A slot that is not there, or silent for `timeoutCycles`, gives an error.
  */
class TcProgrammed(c: TcHostConfig) extends Component {
  val io = TcProgrammedIo(c)

  object IoState extends SpinalEnum {
    val idle, select, address, data, again, answer = newElement()
  }
  val state = Reg(IoState()) init IoState.idle
  val command = Reg(IoCmd())
  val conflicted = Reg(Bool()) init False
  val error = Reg(Bool()) init False
  val high = Reg(Bool()) init False // the upper longword of a dense quadword
  val timeout = Reg(UInt(13 bits))
  val result = Reg(Bits(64 bits))
  val sel = Reg(Bits(c.slots.size bits)) init 0
  val adHost = Reg(Bits(32 bits)) init 0

  val sparse = command.address(28)
  val present = B(c.slots.map(n => command.address(31 downto 29) === n))
  val upper = Mux(command.write && !command.quad, command.address(2), high)
  val dense = command.address(27 downto 3) @@ upper @@ U"00"
  val packed = U"0" @@ command.address(27 downto 3) @@ U"00"
  val offset = Mux(sparse, packed, dense).resize(29 bits)
  val mask = Mux(sparse && command.quad, command.data(35 downto 32), B"1111")
  val longwords = Mux(sparse, False, !command.write || command.quad) // a second access follows
  val takeHigh = !sparse && command.quad && high

  io.io.cmd.ready := state === IoState.idle
  io.wants := state === IoState.select
  val onBus = Seq(IoState.address, IoState.data, IoState.again).map(state === _).orR
  io.busy := sel.orR || onBus
  io.conflicted := conflicted
  io.active := state =/= IoState.idle || sel.orR || io.io.cmd.valid
  io.sel := sel
  io.write := command.write
  io.timedOut := False
  io.address := command.address
  io.adHost := adHost

  val longword = Mux(command.address(2) && !sparse, result(63 downto 32), result(31 downto 0))
  io.io.rsp.valid := state === IoState.answer && !io.posted
  io.io.rsp.data := Mux(command.quad, result, longword.resize(64))
  io.io.rsp.error := error

  when(io.served)(conflicted := False)
  switch(state) {
    is(IoState.idle) {
      when(io.io.cmd.valid) {
        command := io.io.cmd.payload
        high := False
        error := False
        conflicted := False
        result := 0
        state := IoState.select
      }
    }
    is(IoState.select) {
      when(io.grant) {
        sel := present
        adHost := TcBeat.io(offset, mask)
        timeout := 0
        state := IoState.address
      }
    }
    is(IoState.address) {
      when(io.cycle) {
        adHost := Mux(takeHigh, command.data(63 downto 32), command.data(31 downto 0))
        state := IoState.data
      }
    }
    is(IoState.data) {
      when(io.cycle) {
        timeout := timeout + 1
        when(io.rdy) {
          sel := 0
          when(!command.write) {
            when(high)(result(63 downto 32) := io.adOption)
              .otherwise(result(31 downto 0) := io.adOption)
          }
          high := True
          state := Mux(longwords && !high, IoState.again(), IoState.answer())
        } elsewhen (io.conflict) {
          sel := 0
          conflicted := True
          state := IoState.select
        } elsewhen (timeout === c.timeoutCycles - 3) {
          // two cycles passed in `address` and before the first look
          sel := 0
          error := True
          io.timedOut := True
          state := IoState.answer
        }
      }
    }
    is(IoState.again) { // one cycle without sel, so that the option sees two accesses
      when(io.cycle)(state := IoState.select)
    }
    is(IoState.answer) {
      when(!io.posted)(state := IoState.idle)
    }
  }
}
