// SPDX-License-Identifier: BSD-2-Clause
package mcpi.lance

import mcpi.bus._
import mcpi.machine.Machine
import spinal.core._
import spinal.lib._

/** The IOASIC option of slot 7 with the LANCE behind it.
  *
  * `station` is the address in the station ROM, first wire byte lowest; `heartbeat`: the transceiver
  * answers each transmission with the SQE test (else CERR is set); `pollPhase`: ticks from STRT to
  * the first ring poll, below `timing.poll`.
  */
case class LanceCardIo() extends Bundle {
  val tick = in Bool ()
  val slot = slave(TcSlot())
  val mii = master(Mii())
  val timing = in(LanceTiming())
  val station = in Bits (48 bits)
  val heartbeat = in Bool ()
  val pollPhase = in UInt (21 bits)
  val events = out(LanceEvents())
  val quiescent = out Bool ()
  val nextEvent = out UInt (32 bits)
}
