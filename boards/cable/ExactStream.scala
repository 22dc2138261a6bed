// SPDX-License-Identifier: BSD-2-Clause
package mcpi.boards

import spinal.core._
import spinal.lib._

/** The stream of a node's strobes, and its promise (exact-time.md): what is not acknowledged
  * lies in a ring. `head` is the stream's length, `promise` holds for what is before it where
  * `settled`; `byte` answers `place` two clocks later.
  */
class ExactStream(c: ExactConfig) extends Component {
  import ExactMessage._
  val io = new Bundle {
    val ticked = in Bool () // the clock before was a tick
    val now = in UInt (timeBits bits) // that tick
    val phase = in UInt (log2Up(c.nibble) bits) // of the other's strobes; stands while a node runs
    val strobe, enable = in Bool ()
    val nibble = in Bits (4 bits)
    val outlook = in UInt (SendOutlook.width bits) // a clock late
    val acknowledged = in UInt (placeBits bits)
    val head = out UInt (placeBits bits)
    val promise = out UInt (timeBits bits)
    val settled, full = out Bool ()
    val place = in UInt (windowBits bits)
    val byte = out Bits (8 bits)
  }

  // Ticks from the one in which a first bit that leaves now would come to the receiver's strobe.
  val begun = RegInit(False)
  val pad = Reg(UInt(log2Up(c.nibble) bits))
  private val delay = c.delay % c.nibble
  begun := True
  when(io.ticked)(pad := (pad === 0) ? U(c.nibble - 1).resized | pad - 1)
  when(!begun)(
    pad := ((io.phase >= delay) ? (io.phase - delay) | (io.phase + (c.nibble - delay))).resized
  )
  val arrival = Reg(UInt(timeBits bits)) // of a first bit two clocks ago
  when(io.ticked)(arrival := io.now + (pad +^ U(c.lookahead)))

  // Two clocks late: whether a clock is a tick is known late.
  val coming = io.ticked && (RegNext(io.strobe) init False)
  val strobed = RegNext(coming) init False
  val enable = Delay(io.enable, 2)
  val nibble = Delay(io.nibble, 2)
  val inFrame = RegInit(False)
  val next = Reg(UInt(timeBits bits)) // arrival of the frame's next strobe
  val rest = Reg(UInt(3 bits)) init 0 // bytes of the arrival, to come
  val written = Reg(UInt(timeBits bits))
  val head = Reg(UInt(placeBits bits)) init 0

  val begins = strobed && enable && !inFrame
  val goesOn = strobed && inFrame
  val pushes = begins || goesOn || rest =/= 0
  val pushed = Bits(8 bits)
  pushed := written(7 downto 0).asBits
  when(rest =/= 0) {
    rest := rest - 1
    written := written |>> 8
  }
  when(begins) {
    pushed := B(first, 4 bits) ## nibble
    written := arrival
    rest := timeBytes
    inFrame := True
    next := arrival + c.nibble
  }
  when(goesOn) {
    pushed := enable ? (B(ExactMessage.next, 4 bits) ## nibble) | B(end << 4, 8 bits)
    inFrame := enable
    next := next + c.nibble
  }
  val ring = Mem(Bits(8 bits), 1 << windowBits)
  ring.write(head.resized, pushed, pushes)
  when(pushes)(head := head + 1)
  io.byte := RegNext(ring.readSync(io.place)) // the CRC is no part of the ring's path

  // Both are of the clock before.
  val outside = RegNext(io.now + (io.outlook +^ U(c.lookahead))) init 0
  io.promise := inFrame ? next | outside
  io.settled := begun && !coming && !strobed && rest === 0
  io.head := head
  io.full := RegNext(head - io.acknowledged > window) init False
}
