// SPDX-License-Identifier: BSD-2-Clause
package mcpi.boards

import spinal.core._
import spinal.lib._

/** Gives the node the strobes of the other's stream, each in its tick. `allowed`: ticks before this
  * one may pass; every strobe before it that was taken is at hand in its tick.
  */
class ExactPlayer(c: ExactConfig) extends Component {
  import ExactMessage._
  val io = new Bundle {
    val ticked = in Bool () // the clock before was a tick
    val now, after, ahead = in UInt (timeBits bits) // that tick, the next one, the one after
    val write = slave(Flow(new Bundle {
      val place = UInt(storeBits bits)
      val byte = Bits(8 bits)
    }))
    val taken = in UInt (placeBits bits)
    val limit = in UInt (timeBits bits)
    val read = out UInt (placeBits bits)
    val allowed = out UInt (timeBits bits)
    val strobe, valid = out Bool ()
    val nibble = out Bits (4 bits)
    val broken = out Bool () // a strobe came after its tick
  }
  val store = Mem(Bits(8 bits), 1 << storeBits)
  store.write(io.write.place, io.write.byte, io.write.valid)
  val read = Reg(UInt(placeBits bits)) init 0
  val byte = store.readSync(read.resized)
  val unread = RegNext(read =/= io.taken) init False // `byte` is of the stream, if `readHeld`
  val readHeld = RegInit(False) // `read` has been the same for a clock

  val inFrame = RegInit(False)
  val timeLeft = Reg(UInt(3 bits)) init 0 // bytes of the arrival, to come
  val known = RegInit(False) // the next strobe, at tick `at`
  val at = Reg(UInt(timeBits bits)) init 0
  val data = Reg(Bits(4 bits))
  val ends = Reg(Bool())
  // This clock's tick is `at`: for either case of whether the clock before was a tick.
  val ifTicked = RegNext(known && (io.ticked ? (at === io.ahead) | (at === io.after))) init False
  val ifNot = RegNext(known && (io.ticked ? (at === io.after) | (at === io.now))) init False
  val hit = io.ticked ? ifTicked | ifNot
  val got = io.ticked && (RegNext(hit) init False)

  readHeld := True
  when(readHeld && unread && !known) {
    read := read + 1
    readHeld := False
    when(timeLeft =/= 0) {
      at := (byte ## at(timeBits - 1 downto 8)).asUInt
      timeLeft := timeLeft - 1
      known := timeLeft === 1
    } elsewhen (byte(7 downto 4) === first) {
      data := byte(3 downto 0)
      ends := False
      inFrame := True
      timeLeft := timeBytes
    } otherwise {
      data := byte(3 downto 0)
      ends := byte(7 downto 4) === end
      at := at + c.nibble
      known := True
    }
  }
  when(got) {
    known := False
    inFrame := !ends
  }

  // A limit acts when the next strobe before it is known, and compared.
  val compared = RegNext(known) init False
  val allowed = Reg(UInt(timeBits bits)) init 0
  when((known && compared) || (read === io.taken && timeLeft === 0))(allowed := io.limit)
  val late = RegNext(known && at < io.now) init False
  io.broken := late && known
  io.read := read
  io.allowed := allowed
  io.strobe := hit
  io.valid := hit && !ends
  io.nibble := data
}
