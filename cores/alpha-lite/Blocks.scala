// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import mcpi.machine.Block

/** What of this room can be elaborated on its own. */
object Blocks {
  val blocks: Seq[Block] = Seq(Block("AlphaLite", m => new AlphaLite(AlphaLiteConfig(m))))
}
