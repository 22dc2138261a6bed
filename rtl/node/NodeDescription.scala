// SPDX-License-Identifier: BSD-2-Clause
package mcpi.node

import mcpi.counters.{CountersConfig, Owner, WindowNames}
import mcpi.machine.Machine

/** `Node.json`: what simulator and tools need to know of the host registers, by name. */
object NodeDescription {

  /** `told`: of several cores what each tells a simulator of a tick, by name: first bit, width. */
  def apply(machine: Machine, rtlDigest: String, told: Seq[(String, Int, Int)]): String = {
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
    if (told.nonEmpty) {
      description("cores") = machine.cores
      description("told") = ujson.Obj()
      for ((name, bit, width) <- told) description("told")(name) = ujson.Arr(bit, width)
    }
    ujson.write(description, indent = 1) + "\n"
  }
}
