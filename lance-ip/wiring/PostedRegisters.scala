// SPDX-License-Identifier: BSD-2-Clause
package mcpi.lance

import mcpi.bus.NextEvent
import spinal.core._
import spinal.lib._

/** RDP and RAP of a wiring: a write is posted and reaches the chip `csrTicks` later; the next
  * access of the chip waits for it.
  */
class PostedRegisters(io: LanceWiringIo) extends Area {
  val posted = Reg(Bool()) init False
  val postedRap = Reg(Bool())
  val postedData = Reg(Bits(16 bits))
  val csr = new TicksToGo(11, io.skip)
  val arrives = posted && csr.over

  io.registers.valid := arrives
  io.registers.write := True
  io.registers.writeData := postedData
  when(arrives || io.chipReset)(posted := False)
  io.demand := False

  /** Which of the two a read sees. */
  def select(rap: Bool): Unit = io.registers.rap := Mux(posted, postedRap, rap)

  def write(rap: Bool, data: Bits): Unit = {
    posted := !io.chipReset // nothing outlives a RESET of the chip
    postedRap := rap
    postedData := data
    csr.load(io.csrTicks)
    io.demand := !rap && io.csr0Selected && data(3)
  }
  def nextEvent: UInt = NextEvent.first(NextEvent.when(arrives), csr.nextEvent)
}

/** Ports of every wiring: a TURBOchannel slot on one side, the chip on the other. */
case class LanceWiringIo(dense: Boolean, classifier: Boolean) extends Bundle {
  val slot = slave(mcpi.bus.TcSlot(masks = dense))
  val station = in Bits (48 bits)
  val csrTicks = in UInt (11 bits)
  val registers = master(RegisterPort())
  val memory = slave(LanceMemory())
  val entries = classifier generate master(Flow(EntryWrite()))
  val chipInterrupt = in Bool ()
  val csr0Selected = in Bool ()
  val chipReset = out Bool ()
  val demand = out Bool () // one tick: TDMD on its way into CSR0
  val skip = in UInt (NextEvent.width bits)
  val nextEvent = out UInt (NextEvent.width bits)
}

/** @param dense the chip sees host RAM without gaps
  * @param classifier the chip has entries, which are registers of the slot
  */
abstract class LanceWiring(dense: Boolean = false, classifier: Boolean = false) extends Component {
  val io = LanceWiringIo(dense, classifier)
}
