// SPDX-License-Identifier: BSD-2-Clause
package mcpi.lance

import mcpi.bus._
import mcpi.machine.{Block, Machine}
import spinal.core._
import spinal.lib._

case class LanceOnTcIo() extends Bundle {
  val tick = in Bool ()
  val skip = in UInt (NextEvent.width bits)
  val nextEvent = out UInt (NextEvent.width bits)
  val io = slave(IoBus())
  val dma = master(DmaBus())
  val mii = master(Mii())
  val timing = in(LanceTiming())
  val station = in Bits (48 bits)
  val heartbeat = in Bool ()
  val halfDuplex = in Bool ()
  val pollPhase = in UInt (21 bits)
  val interrupt = out Bool ()
  val events = out(LanceEvents())
}

/** TURBOchannel host and LANCE card alone, for tests and for outside drivers. */
class LanceOnTc(machine: Machine) extends Component {
  val io = LanceOnTcIo()
  val host = new TcHost(
    TcHostConfig(machine)
      .copy(slots = Seq(LanceCard.slot(machine)), masks = LanceCard.isDense(machine))
  )
  val card = LanceCard(machine)
  host.io.tick := io.tick
  host.io.io <> io.io
  host.io.dma <> io.dma
  host.io.slots(0) <> card.io.slot
  host.io.faultTaken := False
  card.io.tick := io.tick
  host.io.skip := io.skip
  card.io.skip := io.skip
  io.nextEvent := NextEvent.first(host.io.nextEvent, card.io.nextEvent)
  card.io.mii <> io.mii
  card.io.timing := io.timing
  card.io.station := io.station
  card.io.heartbeat := io.heartbeat
  card.io.halfDuplex := io.halfDuplex
  card.io.pollPhase := io.pollPhase
  io.interrupt := host.io.interrupts(0)
  io.events := card.io.events
}

object LanceBlocks {
  val blocks: Seq[Block] = Seq(
    Block("LanceOnTc", new LanceOnTc(_)),
    Block("LanceCard", new LanceCard(_)),
    Block("TransmitWire", m => new TransmitWire(LanceConfig(m)) { noIoPrefix() })
  )
}
