// SPDX-License-Identifier: BSD-2-Clause
package mcpi.lance

import spinal.core._
import spinal.lib._

/** A frame that waits in a slot: its whole bytes; whether a nibble more; whether the PHY saw an
  * error in it.
  */
case class StoredFrame() extends Bundle {
  val length = UInt(FrameSlots.lengthBits bits)
  val odd, error = Bool()
}

/** Plays stored frames in turn, in this clock: preamble, delimiter, bytes low nibble first, a gap
  * of 24; a nibble where `step`. `bytes` was written in another clock, before `frame` came over.
  */
class FramePlayer(bytes: Mem[Bits], frame: Stream[StoredFrame], step: Bool) extends Area {
  object State extends SpinalEnum {
    val idle, preamble, frame, gap = newElement()
  }
  val state = Reg(State()) init State.idle
  val nibbles = Reg(UInt(5 bits)) init 0 // of preamble or gap, yet to come
  val slot = Reg(UInt(log2Up(FrameSlots.count) bits)) init 0
  val index = Reg(UInt(FrameSlots.lengthBits bits)) init 0
  val high, plays = RegInit(False)
  val upper, data = Reg(Bits(4 bits))
  val byte = bytes.readSync(slot @@ index, clockCrossing = true)
  val begins = step && state === State.idle && frame.valid
  // Looked at a clock late: the index stands for two steps, and the frame since the preamble.
  val over = RegNext(index === frame.length)
  val oddOver = Reg(Bool()) // the odd nibble is the low half of a byte after the last
  frame.ready := step && state === State.frame && (frame.odd ? (high && oddOver) | (!high && over))
  when(step) {
    switch(state) {
      is(State.idle) {
        index := 0
        high := False
        when(begins) {
          state := State.preamble
          plays := True
          data := 0x5
          nibbles := 14
        }
      }
      is(State.preamble) {
        nibbles := nibbles - 1
        when(nibbles === 0) {
          data := 0xd
          state := State.frame
        }
      }
      is(State.frame) {
        high := !high
        upper := byte(7 downto 4)
        data := high ? upper | byte(3 downto 0)
        when(!high) {
          index := index + 1
          oddOver := over
        }
        when(frame.ready) {
          plays := False
          slot := slot + 1
          nibbles := 23
          state := State.gap
        }
      }
      is(State.gap) {
        nibbles := nibbles - 1
        when(nibbles === 0) { state := State.idle }
      }
    }
  }
}
