// SPDX-License-Identifier: BSD-2-Clause
package mcpi.memory

import spinal.core._

/** A `Transaction` for an FPGA: whatever is made of ages is made in front of registers, for a clock
  * that is a tick and for one that is none, and the tick only chooses.
  *
  * {{{
  *   clock     │      │      │ tick │
  *   done      _______/▔▔▔▔▔▔▔▔▔▔▔▔▔\___   the data is here
  *   told      ______________/▔▔▔▔▔▔\___   the answer stands, a clock later
  *   late      ▔▔▔▔▔▔▔▔▔▔▔▔▔▔\__________   so no tick is the first clock of `told`, if it was late
  * }}}
  *
  * @param settles what the engine does for this transaction is over, to its tags
  * @param anyway its ticks do not count: with ideal memory
  */
class EarlyTransaction(dueWidth: Int, tick: Bool, settles: => Bool, anyway: Bool)
    extends Area
    with BusTime {
  val busy = RegInit(False)
  val done = RegInit(False)
  val told = RegInit(False) // it is answered in this clock, if that is a tick
  val ready = RegInit(False) // it could be
  val age, due = Reg(UInt(dueWidth bits)) init 0
  val near = RegInit(True) // the next tick's age is the due one
  private val judged = CombInit(due)
  private def reaches(ticks: Int) = (age +^ U(ticks)) >= judged
  val reached = tick ? reaches(1) | reaches(0) // after this clock

  private val ended = CombInit(False)
  private val isReady = ready || (busy && done && settles)
  val toldNext = isReady && !ended && (anyway || reached)
  when(tick)(age := age + 1)
  due := judged
  near := tick ? reaches(2) | reaches(1)
  ready := isReady && !ended
  told := toldNext
  val late = busy && near && !ready

  def take(atLeast: UInt, taken: Bool, soon: Bool): Unit = when(taken) {
    busy := True
    done := False
    told := False
    ready := False
    age := 1
    due := atLeast.resized
    near := soon
  }
  def dueAfter(ticks: UInt): Unit = judged := ticks.resized
  def answered(): Unit = {
    busy := False
    done := False
    ended := True
  }
}
