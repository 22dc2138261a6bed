// SPDX-License-Identifier: BSD-2-Clause
package mcpi.lance

import spinal.core._
import spinal.lib._

/** Frames from the PHY to the node, at `period` ticks a nibble (docs/phy.md).
  *
  * `strobe`, `valid`, `error`, `nibble` are the node's MII. `entered`, `left`, `dropped`, `faulty`
  * are pulses in the node's clock: a frame's start delimiter came in, its first nibble went on to
  * the node, it was lost, the PHY had called it wrong.
  */
class ReceiveStore(phy: ClockDomain, period: Int) extends Component {
  val tick = in Bool ()
  val strobe, valid, error = out Bool ()
  val nibble = out Bits (4 bits)
  val wire = slave(PhyReceive())
  val entered, left, dropped, faulty = out Bool ()

  import FrameSlots.{count, lengthBits}
  case class Stored() extends Bundle {
    val length = UInt(lengthBits bits)
    val odd, error = Bool() // one nibble more; the PHY saw an error
  }
  val node = ClockDomain.current
  val bytes = FrameSlots.memory()
  val frames = StreamFifoCC(Stored(), count, phy, node)

  // ---- into the slots, in the receive clock
  val given = Bool() // a slot is free again, in the node's clock
  val writer = new ClockingArea(phy) {
    val hunts = RegInit(True)
    val fifth = RegInit(False) // the nibble before was one of the preamble
    val waits = RegInit(False) // for the end of something that is no frame
    val odd, kept, wrong = Reg(Bool())
    val low = Reg(Bits(4 bits))
    val length = Reg(UInt(lengthBits bits))
    val slot = Reg(UInt(log2Up(count) bits)) init 0
    val free = Reg(UInt(log2Up(count + 1) bits)) init count
    val takes = wire.step && wire.valid
    val begins = takes && hunts && wire.data === 0xd
    val ends = wire.step && !wire.valid && !hunts
    when(begins) {
      hunts := False
      odd := False
      kept := free =/= 0
      wrong := wire.error
      length := 0
    }
    when(takes && !hunts) {
      odd := !odd
      low := wire.data
      wrong := wrong || wire.error
      when(odd) {
        length := length + 1
        when(length.andR) { kept := False }
      }
    }
    when(ends) { hunts := True }
    // A last odd nibble takes the place of a byte.
    val pair = ends ? (B(0, 4 bits) ## low) | (wire.data ## low)
    bytes.write(slot @@ length, pair, kept && !hunts && odd && (takes || ends))
    val goes = kept && length =/= 0
    frames.io.push.valid := ends && goes
    frames.io.push.length := length
    frames.io.push.odd := odd
    frames.io.push.error := wrong
    val loses = ends && !goes
    val returned = PulseCCByToggle(given, node, phy)
    when(frames.io.push.fire) { slot := slot + 1 }
    when(frames.io.push.fire =/= returned) { free := returned ? (free + 1) | (free - 1) }
  }
  entered := PulseCCByToggle(writer.begins, phy, node)
  dropped := PulseCCByToggle(writer.loses, phy, node)

  // ---- out of them, in ticks
  val reader = new Area {
    object State extends SpinalEnum {
      val idle, preamble, frame, gap = newElement()
    }
    val toGo = Reg(UInt(log2Up(period) bits)) init 0 // ticks to the next nibble
    val now = tick && toGo === 0
    when(tick) { toGo := now ? U(period - 1).resized | toGo - 1 }
    val state = Reg(State()) init State.idle
    val nibbles = Reg(UInt(5 bits)) init 0
    val slot = Reg(UInt(log2Up(count) bits)) init 0
    val index = Reg(UInt(lengthBits bits)) init 0
    val high, sends = RegInit(False)
    val upper, data = Reg(Bits(4 bits))
    val byte = bytes.readSync(slot @@ index, clockCrossing = true)
    val frame = frames.io.pop
    frame.ready := False
    val last = index === frame.length
    strobe := now
    valid := sends
    error := sends && frame.error
    nibble := data
    left := now && state === State.idle && frame.valid
    when(now) {
      switch(state) {
        is(State.idle) {
          index := 0
          high := False
          when(frame.valid) {
            state := State.preamble
            sends := True
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
          when(!high) { index := index + 1 }
          // The odd nibble is the low half of a byte behind the last; after it index is one on.
          val over = frame.odd ? (high && index === frame.length + 1) | (!high && last)
          when(over) {
            sends := False
            frame.ready := True
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
  given := reader.frame.fire
  faulty := given && reader.frame.error
}
