// SPDX-License-Identifier: BSD-2-Clause
package mcpi.lance

import mcpi.bus._
import mcpi.machine.Machine
import spinal.core._
import spinal.lib._

/** A TURBOchannel card with the LANCE: IOASIC in slot 7, or PMAD-AA in slot 0.
  *
  * `station` is the address in the station ROM, first wire byte lowest; `heartbeat`: the
  * transceiver answers each transmission with the SQE test (else CERR is set); `halfDuplex`: the
  * chip listens to carrier and collisions; `pollPhase`: ticks from STRT to the first ring poll,
  * below `timing.poll`.
  */
case class LanceCardIo(dense: Boolean) extends Bundle {
  val tick = in Bool ()
  val skip = in UInt (NextEvent.width bits) // ticks this tick stands for besides itself
  val nextEvent = out UInt (NextEvent.width bits) // of its own making; nibbles arrive unannounced
  val slot = slave(TcSlot(masks = dense))
  val mii = master(Mii())
  val timing = in(LanceTiming())
  val station = in Bits (48 bits)
  val heartbeat = in Bool ()
  val halfDuplex = in Bool ()
  val pollPhase = in UInt (21 bits)
  val events = out(LanceEvents())
  val steps = out(LanceSteps())
}

class LanceCard(machine: Machine) extends Component {
  val io = LanceCardIo(LanceCard.isDense(machine))
  val config = LanceConfig(machine)

  val ticked = new TickArea(io.tick) {
    val wiring = LanceCard.wiring(machine)
    val lance = new Lance(config)

    wiring.io.slot <> io.slot
    wiring.io.station := io.station
    wiring.io.csrTicks := io.timing.csr
    wiring.io.registers <> lance.io.registers
    wiring.io.memory <> lance.io.memory
    wiring.io.chipInterrupt := lance.io.interrupt
    wiring.io.csr0Selected := lance.io.csr0Selected
    if (config.classifier) lance.io.entries << wiring.io.entries
    lance.io.reset := wiring.io.chipReset
    lance.io.timing := io.timing
    lance.io.pollPhase := io.pollPhase
    lance.io.halfDuplex := io.halfDuplex
    lance.io.mii <> io.mii
    lance.io.skip := io.skip
    wiring.io.skip := io.skip

    // The transceiver's SQE test: collision for a microsecond after each transmission.
    val heartbeatToGo = Reg(UInt(log2Up(config.ticksPerUs + 1) bits)) init 0
    val heartbeat = Reg(Bool()) init False // there are ticks to go
    when(heartbeat) {
      heartbeatToGo := (heartbeatToGo - 1 - io.skip).resized
      heartbeat := heartbeatToGo =/= (io.skip + 1).resize(heartbeatToGo.getWidth)
    }
    when(lance.io.lastBit && io.heartbeat) {
      heartbeatToGo := config.ticksPerUs
      heartbeat := True
    }
    lance.io.collision := heartbeat || io.mii.col

    val interruptBefore = RegNext(io.slot.int) init False
    io.nextEvent := NextEvent.first(
      NextEvent.when(io.slot.int =/= interruptBefore),
      NextEvent.counter(heartbeatToGo),
      lance.io.nextEvent,
      wiring.io.nextEvent
    )
    io.events.demand := wiring.io.demand
    io.events.firstBit := lance.io.firstBit
    io.events.lastBit := lance.io.lastBit
    io.events.received := lance.io.received
    io.events.interrupt := io.slot.int && !interruptBefore
    io.steps.demand := wiring.io.demand
    io.steps.begins := lance.io.begins
    io.steps.ends := lance.io.ends
    io.steps.single := lance.io.memory.single
    io.steps.write := lance.io.memory.write
    io.steps.moves := lance.io.memory.request
    io.steps.interrupt := io.events.interrupt
  }
}

object LanceCard {

  /** The slot the card is in: the IOASIC is part of the system, PMAD an option. */
  def slot(machine: Machine): Int = if (isPmad(machine)) 0 else 7

  /** Bytes of a longword that it does not mean it may not write: its slot has byte masks. */
  def isDense(machine: Machine): Boolean = machine.choice("lance.wiring") == "dense"

  private def isPmad(machine: Machine): Boolean = machine.choice("lance.wiring") == "pmad"
  private def wiring(machine: Machine): LanceWiring =
    if (isPmad(machine)) new Pmad(PmadMap(machine)).setName("pmad")
    else new Ioasic(IoasicMap(machine), isDense(machine)).setName("ioasic")

  def apply(machine: Machine): LanceCard = new LanceCard(machine)
}
