// SPDX-License-Identifier: BSD-2-Clause
package mcpi.lance

import spinal.core._
import spinal.lib._

/** The registers as a slave of Wishbone B4, classic cycles: `ack` in the clock after `stb`. */
class WishboneAccess extends Component {
  val cyc, stb, we = in Bool ()
  val adr = in UInt (3 bits)
  val sel = in Bits (4 bits)
  val written = in Bits (32 bits)
  val read = out Bits (32 bits)
  val ack = out Bool ()
  val access = master(PartAccess())

  val answers = RegInit(False)
  val value = RegNext(access.readData)
  val begins = cyc && stb && !answers
  answers := begins
  ack := answers
  read := value
  access.valid := begins
  access.write := we
  access.address := adr
  access.mask := sel
  access.writeData := written
}
