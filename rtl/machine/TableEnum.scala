// SPDX-License-Identifier: BSD-2-Clause
package mcpi.machine

import scala.language.dynamics
import spinal.core._

/** An enumeration whose elements are rows of `machines/counters.toml`, in order: of kind `owner`
  * the element `iDemand` is the row `owner.i_demand`. An elaboration that asks for an element
  * without a row stops.
  */
abstract class TableEnum(kind: String, rows: Seq[CounterRow])
    extends SpinalEnum(binarySequential)
    with Dynamic {
  require(rows.nonEmpty, s"no machine with a row of kind $kind has been loaded")
  // An element's own name is one of the Verilog: an elaboration may change it.
  private val byName = rows.map(row => row.short -> newElement(row.short))

  def named(name: String): E = byName.toMap
    .getOrElse(name, sys.error(s"machines/counters.toml has no row $kind.$name"))
  def nameOf(element: E): String = byName(element.position)._1
  def selectDynamic(element: String): E =
    named(element.replaceAll("[A-Z]", "_$0").toLowerCase)
}
