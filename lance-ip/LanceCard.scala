// SPDX-License-Identifier: BSD-2-Clause
package mcpi.lance

import mcpi.bus._
import mcpi.machine.Machine
import spinal.core._
import spinal.lib._

/** The IOASIC option of slot 7 with the LANCE behind it.
  *
  * `station` is the address in the station ROM, first wire byte lowest; `heartbeat`: the
  * transceiver answers each transmission with the SQE test (else CERR is set); `halfDuplex`: the
  * chip listens to carrier and collisions; `pollPhase`: ticks from STRT to the first ring poll,
  * below `timing.poll`.
  */
case class LanceCardIo() extends Bundle {
  val tick = in Bool ()
  val skip = in UInt (NextEvent.width bits) // ticks this tick stands for beside itself
  val nextEvent = out UInt (NextEvent.width bits) // of its own making; nibbles arrive unannounced
  val slot = slave(TcSlot())
  val mii = master(Mii())
  val timing = in(LanceTiming())
  val station = in Bits (48 bits)
  val heartbeat = in Bool ()
  val halfDuplex = in Bool ()
  val pollPhase = in UInt (21 bits)
  val events = out(LanceEvents())
}

class LanceCard(machine: Machine) extends Component {
  val io = LanceCardIo()
  val config = LanceConfig(machine)

  val ticked = new TickArea(io.tick) {
    val ioasic = new Ioasic(IoasicMap(machine))
    val lance = new Lance(config)

    ioasic.io.slot <> io.slot
    ioasic.io.station := io.station
    ioasic.io.csrTicks := io.timing.csr
    ioasic.io.registers <> lance.io.registers
    ioasic.io.memory <> lance.io.memory
    ioasic.io.chipInterrupt := lance.io.interrupt
    ioasic.io.csr0Selected := lance.io.csr0Selected
    lance.io.reset := ioasic.io.chipReset
    lance.io.timing := io.timing
    lance.io.pollPhase := io.pollPhase
    lance.io.halfDuplex := io.halfDuplex
    lance.io.mii <> io.mii
    lance.io.skip := io.skip
    ioasic.io.skip := io.skip

    // The transceiver's SQE test: collision for a microsecond after each transmission.
    val heartbeatToGo = Reg(UInt(log2Up(config.ticksPerUs + 1) bits)) init 0
    when(heartbeatToGo =/= 0)(heartbeatToGo := (heartbeatToGo - 1 - io.skip).resized)
    when(lance.io.lastBit && io.heartbeat)(heartbeatToGo := config.ticksPerUs)
    lance.io.collision := heartbeatToGo =/= 0 || io.mii.col

    val interruptBefore = RegNext(io.slot.int) init False
    io.nextEvent := NextEvent.first(
      NextEvent.when(io.slot.int =/= interruptBefore),
      NextEvent.counter(heartbeatToGo),
      lance.io.nextEvent,
      ioasic.io.nextEvent
    )
    io.events.demand := ioasic.io.demand
    io.events.firstBit := lance.io.firstBit
    io.events.lastBit := lance.io.lastBit
    io.events.received := lance.io.received
    io.events.interrupt := io.slot.int && !interruptBefore
  }
}

object LanceCard {
  def apply(machine: Machine): LanceCard = new LanceCard(machine)
}
