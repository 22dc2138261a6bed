// SPDX-License-Identifier: BSD-2-Clause
package mcpi.bus

import spinal.core._
import spinal.lib._

/** A TURBOchannel slot; the standard's signal names, active high, AD split into two directions.
  *
  * `cycle` stands for the bus clock: high in the last tick of a TURBOchannel cycle. Both sides
  * change their outputs, and sample the other's, only in a tick with `cycle` high. Parity and
  * turnaround cycles do not exist (sources/lance.md 4).
  *
  * Programmed I/O: `sel` with the address beat on `adHost` for one cycle, then (sel held) the write
  * data; the option answers `rdy` with read data on `adOption`, or `conflict` when it wants DMA
  * first. DMA: `rReq` or `wReq`, `ack` for one cycle, the address beat on `adOption` in the next;
  * then one longword a cycle: writes while `wReq` is held, reads with each further `ack` until the
  * option has dropped `rReq`. `err` with `ack`, or in place of it, says that memory failed.
  *
  * @param masks each longword of a DMA write comes with a byte mask
  */
case class TcSlot(masks: Boolean = false) extends Bundle with IMasterSlave {
  val cycle, reset, sel, write, ack, err = Bool()
  val adHost = Bits(32 bits)
  val rdy, conflict, rReq, wReq, int = Bool()
  val adOption = Bits(32 bits)
  val mask = masks generate Bits(4 bits) // 1: write this byte of `adOption`

  /** Master is the system (host) side. */
  override def asMaster(): Unit = {
    out(cycle, reset, sel, write, ack, err, adHost)
    in(rdy, conflict, rReq, wReq, int, adOption)
    if (masks) in(mask)
  }

  /** Drive the option side of a slot that nothing is plugged into. */
  def tieOffOption(): Unit = {
    Seq(rdy, conflict, rReq, wReq, int).foreach(_ := False)
    adOption := 0
    if (masks) mask := 0
  }
}

/** Address beats. Programmed I/O: bits 31:5 are byte address 28:2, bits 3:0 the byte mask (1: write
  * this byte). DMA: bits 31:5 are byte address 28:2, bits 4:0 are 33:29 (sources/lance.md 4).
  */
object TcBeat {
  def io(address: UInt, mask: Bits): Bits = address(28 downto 2).asBits ## B"0" ## mask
  def ioAddress(beat: Bits): UInt = (beat(31 downto 5) ## B"00").asUInt // 29 bits
  def ioMask(beat: Bits): Bits = beat(3 downto 0)

  def dma(address: UInt): Bits = address(28 downto 2).asBits ## address(33 downto 29).asBits
  def dmaAddress(beat: Bits): UInt =
    (beat(4 downto 0) ## beat(31 downto 5) ## B"00").asUInt // 34 bits
}
