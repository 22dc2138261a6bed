// SPDX-License-Identifier: BSD-2-Clause
package mcpi.counters

import spinal.core._
import spinal.lib._

/** Lets the host's word, and a cold start, act between two ticks: time is withheld, the counters'
  * pipe runs empty, then it acts, and time goes on when whatever that set off is done. With ideal
  * memory the host's word comes after all that the last tick wanted of memory.
  *
  * A cold start (counters.md) is asked for by the core, in the tick in which it has dropped
  * its caches; the b-cache's tags, the counters and the residency bits follow here.
  */
class ControlGate extends Component {
  val io = new Bundle {
    val request = in(CountersControl()) // pulses
    val cold = in Bool () // a pulse, in a tick
    val idealActive = in Bool () // ideal memory is at work
    val busy = in Bool ()
    val control = out(CountersControl())
    val coldStart = out Bool ()
    val hold = out Bool ()
    val stops = out Bool () // nothing moves between two ticks either
  }
  private val settle = 4 // clocks from the last tick until everything of it is counted

  val wanted = Reg(CountersControl())
  wanted.flatten.foreach(_.init(False))
  val wantsCold = RegInit(False)
  val holding = RegInit(False)
  val clocks = Reg(UInt(3 bits)) init 0
  val acts = holding && clocks === settle
  val requested = io.request.asBits.orR || io.cold

  val waits = clocks === 0 && io.idealActive && !wantsCold
  when(holding && !clocks.andR && !waits)(clocks := clocks + 1)
  when(holding && clocks.andR && !io.busy)(holding := False)
  when(acts) {
    wanted.assignFromBits(B(0, 4 bits))
    wantsCold := False
  }
  when(requested) {
    holding := True
    clocks := 0
    wanted.assignFromBits((acts ? B(0, 4 bits) | wanted.asBits) | io.request.asBits)
    when(io.cold)(wantsCold := True)
  }
  io.control.assignFromBits(acts ? wanted.asBits | B(0, 4 bits))
  when(acts && wantsCold) {
    io.control.clear := True
    io.control.arm := True
  }
  io.coldStart := acts && wantsCold
  io.hold := holding
  io.stops := holding && !waits
}
