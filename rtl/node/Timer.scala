// SPDX-License-Identifier: BSD-2-Clause
package mcpi.node

import mcpi.bus.{NextEvent, TickArea}
import mcpi.machine.Machine
import spinal.core._

/** The interval timer: its line rises when `phase` ticks have passed since reset, and every
  * `period` ticks after that; it stays up until acknowledged. While disabled, time goes on but no
  * line rises.
  *
  * @param period ticks; ticks_per_us * 1000000 / hz, rounded to nearest
  */
class Timer(period: BigInt) extends Component {
  require(period >= 2 && period < (BigInt(1) << 32))
  val io = new Bundle {
    val tick = in Bool ()
    val skip = in UInt (NextEvent.width bits) // ticks this tick stands for besides itself
    val phase = in UInt (32 bits) // at least 1; counts while in reset only
    val enable, acknowledge = in Bool ()
    val interrupt = out Bool ()
    val ticks = out UInt (64 bits) // since reset
    val nextEvent = out UInt (NextEvent.width bits)
  }
  val ticked = new TickArea(io.tick) {
    val ticks = Reg(UInt(64 bits)) init 0
    val started = Reg(Bool()) init False
    val left = Reg(UInt(32 bits)) init 0
    val pending = Reg(Bool()) init False
    val toGo = started ? left | io.phase

    ticks := ticks + 1 + io.skip
    started := True
    left := toGo - 1 - io.skip
    when(io.acknowledge)(pending := False)
    when(toGo <= 1) {
      left := period
      when(io.enable)(pending := True)
    }
  }
  io.interrupt := ticked.pending
  io.ticks := ticked.ticks
  io.nextEvent := NextEvent.in((ticked.toGo <= 1) ? U(0) | (ticked.toGo - 1))
}

object Timer {
  def period(machine: Machine): BigInt = {
    val perSecond = BigInt(machine.int("clock.ticks_per_us")) * 1000000
    val hz = machine.int("timer.hz")
    (2 * perSecond + hz) / (2 * hz)
  }
}
