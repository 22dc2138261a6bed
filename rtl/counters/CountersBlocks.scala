// SPDX-License-Identifier: BSD-2-Clause
package mcpi.counters

import mcpi.machine.Block

object CountersBlocks {
  val blocks: Seq[Block] = Seq(
    Block("Counters", _ => new Counters { noIoPrefix() })
  )
}
