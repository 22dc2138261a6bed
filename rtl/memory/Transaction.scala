// SPDX-License-Identifier: BSD-2-Clause
package mcpi.memory

import spinal.core._

/** One transaction's place in virtual time: taken in tick t, due in tick t + `due`.
  *
  * `age` is how many ticks after t the present one is. The answer goes out in the tick whose age is
  * `due`, neither before nor after: `late` asks the governor to withhold the next clock's tick as
  * long as that tick could be the due one and the data is not there.
  */
class Transaction(dueWidth: Int, tick: Bool) extends Area {
  val busy = RegInit(False)
  val done = RegInit(False) // the data is here, the write is accepted

  // Both comparisons are made in front of registers: who asks is far behind already.
  private val nextAge, nextDue = UInt(dueWidth bits)
  private val age = RegNext(nextAge) init 0
  private val due = RegNext(nextDue) init 0
  private val reached = RegNext(nextAge >= nextDue) init True
  private val near = RegNext((nextAge +^ 1) >= nextDue) init True
  nextAge := age
  nextDue := due
  when(tick && busy)(nextAge := age + 1)

  /** In a tick with it the answer goes out. */
  val isDue = busy && done && reached
  val late = busy && !done && near

  /** `atLeast`: the least the due time can turn out to be once the tags have answered. */
  def take(atLeast: UInt): Unit = {
    busy := True
    done := False
    nextAge := 1
    nextDue := atLeast.resized
  }

  /** The tags have answered: the due time. */
  def dueAfter(ticks: UInt): Unit = nextDue := ticks
  def answered(): Unit = busy := False
}
