// SPDX-License-Identifier: BSD-2-Clause
package mcpi.lance

import mcpi.bus.NextEvent
import spinal.core._

case class BackoffIo() extends Bundle {
  val seed = in Bits (48 bits) // the station's address
  val reseed = in Bool ()
  val step = in Bool () // a nibble leaves: the random number moves
  val collided = in Bool () // one tick, at the end of the jam: wait, then try again
  val over = out Bool ()
  val hold = in Bool () // does not count now: C-LANCE with EMBA, during carrier
  val forget = in Bool () // the frame is done
  val collisions = out UInt (4 bits) // of this frame, so far
  val skip = in UInt (NextEvent.width bits)
  val nextEvent = out UInt (NextEvent.width bits)
}

/** Truncated binary exponential backoff: r slots of 512 bit times from the end of the jam, r even
  * in 0 to 2^min(n,10) - 1 after the nth collision (sources/lance.md 1.4).
  *
  * The random number is a shift register that starts with all of the station's address, so that a
  * simulation repeats itself and any two stations differ, and the time, which always runs.
  */
class Backoff(c: LanceConfig) extends Component {
  val io = BackoffIo()

  val random = Reg(Bits(48 bits)) init 1 // x^48 + x^47 + x^21 + x^20 + 1
  val time = Reg(UInt(10 bits)) init 0 // ticks
  val collisions = Reg(UInt(4 bits)) init 0
  val slots = Reg(UInt(10 bits)) init 0
  val toGo = Reg(UInt(log2Up(c.slotTicks) bits)) init 0 // of the slot that is running
  val none = Reg(Bool()) init True // no slot is left
  val lastTick = Reg(Bool()) init False // of the last slot

  when(io.step) {
    random := random(46 downto 0) ## (random(47) ^ random(46) ^ random(20) ^ random(19))
  }
  // Bit 0 of a station's address is zero; as a one it keeps the register from all zeros.
  when(io.reseed)(random := io.seed(47 downto 1) ## True)
  time := time + 1 + io.skip.resized

  // The frame's end comes late; nothing reads the other state before the next tick.
  val forgotten = RegNext(io.forget) init False
  val counting = !none && !io.hold && !forgotten
  val slotOver = toGo === 0
  when(counting) {
    toGo := toGo - 1 - io.skip.resized
    lastTick := slots === 1 && toGo === (io.skip + 1).resize(toGo.getWidth)
    when(slotOver) {
      toGo := c.slotTicks - 1
      slots := slots - 1
      none := slots === 1
      lastTick := False
    }
  }
  when(forgotten) {
    collisions := 0
    slots := 0
    none := True
    lastTick := False
  }
  when(io.collided) {
    collisions := collisions + 1
    val mask = Vec((0 until 16).map(n => U((1 << ((n + 1) min 10)) - 1, 10 bits)))(collisions)
    val chosen = (random(9 downto 0).asUInt ^ time) & mask
    slots := chosen
    none := chosen === 0
    lastTick := False
    toGo := c.slotTicks - 2 // the next tick is the second after the jam
  }

  io.over := none || (lastTick && !io.hold) || forgotten
  io.collisions := forgotten ? U(0, 4 bits) | collisions
  io.nextEvent := counting ? NextEvent.in(toGo) | NextEvent.never
}
