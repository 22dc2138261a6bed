// SPDX-License-Identifier: BSD-2-Clause
package mcpi.node

import mcpi.bus.NextEvent
import mcpi.counters.CountersControl
import spinal.core._

/** Begins and ends a measurement where nobody watches the markers (boards.md): `distance`
  * ticks after the instruction with which window 1 closed after the `from`-th invocation since
  * `run`, counters are cleared and armed; after the `to`-th they are frozen and copied. 0: never.
  *
  * `invocation` and `closed` come two clocks after their tick; how many of these were ticks is
  * known, so what follows depends on ticks alone.
  */
class MeasureTrigger extends Component {
  val io = new Bundle {
    val tick = in Bool ()
    val invocation, closed = in Bool ()
    val from, to = in UInt (32 bits)
    val control = out(CountersControl()) // pulses
    val invocations = out UInt (32 bits)
    val begun, ended = out Bool ()
    val nextEvent = out UInt (NextEvent.width bits)
  }
  private val distance = 8

  val invocations = Reg(UInt(32 bits)) init 0
  val begun, ended, pending = RegInit(False)
  val beginning = Reg(Bool()) // the pending action begins a measurement
  val left = Reg(UInt(4 bits)) init 0 // ticks to come, the last of them acts
  val ticked = RegNext(io.tick) init False
  val reached = invocations + io.invocation.asUInt
  invocations := reached

  private def due(at: UInt, done: Bool) = at =/= 0 && reached >= at && !done
  val begins = due(io.from, begun)
  val acts = pending && io.tick && left === 1
  when(io.tick)(left := left - 1)
  when(io.closed && !pending && (begins || due(io.to, ended))) {
    pending := True
    beginning := begins
    left := distance - (ticked.asUInt +^ io.tick.asUInt).resize(4)
  }
  io.control.assignFromBits(B(0, 4 bits))
  when(acts) {
    pending := False
    when(beginning) {
      begun := True
      io.control.clear := True
      io.control.arm := True
    } otherwise {
      ended := True
      io.control.stop := True
      io.control.snapshot := True
    }
  }
  io.invocations := invocations
  io.begun := begun
  io.ended := ended
  io.nextEvent := NextEvent.when(pending || io.closed)
}
