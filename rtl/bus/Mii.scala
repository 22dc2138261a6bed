// SPDX-License-Identifier: BSD-2-Clause
package mcpi.bus

import spinal.core._
import spinal.lib._

/** MII in virtual time: the 25 or 2.5 MHz clocks are strobes that last one tick.
  *
  * `txStrobe` is made by the node (every 70 ticks at 10 Mb/s, 175 ticks a microsecond); `txd` and
  * `txEn` are valid with it. `rxStrobe` comes from the wire, which has its own clock.
  */
case class Mii() extends Bundle with IMasterSlave {
  val txStrobe, txEn, txEr = Bool()
  val txd = Bits(4 bits)
  val rxStrobe, rxDv, rxEr = Bool()
  val rxd = Bits(4 bits)
  val crs, col = Bool()

  /** Master is the controller. */
  override def asMaster(): Unit = {
    out(txStrobe, txEn, txEr, txd)
    in(rxStrobe, rxDv, rxEr, rxd, crs, col)
  }
}
