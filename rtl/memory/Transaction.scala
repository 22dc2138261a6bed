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
  val age = Reg(UInt(dueWidth bits)) init 0
  val due = Reg(UInt(dueWidth bits)) init 0

  /** In a tick with it the answer goes out. */
  val isDue = busy && done && age >= due
  val late = busy && !done && (age +^ 1) >= due

  when(tick && busy)(age := age + 1)

  /** `atLeast`: the least the due time can turn out to be once the tags have answered. */
  def take(atLeast: UInt): Unit = {
    busy := True
    done := False
    age := 1
    due := atLeast.resized
  }
  def answered(): Unit = busy := False
}
