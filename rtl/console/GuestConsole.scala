// SPDX-License-Identifier: BSD-2-Clause
package mcpi.console

import mcpi.bus.NextEvent
import spinal.core._
import spinal.lib._

/** Ports of the console to the system registers, in ticks. */
case class GuestPort() extends Bundle with IMasterSlave {
  val write = Flow(Bits(8 bits)) // a byte to the host; can always be written
  val take = Bool() // the byte read is taken
  val available = Bool()
  val byte = Bits(8 bits)
  override def asMaster(): Unit = {
    master(write)
    out(take)
    in(available, byte)
  }
}

/** Sixteen bytes each way between virtual time and the host link.
  *
  * A byte of the guest never waits in virtual time and is never lost: when the link is slow, `hold`
  * withholds ticks. A byte of the host enters at whatever tick it happens to come in. When the
  * machine is held, bytes that its guest did not take are dropped: the next guest gets none.
  */
class GuestConsole extends Component {
  val io = new Bundle {
    val tick = in Bool ()
    val held = in Bool () // the machine does not run
    val hold = out Bool ()
    val guest = slave(GuestPort())
    val fromHost = slave Stream Bits(8 bits)
    val toHost = master Stream Bits(8 bits)
    val nextEvent = out UInt (NextEvent.width bits)
  }
  val outgoing = StreamFifo(Bits(8 bits), 16)
  val incoming = StreamFifo(Bits(8 bits), 16)

  outgoing.io.push.valid := io.guest.write.valid && io.tick
  outgoing.io.push.payload := io.guest.write.payload
  outgoing.io.pop >> io.toHost
  incoming.io.push << io.fromHost
  incoming.io.flush := io.held.rise(False)
  io.guest.available := incoming.io.pop.valid
  io.guest.byte := incoming.io.pop.valid ? incoming.io.pop.payload | B(0, 8 bits)
  incoming.io.pop.ready := io.guest.take && io.tick

  // Decided a clock ahead: two more bytes may come before ticks stop.
  val holding = RegInit(False)
  holding := outgoing.io.occupancy >= 12
  io.hold := holding
  // The host's side empties in clocks, of which a skip leaves out some.
  io.nextEvent := NextEvent.when(holding || outgoing.io.occupancy =/= 0)
}
