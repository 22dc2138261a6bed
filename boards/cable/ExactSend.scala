// SPDX-License-Identifier: BSD-2-Clause
package mcpi.boards

import mcpi.lance.Crc32
import spinal.core._
import spinal.lib._

/** Makes messages, a nibble a clock, each when the one before has begun to leave (`left`). */
class ExactSend extends Component {
  import ExactMessage._
  val io = new Bundle {
    val session = in Bits (16 bits)
    val taken, acknowledged, head = in UInt (placeBits bits) // of the other's stream; of one's own
    val promise = in UInt (timeBits bits)
    val settled = in Bool ()
    val place = out UInt (windowBits bits)
    val byte = in Bits (8 bits)
    val left = in Bool ()
    val enable = out Bool ()
    val nibble = out Bits (4 bits)
  }
  object State extends SpinalEnum {
    val idle, preamble, frame, fcs, end = newElement()
  }
  val state = Reg(State()) init State.idle
  val waiting = RegInit(False) // a whole message has not begun to leave
  val fields = Reg(Bits(8 * headBytes bits))
  val count = Reg(UInt(9 bits)) // bytes of head and stream, or nibbles of preamble or FCS, to come
  val headLeft = Reg(UInt(5 bits))
  val place = Reg(UInt(windowBits bits))
  val high = RegInit(False)
  val crc = Reg(Bits(32 bits))
  when(io.left)(waiting := False)

  private val head = ExactHead()
  private val bytes = (io.head - io.acknowledged).resize(8)
  head.kind := kind
  head.session := io.session
  head.acknowledged := io.taken
  head.start := io.acknowledged
  head.promise := io.promise
  head.count := bytes

  val byte = (headLeft =/= 0) ? fields(7 downto 0) | io.byte
  io.place := place
  io.enable := state =/= State.idle && state =/= State.end
  io.nibble := 5
  switch(state) {
    is(State.idle) {
      high := False
      when(io.settled && !waiting) {
        fields := head.asBits
        place := io.acknowledged.resized
        headLeft := headBytes
        count := 15
        crc := Crc32.init
        state := State.preamble
      }
    }
    is(State.preamble) {
      count := count - 1
      when(count === 0) {
        io.nibble := 0xd
        count := (fields(8 * headBytes - 1 downto 8 * headBytes - 8).asUInt +^ U(
          headBytes - 1
        )).resized
        state := State.frame
      }
    }
    is(State.frame) {
      io.nibble := high ? byte(7 downto 4) | byte(3 downto 0)
      crc := Crc32.step(crc, io.nibble)
      high := !high
      when(high && headLeft <= 1)(place := place + 1) // its byte comes three clocks later
      when(high) {
        fields := fields |>> 8
        when(headLeft =/= 0)(headLeft := headLeft - 1)
        count := count - 1
        when(count === 0) {
          count := 7
          state := State.fcs
        }
      }
    }
    is(State.fcs) {
      io.nibble := ~crc(3 downto 0)
      crc := crc |>> 4
      count := count - 1
      when(count === 0)(state := State.end)
    }
    is(State.end) {
      waiting := True
      state := State.idle
    }
  }
}
