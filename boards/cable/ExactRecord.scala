// SPDX-License-Identifier: BSD-2-Clause
package mcpi.boards

import spinal.core._
import spinal.lib._

/** Records what comparators and the node's controller do, with ticks, until the host reads it
  * (exact-time.md, The record). The host asks for entries with even and odd numbers by turns. An
  * entry stays until the host has got it and asks for the next, so a question that is asked twice
  * has one answer. `full` withholds ticks while those under way have room.
  */
class ExactRecord extends Component {
  import ExactRecord._
  val io = new Bundle {
    val on = in Bool ()
    val ticked = in Bool () // the clock before was a tick
    val now = in UInt (ExactMessage.timeBits bits) // that tick
    val passed = in Bits (comparators bits) // of that clock
    val strobe, enable = in Bool ()
    val nibble = in Bits (4 bits)
    val read = slave(Flow(Bool())) // an entry with an odd number
    val counts = in Bool () // clocks in which waits count
    val entry = out Bits (64 bits)
    val full, waits, overflow = out Bool ()
    val clocks = out UInt (48 bits) // in which the node waited for the host
  }

  // Two clocks late: whether a clock is a tick is known late.
  val passed = RegNext(io.passed & (io.ticked && io.on) #* comparators) init 0
  val strobed = RegNext(io.ticked && io.on && (RegNext(io.strobe) init False)) init False
  val enable = Delay(io.enable, 2)
  val nibble = Delay(io.nibble, 2)
  val tick = RegNext(io.now)

  /** Nibbles of the frame since the last entry, and the entry that waits for its place. */
  val inFrame = RegInit(False)
  val count = Reg(UInt(4 bits)) init 0
  val nibbles = Reg(Bits(4 * perEntry bits))
  val waiting = RegInit(False)
  val frame = Reg(Entry())
  val puts = passed.orR
  val putsFrame = waiting && !puts
  val slot = count === perEntry - 1
  when(putsFrame)(waiting := False)
  private val packed = nibble ## (nibbles >> 4)
  when(strobed && enable && !inFrame) {
    frame.kind := first
    frame.small := nibble.asUInt.resized
    frame.data := tick.asBits
    waiting := True
    inFrame := True
    count := 0
  }
  when(strobed && enable && inFrame) {
    nibbles := packed
    count := slot ? U(0, 4 bits) | count + 1
    when(slot) {
      frame.kind := more
      frame.small := perEntry
      frame.data := packed
      waiting := True
    }
  }
  when(strobed && !enable && inFrame) {
    frame.kind := last
    frame.small := count.resized
    frame.data := nibbles
    waiting := True
    inFrame := False
  }

  val put = Entry()
  put := frame
  when(puts) {
    put.kind := marker
    put.small := OHToUInt(OHMasking.first(passed))
    put.data := tick.asBits
  }
  val queue = Mem(Entry(), depth)
  val putAt, takeAt = Reg(UInt(log2Up(depth) bits)) init 0
  val held = Reg(UInt(log2Up(depth + 1) bits)) init 0
  val odd = RegInit(False) // number of the oldest entry
  val over = (puts || putsFrame) && held === depth
  val pushes = (puts || putsFrame) && !over
  val pops = io.read.valid && io.read.payload =/= odd && held =/= 0 // the host has the oldest
  queue.write(putAt, put, pushes)
  when(pushes)(putAt := putAt + 1)
  when(pops) {
    takeAt := takeAt + 1
    odd := !odd
  }
  held := held + pushes.asUInt - pops.asUInt
  val at = takeAt + pops.asUInt
  val there = held > pops.asUInt
  val head = queue.readAsync(at)
  val answers = io.read.valid && there && (io.read.payload === odd || pops)
  private val word = head.kind ## B(0, 3 bits) ## head.small ## head.data
  io.entry := answers ? word.resize(64) | B(0, 64 bits)

  val full = RegNext(held >= depth - spare || (waiting && puts)) init False
  val waits = Delay(full, 2, init = False)
  val clocks = Reg(UInt(48 bits)) init 0
  when(io.counts && waits)(clocks := clocks + 1)
  io.full := full
  io.waits := waits
  io.clocks := clocks
  io.overflow := RegInit(False) setWhen over
}

object ExactRecord {
  val comparators = 24
  val depth = 16
  val spare = 8 // entries of ticks that pass after `full`, and one of a frame
  val perEntry = 12 // nibbles
  val (marker, first, more, last) = (1, 2, 3, 4) // kinds of entries

  /** An entry, which a host register has with `small` from bit 48, `kind` from bit 56. `data` is a
    * tick, with the comparator's number or the first nibble in `small`; or nibbles, whose last is
    * on top, with how many they are.
    */
  case class Entry() extends Bundle {
    val data = Bits(4 * perEntry bits)
    val small = UInt(5 bits)
    val kind = UInt(3 bits)
  }
}
