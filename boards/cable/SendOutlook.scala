// SPDX-License-Identifier: BSD-2-Clause
package mcpi.boards

import mcpi.lance.{Lance, LanceTiming}
import spinal.core._
import spinal.lib._

/** State of the controller's transmitter, as far as it decides the next first bit. */
case class SendState() extends Bundle {
  val sends = Bool() // a frame is on the wire
  val starts = Bool() // it begins in `toGo` ticks
  val toGo = UInt(11 bits)
  val called = Bool() // it begins as soon as another one has ended
  val idle = Bool() // no frame, or one of which only the status is left to write
  val returns, reads, address, length, setup = Bool() // of the first buffer's descriptor
  val work = UInt(11 bits) // ticks of `setup`
}

object SendState {

  /** Reads it out of a chip further down. */
  def of(lance: Lance): SendState = {
    val state = SendState()
    val (ring, wire) = (lance.transmit, lance.transmitWire)
    val at = ring.state.pull()
    val of = ring.TxState
    val chained = ring.chained.pull()
    state.sends := wire.sending.pull()
    state.starts := wire.state.pull() === wire.SendState.start
    state.toGo := wire.toGo.pull()
    state.called := wire.called.pull()
    val ended = Seq(of.heartbeat, of.microcode, of.writeError, of.writeStatus)
    state.idle := at === of.idle || ended.map(at === _).orR
    state.returns := at === of.release
    state.reads := at === of.status
    state.address := at === of.addressLow && !chained
    state.length := at === of.length && !chained
    state.setup := at === of.setup
    state.work := ring.work.left.pull()
    state
  }
}

/** Ticks, from the one whose state it sees, in which no first bit leaves (exact-time.md). A
  * clock late; `timing` stands still while a node runs.
  */
class SendOutlook extends Component {
  val state = in(SendState())
  val timing = in(LanceTiming())
  val ticks = out UInt (SendOutlook.width bits)

  private def least(time: UInt, ticks: Int): UInt =
    Mux(time < ticks, U(ticks), time).resize(SendOutlook.width)
  val access = RegNext(
    least(timing.arbitration, 1) + least(timing.word, 2) + least(timing.gap, 1) + 1
  )
  val first = RegNext(least(timing.start, 1) + 1)
  val fill = RegNext(access + first) // an access of a word or more, then the first bit
  val length = RegNext(least(timing.setup, 1) + fill)
  val address = RegNext(access + length)
  val reads = RegNext(access + address)
  val idle = RegNext(access + reads)
  val bound = UInt(SendOutlook.width bits)
  bound := first
  when(state.setup)(bound := least(state.work, 1) - 1 + fill)
  when(state.length)(bound := length)
  when(state.address)(bound := address)
  when(state.reads)(bound := reads)
  when(state.idle || state.returns)(bound := idle)
  when(state.called)(bound := first)
  when(state.starts)(bound := least(state.toGo, 1))
  when(state.sends)(bound := 0)
  ticks := RegNext(bound) init 0
}

object SendOutlook {
  val width = 16
}
