// SPDX-License-Identifier: BSD-2-Clause
package mcpi.lance

import spinal.core._
import spinal.lib._

/** Frames from the node to the PHY (docs/phy.md).
  *
  * `strobe`, `enable`, `nibble` are the node's MII, `strobe` only where time moves. `entered`,
  * `left`, `dropped` are pulses in the node's clock: a frame's first nibble came in, its first went
  * out, it was lost.
  */
class TransmitStore(phy: ClockDomain) extends Component {
  val strobe, enable = in Bool ()
  val nibble = in Bits (4 bits)
  val wire = master(PhyTransmit())
  val entered, left, dropped = out Bool ()

  import FrameSlots.{count, lengthBits}
  val bytes = FrameSlots.memory()
  val lengths = StreamFifoCC(UInt(lengthBits bits), count, ClockDomain.current, phy)

  val writer = new Area {
    val inFrame, odd, kept = RegInit(False)
    val hunts = Reg(Bool()) // the start delimiter is still to come
    val low = Reg(Bits(4 bits))
    val length = Reg(UInt(lengthBits bits))
    val slot = Reg(UInt(log2Up(count) bits)) init 0
    val free = Reg(UInt(log2Up(count + 1) bits)) init count
    val ends = strobe && inFrame && !enable
    entered := strobe && enable && !inFrame
    when(entered) {
      inFrame := True
      hunts := True
      kept := free =/= 0
    }
    when(strobe && enable && inFrame) {
      when(hunts) {
        hunts := nibble =/= 0xd
        odd := False
        length := 0
      } otherwise {
        odd := !odd
        low := nibble
        when(odd) {
          length := length + 1
          when(length.andR) { kept := False }
        }
      }
    }
    bytes.write(slot @@ length, nibble ## low, strobe && enable && inFrame && !hunts && odd && kept)
    when(ends) { inFrame := False }
    val goes = kept && !hunts && length =/= 0
    lengths.io.push.valid := ends && goes
    lengths.io.push.payload := length
    dropped := ends && !goes
    when(lengths.io.push.fire) { slot := slot + 1 }
  }

  val reader = new ClockingArea(phy) {
    object State extends SpinalEnum {
      val idle, preamble, frame, gap = newElement()
    }
    val state = Reg(State()) init State.idle
    val nibbles = Reg(UInt(5 bits)) init 0 // of preamble or gap, yet to come
    val slot = Reg(UInt(log2Up(count) bits)) init 0
    val index = Reg(UInt(lengthBits bits)) init 0
    val high = RegInit(False)
    val upper = Reg(Bits(4 bits))
    val sends = RegInit(False)
    val data = Reg(Bits(4 bits))
    val byte = bytes.readSync(slot @@ index, clockCrossing = true)
    val frame = lengths.io.pop
    frame.ready := False
    val begins = False
    wire.enable := sends
    wire.data := data
    when(wire.step) {
      switch(state) {
        is(State.idle) {
          index := 0
          high := False
          when(frame.valid) {
            begins := True
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
          when(!high && index === frame.payload) {
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
    val given = frame.fire
  }

  left := PulseCCByToggle(reader.begins, phy, ClockDomain.current)
  val returned = PulseCCByToggle(reader.given, phy, ClockDomain.current)
  when(lengths.io.push.fire =/= returned) {
    writer.free := returned ? (writer.free + 1) | (writer.free - 1)
  }
}
