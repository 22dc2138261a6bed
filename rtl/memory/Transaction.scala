// SPDX-License-Identifier: BSD-2-Clause
package mcpi.memory

import spinal.core._

/** One transaction's place in virtual time: taken in tick t, due in tick t + `due`.
  *
  * `age` is how many ticks after t the present one is. The answer goes out in the tick whose age is
  * `due`, neither before nor after: `late` asks the governor to withhold the next clock's tick as
  * long as that tick could be the due one and the data is not there. Where that is so (`promised`)
  * a tick that is due has its data, and nobody need ask.
  */
class Transaction(dueWidth: Int, tick: Bool, promised: Boolean) extends Area {
  val busy = RegInit(False)
  val done = RegInit(False) // the data is here, the write is accepted

  // Both comparisons are made in front of registers: who asks is far behind already.
  private val nextAge, nextDue = UInt(dueWidth bits)
  private val moves = CombInit(tick)
  private val age = RegNextWhen(nextAge, moves) init 0
  private val due = RegNextWhen(nextDue, moves) init 0
  private val reached = RegNextWhen(nextAge >= nextDue, moves) init True
  private val near = RegNextWhen((nextAge +^ 1) >= nextDue, moves) init True
  nextAge := age
  nextDue := due
  when(if (promised) busy else tick && busy)(nextAge := age + 1) // a tick, if it moves

  /** In the next tick, for all that is known before the tags have answered. */
  def mayBeDue: Bool = reached

  /** In a tick with it the answer goes out. */
  val isDue = if (promised) busy && reached else busy && done && reached
  val late = busy && !done && near

  /** If it is `taken`; asked for where it would be, since that is known earlier. `atLeast`: the
    * least the due time can turn out to be once the tags have answered.
    */
  def take(atLeast: UInt, taken: Bool): Unit = {
    nextAge := 1
    nextDue := atLeast.resized
    when(taken) {
      busy := True
      done := False
      moves := True
    }
  }

  /** The tags have answered: the due time. */
  def dueAfter(ticks: UInt): Unit = {
    moves := True
    if (promised) nextAge := tick ? (age + 1) | age
    nextDue := ticks
  }
  def answered(): Unit = {
    busy := False
    done := False
  }
}
