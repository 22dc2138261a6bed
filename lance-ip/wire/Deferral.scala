// SPDX-License-Identifier: BSD-2-Clause
package mcpi.lance

import mcpi.bus.NextEvent
import spinal.core._

case class DeferralIo() extends Bundle {
  val carrier = in Bool () // somebody else's
  val ended = in Bool () // one tick: the last bit of one's own is gone
  val clear = out Bool () // the spacing is over
  val skip = in UInt (NextEvent.width bits)
  val nextEvent = out UInt (NextEvent.width bits)
}

/** Interframe spacing, 9.6 us after whatever was on the wire last (sources/lance.md 1.4).
  *
  * A carrier in the first 6.0 us starts it again; in the last 3.6 us it is overlooked, so that
  * every station that waits begins at the same time.
  */
class Deferral(c: LanceConfig) extends Component {
  val io = DeferralIo()

  // A tick each for the two states between the end of the spacing and the first bit.
  val behindOwn = c.interframeTicks - 2
  val behindOthers = c.interframeTicks - 1
  val left = Reg(UInt(log2Up(c.interframeTicks + 1) bits)) init 0
  val clear = Reg(Bool()) init True // no tick of the deferral is left
  val overlooks = !clear && left <= c.interframeFixedTicks
  val again = io.carrier && !overlooks

  when(!clear) {
    left := (left - 1 - io.skip).resized
    clear := left === (io.skip + 1).resize(left.getWidth)
  }
  when(again || io.ended) {
    left := Mux(io.ended, U(behindOwn, left.getWidth bits), U(behindOthers, left.getWidth bits))
    clear := False
  }

  io.clear := clear
  io.nextEvent := NextEvent.when(again && left =/= behindOthers)
  when(!again)(io.nextEvent := NextEvent.counter(left))
}
