// SPDX-License-Identifier: BSD-2-Clause
package mcpi.node

import mcpi.counters.{CountersConfig, Owner, WindowNames}
import mcpi.machine.Machine

/** `Node.json`: what simulator and tools need to know of the host registers, by name. */
object NodeDescription {
  def apply(machine: Machine, rtlDigest: String): String = {
    val map = new HostRegisterMap(machine)
    val registers = ujson.Obj()
    for ((name, number) <- map.names) registers(name) = number
    ujson.write(
      ujson.Obj(
        "owners" -> Owner.names,
        "counters" -> CountersConfig(machine).names,
        "registers" -> registers,
        "comparators" -> map.comparators,
        "windows" -> WindowNames.all,
        "rtl_digest" -> rtlDigest
      ),
      indent = 1
    ) + "\n"
  }
}
