// SPDX-License-Identifier: BSD-2-Clause
package mcpi.lance

import spinal.core._
import spinal.lib._

/** The chip in real clocks with its side of the wire, its own times zero: a tick a clock,
  * `c.ticksPerUs` MHz. Buses and PHYs are joined to it from outside (README.md of this folder).
  *
  * `carrier` and `collision` are the PHY's, of any clock; they count with half duplex.
  */
abstract class PartCore(c: LanceConfig, transmitClock: ClockDomain, receiveClock: ClockDomain)
    extends Component {
  val fast = c.linkMbps == 100
  val transmit = master(PhyTransmit())
  val receive = slave(PhyReceive())
  val carrier, collision = in Bool ()
  val interrupt = out Bool ()

  val chip = new Lance(c)
  val send = new SendElastic(transmitClock)
  val hear = new ReceiveElastic(receiveClock, c.ticksPerNibble)
  interrupt := chip.io.interrupt

  send.strobe := chip.io.mii.txStrobe
  send.enable := chip.io.mii.txEn
  send.nibble := chip.io.mii.txd
  send.wire <> transmit
  hear.wire <> receive
  chip.io.mii.rxStrobe := hear.strobe
  chip.io.mii.rxDv := hear.valid
  chip.io.mii.rxEr := hear.error
  chip.io.mii.rxd := hear.nibble

  // A frame's end is still on its way to the PHY when the chip has sent it: its carrier is ours.
  private val sendDelay = 14 * c.ticksPerNibble
  val ownCarrier = Reg(UInt(log2Up(sendDelay + 1) bits)) init 0
  when(ownCarrier =/= 0)(ownCarrier := ownCarrier - 1)
  when(chip.io.mii.txStrobe && !chip.io.mii.txEn)(ownCarrier := sendDelay)
  chip.io.mii.crs := BufferCC(carrier, False) && ownCarrier === 0
  chip.io.mii.col := False
  chip.io.collision := BufferCC(collision, False)

  chip.io.skip := 0
  chip.io.pollPhase := 16
  private val t = chip.io.timing
  Seq(t.word, t.gap, t.arbitration, t.csr, t.demand, t.setup, t.start).foreach(_ := 0)
  Seq(t.heartbeat, t.status, t.interrupt).foreach(_ := 0)
  t.poll := 1600 * c.ticksPerUs // 1.6 ms, as the Am7990
  t.transmitThreshold := c.siloBytes
}
