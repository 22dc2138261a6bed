// SPDX-License-Identifier: BSD-2-Clause
package mcpi.counters

import mcpi.bus.MemoryKind
import spinal.core._

/** Events by the names that rows of `machines/counters.toml` give them. */
object Events {

  /** All fields of `event` are high; `kind.write`: the field `kind` is `write`. */
  def high(bundle: Bundle, event: Seq[String]): Bool = event.map(field(bundle, _)).reduce(_ && _)

  private def field(bundle: Bundle, path: String): Bool = {
    val (name, inner) = path.span(_ != '.')
    (bundle.elements.toMap.apply(name), inner.drop(1)) match {
      case (field: Bool, "") => field
      case (field: Bundle, rest) => Events.field(field, rest)
      case (kind: SpinalEnumCraft[_], value) =>
        kind.asInstanceOf[MemoryKind.C] === MemoryKind.named(value)
    }
  }
}
