// SPDX-License-Identifier: BSD-2-Clause
package mcpi.counters

import mcpi.machine.{CounterTable, TableEnum}
import spinal.core._

/** Owner of a tick: exactly one of these, decided at issue (sources/ev4.md 4.3). */
object Owner extends TableEnum("owner", CounterTable.owners) {

  /** Owners with causes: a tick of theirs whose request waits for the bus is `bus_wait`'s, on a
    * machine of coherent cores (`CoherentEvents.busWait`).
    */
  val ofMemory: Seq[E] = CounterTable.owners.filter(_.causes).map(row => named(row.short))
  def waitsForMemory(owner: Owner.C): Bool = ofMemory.map(owner === _).reduce(_ || _)
}
