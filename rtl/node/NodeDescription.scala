// SPDX-License-Identifier: BSD-2-Clause
package mcpi.node

import mcpi.counters.WindowNames
import mcpi.machine.Machine

/** `Node.json`: what simulator and tools need to know of the host registers, by name. */
object NodeDescription {

  def apply(machine: Machine, rtlDigest: String, traced: Option[Traced]): String = {
    val map = new HostRegisterMap(machine)
    val registers = ujson.Obj()
    for ((name, number) <- map.names) registers(name) = number
    val description = ujson.Obj(
      "owners" -> machine.counters.owners,
      "counters" -> machine.counters.names,
      "registers" -> registers,
      "comparators" -> map.comparators,
      "windows" -> WindowNames.all,
      "rtl_digest" -> rtlDigest
    )
    if (machine.coherent) description("cores") = machine.cores
    for (node <- traced) {
      description("trace") = ujson.Obj() // by name: first bit, width
      for ((name, bit, width) <- node.layout) description("trace")(name) = ujson.Arr(bit, width)
    }
    ujson.write(description, indent = 1) + "\n"
  }
}
