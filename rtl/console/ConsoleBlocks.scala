// SPDX-License-Identifier: BSD-2-Clause
package mcpi.console

import mcpi.bus.MemoryBusConfig
import mcpi.machine.Block

object ConsoleBlocks {
  val blocks: Seq[Block] = Seq(
    Block("GuestConsole", _ => new GuestConsole { noIoPrefix() }),
    Block(
      "HostLink",
      machine => new HostLink(MemoryBusConfig(machine.int("cache.block"))) { noIoPrefix() }
    )
  )
}
