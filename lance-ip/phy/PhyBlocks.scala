// SPDX-License-Identifier: BSD-2-Clause
package mcpi.lance

import mcpi.bus.Mii
import mcpi.machine.{Block, Machine}
import spinal.core._
import spinal.lib._

/** A gateway with an adapter, clocks as ports. */
abstract class GatewayBench(m: Machine) extends Component {
  val tick, measures = in Bool ()
  val mii = slave(Mii())
  val counts = out(GatewayCounts())
  protected def join(transmit: ClockDomain, receive: ClockDomain): PhyGateway = {
    val gateway = new PhyGateway(transmit, receive, LanceConfig(m).ticksPerNibble)
    gateway.tick := tick
    gateway.measures := measures
    gateway.mii <> mii
    gateway.counts <> counts
    gateway
  }
}

class GatewayMii(m: Machine) extends GatewayBench(m) {
  val txClock, rxClock = in Bool ()
  val pins = master(MiiPins())
  val (transmit, receive) = (PhyClock(txClock), PhyClock(rxClock))
  val gateway = join(transmit, receive)
  val adapter = new MiiAdapter(transmit, receive)
  adapter.pins <> pins
  adapter.transmit <> gateway.transmit
  adapter.receive <> gateway.receive
}

class GatewayRmii(m: Machine) extends GatewayBench(m) {
  val refClock, fast = in Bool ()
  val pins = master(RmiiPins())
  val reference = PhyClock(refClock)
  val gateway = join(reference, reference)
  val adapter = new RmiiAdapter(reference)
  adapter.fast := fast
  adapter.pins <> pins
  adapter.transmit <> gateway.transmit
  adapter.receive <> gateway.receive
}

class GatewayRgmii(m: Machine) extends GatewayBench(m) {
  val txClock, rxClock, fast = in Bool () // 100 MHz; RXC
  val pins = master(RgmiiPins())
  val link = out(LinkState())
  val (quarter, received) = (PhyClock(txClock), PhyClock(rxClock, falling = true))
  val gateway = join(quarter, received)
  val adapter = new RgmiiAdapter(quarter, received)
  adapter.fast := fast
  adapter.pins <> pins
  adapter.link <> link
  adapter.transmit <> gateway.transmit
  adapter.receive <> gateway.receive
}

object PhyBlocks {
  val blocks: Seq[Block] = Seq(
    Block("GatewayMii", new GatewayMii(_)),
    Block("GatewayRmii", new GatewayRmii(_)),
    Block("GatewayRgmii", new GatewayRgmii(_)),
    Block("Mdio", _ => new Mdio(half = 10))
  )
}
