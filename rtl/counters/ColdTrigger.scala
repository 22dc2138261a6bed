// SPDX-License-Identifier: BSD-2-Clause
package mcpi.counters

import spinal.core._
import spinal.lib._

/** Counts how often the path's first instruction has issued since `run`, and asks for the cold
  * start before its `number`-th time (0: never). A new number may be given at any time; it acts
  * after all that ideal memory does for the last tick. The core tells its events a tick late
  * (`CoreEvents`).
  */
class ColdTrigger(events: HardType[CoreEvents]) extends Component {
  val io = new Bundle {
    val tick = in Bool ()
    val core = in(events())
    val address = in UInt (34 bits) // of the path's first instruction; bits 1:0 do not count
    val number = in UInt (32 bits)
    val idealActive = in Bool () // ideal memory is at work
    val coldPc = master(Flow(UInt(34 bits))) // to the core, while the next time is that one
  }
  private val issues = io.core.owner === Owner.issue
  val issued = (RegNext(io.tick) init False) && issues
  val pc = RegNextWhen(io.core.issuePc, io.tick) init 0
  val times = Reg(UInt(32 bits)) init 0 // a cold start counts as the time it precedes
  val preceded = RegInit(False)

  when(io.tick && io.core.coldStart) {
    times := times + 1
    preceded := True
  }
  when(issued && pc(33 downto 2) === io.address(33 downto 2)) {
    preceded := False
    when(!preceded)(times := times + 1)
  }
  val number = RegNextWhen(io.number, !io.idealActive) init 0
  io.coldPc.valid := number =/= 0 && times + 1 === number
  io.coldPc.payload := io.address
}
