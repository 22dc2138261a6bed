// SPDX-License-Identifier: BSD-2-Clause
package mcpi.node

import mcpi.bus._
import mcpi.machine.Machine
import spinal.core._
import spinal.lib._

/** Sends an uncached access to the TURBOchannel or to the system registers, by its physical
  * address; anything else is answered with an error in the next tick.
  */
class IoDecoder(machine: Machine) extends Component {
  val io = new Bundle {
    val tick = in Bool ()
    val core = slave(IoBus())
    val turbochannel = master(IoBus())
    val system = master(IoBus())
    val nextEvent = out UInt (NextEvent.width bits)
  }
  private def within(entry: String): Bool = {
    val size = machine.size("io", entry)
    require(isPow2(size) && machine.base("io", entry) % size == 0)
    (io.core.cmd.address >> log2Up(size)) === machine.base("io", entry) >> log2Up(size)
  }
  private val slaves = Seq("turbochannel" -> io.turbochannel, "system" -> io.system)
  val chosen = slaves.map { case (name, _) => within(name).setName(s"chosen_$name") }
  val nowhere = !chosen.orR

  // Levels that stand from tick to tick; whoever takes them asks for the tick.
  io.core.cmd.ready := nowhere || slaves
    .zip(chosen)
    .map { case ((_, slave), mine) =>
      mine && slave.cmd.ready
    }
    .orR
  for (((_, slave), mine) <- slaves.zip(chosen)) {
    slave.cmd.valid := io.core.cmd.valid && mine
    slave.cmd.payload := io.core.cmd.payload
  }

  val failed = RegInit(False)
  when(io.tick)(failed := io.core.cmd.valid && nowhere)
  io.core.rsp.valid := failed || slaves.map(_._2.rsp.valid).orR
  io.nextEvent := NextEvent.when(io.core.cmd.valid || failed)
  io.core.rsp.error := failed || slaves.map(s => s._2.rsp.valid && s._2.rsp.error).orR
  io.core.rsp.data := slaves
    .map { case (_, slave) => slave.rsp.valid ? slave.rsp.data | B(0, 64 bits) }
    .reduce(_ | _)
}
