// SPDX-License-Identifier: BSD-2-Clause
package mcpi.node

import mcpi.counters.{CountersConfig, Owner, WindowNames}
import mcpi.machine.Machine

/** `Node.json`: what simulator and tools need to know of the host registers, by name. */
object NodeDescription {

  /** `several`: a node of several cores, each of which tells a simulator of a tick. */
  def apply(machine: Machine, rtlDigest: String, several: Option[CoherentNode]): String = {
    val map = new HostRegisterMap(machine)
    val registers = ujson.Obj()
    for ((name, number) <- map.names) registers(name) = number
    val description = ujson.Obj(
      "owners" -> (if (machine.coherent) Owner.coherentNames else Owner.names),
      "counters" -> CountersConfig(machine).names,
      "registers" -> registers,
      "comparators" -> map.comparators,
      "windows" -> WindowNames.all,
      "rtl_digest" -> rtlDigest
    )
    for (node <- several) {
      description("cores") = machine.cores
      description("told") = ujson.Obj() // by name: first bit, width
      for ((name, bit, width) <- node.layout) description("told")(name) = ujson.Arr(bit, width)
      if (node.onFpga) description("told_late") = true // of the tick before
    }
    ujson.write(description, indent = 1) + "\n"
  }
}
