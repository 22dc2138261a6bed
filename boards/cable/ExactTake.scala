// SPDX-License-Identifier: BSD-2-Clause
package mcpi.boards

import mcpi.lance.Crc32
import spinal.core._
import spinal.lib._

/** Takes messages, nibble by nibble where `strobe`, whole or not at all (exact-time.md,
  * TAKING). `write` puts bytes of the stream where they belong before their message counts.
  */
class ExactTake extends Component {
  import ExactMessage._
  val io = new Bundle {
    val session = in Bits (16 bits)
    val strobe, valid, error = in Bool ()
    val nibble = in Bits (4 bits)
    val read = in UInt (placeBits bits) // bytes of the stream that the node has got
    val write = master(Flow(new Bundle {
      val place = UInt(storeBits bits)
      val byte = Bits(8 bits)
    }))
    val taken, acknowledged = out UInt (placeBits bits)
    val limit = out UInt (timeBits bits)
    val heard, foreign = out Bool () // pulses: a message counts; one has another session
  }
  val taken, acknowledged = Reg(UInt(placeBits bits)) init 0
  val limit = Reg(UInt(timeBits bits)) init 0
  val room = RegNext(U(1 << storeBits) - (taken - io.read).resize(storeBits + 1)) init 0

  val hunts = RegInit(True)
  val high, wrong = RegInit(False)
  val low = Reg(Bits(4 bits))
  val crc = Reg(Bits(32 bits))
  val head = Reg(ExactHead())
  val headLeft = Reg(UInt(5 bits)) init 0
  val left = Reg(UInt(8 bits)) // bytes of the stream to come
  val fcsLeft = Reg(UInt(3 bits)) init 0
  val offset = Reg(SInt(placeBits bits)) // place of the next byte, less `taken`
  val ahead = Reg(Bool()) // the first one's place is after `taken`
  val looks = RegNext(io.strobe && io.valid && !hunts && high && headLeft === 1) init False
  val byte = io.nibble ## low
  val ends = io.strobe && !io.valid && !hunts

  when(io.strobe && io.valid) {
    when(hunts) {
      hunts := io.nibble =/= 0xd
      high := False
      wrong := io.error
      crc := Crc32.init
      headLeft := headBytes
      fcsLeft := 4
    } otherwise {
      high := !high
      low := io.nibble
      crc := Crc32.step(crc, io.nibble)
      wrong := wrong || io.error
      when(high) {
        when(headLeft =/= 0) {
          headLeft := headLeft - 1
          head.assignFromBits(byte ## head.asBits(8 * headBytes - 1 downto 8))
        } elsewhen (left =/= 0) {
          left := left - 1
          offset := offset + 1
        } otherwise {
          wrong := wrong || io.error || fcsLeft === 0
          fcsLeft := fcsLeft - 1
        }
      }
    }
  }
  when(looks) { // the head is whole; the next byte is two clocks away, or more
    left := head.count
    offset := (head.start - taken).asSInt
    ahead := head.start > taken
  }
  io.write.valid := io.strobe && io.valid && !hunts && high && headLeft === 0 && left =/= 0 &&
    !offset.msb && offset < room.intoSInt.resize(placeBits)
  io.write.place := (taken + offset.asUInt).resize(storeBits)
  io.write.byte := byte
  when(ends)(hunts := True)

  val whole = !wrong && !high && headLeft === 0 && left === 0 && fcsLeft === 0 &&
    crc === B(Crc32.residue, 32 bits) && head.kind === kind
  val ended = RegNext(ends && whole) init False
  val ours = head.session === io.session
  val fits = offset.msb || offset <= room.intoSInt.resize(placeBits)
  val counts = ended && ours && !ahead && fits
  when(counts && !offset.msb)(taken := taken + offset.asUInt)
  when(counts && head.promise > limit)(limit := head.promise)
  when(ended && ours && head.acknowledged > acknowledged)(acknowledged := head.acknowledged)
  io.taken := taken
  io.acknowledged := acknowledged
  io.limit := limit
  io.heard := counts
  io.foreign := ended && !ours
}
