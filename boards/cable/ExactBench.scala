// SPDX-License-Identifier: BSD-2-Clause
package mcpi.boards

import mcpi.bus.Mii
import mcpi.lance._
import mcpi.machine.Machine
import spinal.core._
import spinal.lib._

/** Ports of one of two nodes at their gateways, in the node's own clock. */
class ExactSide(m: Machine, c: ExactConfig) extends Component {
  val run, tick = in Bool ()
  val exact = slave(ExactControl(c))
  val outlook = in UInt (SendOutlook.width bits)
  val mii = slave(Mii())
  val pause = out Bool ()
  protected def join(gateway: ExactGateway): Unit = {
    gateway.run := run
    gateway.tick := tick
    gateway.measures := True
    gateway.exact <> exact
    gateway.outlook := outlook
    gateway.passed := 0
    gateway.mii <> mii
    pause := gateway.pause
  }
}

/** A side at the pins of an RGMII PHY, as both boards have it. */
class ExactRgmii(m: Machine, c: ExactConfig) extends ExactSide(m, c) {
  val txClock, rxClock = in Bool ()
  val pins = master(RgmiiPins())
  val (quarter, received) = (PhyClock(txClock), PhyClock(rxClock, falling = true))
  val gateway = new ExactGateway(quarter, received, c)
  val adapter = new RgmiiAdapter(quarter, received)
  adapter.fast := True
  adapter.pins <> pins
  adapter.transmit <> gateway.transmit
  adapter.receive <> gateway.receive
  join(gateway)
}

/** A side at the pins of an RMII PHY. */
class ExactRmii(m: Machine, c: ExactConfig) extends ExactSide(m, c) {
  val refClock = in Bool ()
  val pins = master(RmiiPins())
  val reference = PhyClock(refClock)
  val gateway = new ExactGateway(reference, reference, c)
  val adapter = new RmiiAdapter(reference)
  adapter.fast := True
  adapter.pins <> pins
  adapter.transmit <> gateway.transmit
  adapter.receive <> gateway.receive
  join(gateway)
}

/** Two of them, RGMII and RMII, each in a clock of its own; the cable is between the pins. Waits
  * end soon, for the test.
  */
class ExactPair(m: Machine) extends Component {
  private val c = ExactConfig(m).copy(patience = 16, first = 16)
  val a_clk, a_reset, b_clk, b_reset = in Bool ()
  private def domain(clk: Bool, reset: Bool) = ClockDomain(
    clk,
    reset,
    config = ClockDomainConfig(resetKind = SYNC, resetActiveLevel = HIGH)
  )
  val a = domain(a_clk, a_reset)(new ExactRgmii(m, c))
  val b = domain(b_clk, b_reset)(new ExactRmii(m, c))
  private val clocks = Set("a_clk", "a_reset", "b_clk", "b_reset")
  for (
    (side, name) <- Seq[(Component, String)](a -> "a", b -> "b");
    port <- side.getAllIo.toSeq if !clocks(port.getName())
  ) {
    val own = if (port.isInput) in(cloneOf(port)) else out(cloneOf(port))
    own.setName(s"${name}_${port.getName()}")
    if (port.isInput) port := own else own := port
  }
}

/** A LANCE and what it promises, for the proof. */
class ExactPromise(m: Machine) extends Component {
  val io = LanceCardIo(LanceCard.isDense(m))
  val outlook = out UInt (SendOutlook.width bits)
  val card = LanceCard(m)
  for ((port, inner) <- io.flatten.zip(card.io.flatten))
    if (port.isInput) inner := port else port := inner
  val reader = new SendOutlook
  reader.timing := io.timing
  reader.state := SendState.of(card.ticked.lance)
  outlook := reader.ticks
}
