// SPDX-License-Identifier: BSD-2-Clause
package mcpi.counters

import mcpi.machine.Block

object CountersBlocks {
  val blocks: Seq[Block] = Seq(
    Block("Counters", machine => new Counters(CountersConfig(machine)) { noIoPrefix() }),
    // For tests: little RAM and code to watch, so that sweeps are short.
    Block(
      "CountersSmall",
      machine => {
        val small = CountersConfig(machine).copy(ramAddressWidth = 14, codeBytes = 4096)
        new Counters(small) { noIoPrefix() }
      }
    ),
    Block("ControlGate", _ => new ControlGate { noIoPrefix() })
  )
}
