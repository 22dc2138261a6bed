// SPDX-License-Identifier: BSD-2-Clause
package mcpi.memory

import spinal.core._

/** Place of a transaction in virtual time: taken in tick t, due in tick t + `due`.
  *
  * `age` is how many ticks after t the present one is. The answer goes out in the tick whose age is
  * `due`, neither before nor after: `late` asks the governor to withhold the next clock's tick as
  * long as that tick could be the due one and the data is not there. A transaction is not `done`
  * before its due time is known.
  */
class Transaction(dueWidth: Int, tick: Bool) extends Area {
  val busy = RegInit(False)
  val done = RegInit(False) // the data is here, the write is accepted

  // Both comparisons end in registers, because their readers come late in the clock.
  private val nextAge, nextDue = UInt(dueWidth bits)
  private val enable = CombInit(tick)
  private val age = RegNextWhen(nextAge, enable) init 0
  private val due = RegNextWhen(nextDue, enable) init 0
  val reached = RegNextWhen(nextAge >= nextDue, enable) init True // this tick is the due one
  private val dueNext = RegNextWhen((nextAge +^ 1) >= nextDue, enable) init True
  nextAge := age
  nextDue := due
  when(tick && busy)(nextAge := age + 1)

  val answers = busy && done
  val late = busy && !done && dueNext

  /** If it is `taken`; asked for where it would be, since that is known earlier. `atLeast`: the
    * least the due time can turn out to be once the tags have answered.
    */
  def take(atLeast: UInt, taken: Bool): Unit = {
    nextAge := 1
    nextDue := atLeast.resized
    when(taken) {
      busy := True
      done := False
      enable := True
    }
  }

  /** The tags have answered: the due time. */
  def dueAfter(ticks: UInt): Unit = {
    enable := True
    nextDue := ticks
  }
  def finish(): Unit = {
    busy := False
    done := False
  }
}
