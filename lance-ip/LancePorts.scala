// SPDX-License-Identifier: BSD-2-Clause
package mcpi.lance

import spinal.core._
import spinal.lib._

/** The chip's slave side: RDP and RAP. `valid` for one tick; `readData` is there at once. */
case class RegisterPort() extends Bundle with IMasterSlave {
  val valid, write = Bool()
  val rap = Bool() // ADR pin: the address port, else the data port
  val writeData = Bits(16 bits)
  val readData = Bits(16 bits)
  override def asMaster(): Unit = { out(valid, write, rap, writeData); in(readData) }
}

/** The chip's master side, one bus ownership: a single word, or bytes `address` to `last` inside
  * one aligned 16-byte piece. `request` stays until `done`; when it drops earlier the chip has
  * given up (READY absent, or STOP) and the wiring forgets the access.
  *
  * Data go through the wiring's hands a longword at a time: `lane` names a longword of the piece;
  * `writeData` is that longword, and `readValid` puts `readData` there. A single word travels in
  * 15:0, whatever `lane`.
  */
case class LanceMemory() extends Bundle with IMasterSlave {
  val request, write, single = Bool()
  val swapped = Bool() // byte a of the burst lies at a ^ 1 (CSR3 BSWP)
  val address = UInt(24 bits)
  val last = UInt(4 bits) // bits 3:0 of the last byte's address
  val done = Bool()
  val lane = UInt(2 bits)
  val writeData = Bits(32 bits)
  val readValid = Bool()
  val readData = Bits(32 bits)
  override def asMaster(): Unit = {
    out(request, write, single, swapped, address, last, writeData)
    in(done, lane, readValid, readData)
  }

  /** Longword for memory without gaps: a single word in both halves; `BytesMeant` has one. */
  def longword: Bits = {
    val word = writeData(15 downto 0)
    single ? (word ## word) | writeData
  }

  /** A longword from there as `readData`: a single word in the lower half. */
  def fromLongword(data: Bits): Bits = (single && address(1)) ? data.rotateLeft(16) | data
}

/** The bytes of longword `lane` that an access is about; not of longwords that it is not about. */
class BytesMeant(chip: LanceMemory, lane: UInt) extends Area {
  val firstByte = (lane === chip.address(3 downto 2)) ? chip.address(1 downto 0) | U(0)
  val lastByte = (lane === chip.last(3 downto 2)) ? chip.last(1 downto 0) | U(3)
  private val asked = (0 until 4).map(i => firstByte <= i && lastByte >= i)
  val mask = B((0 until 4).map(i => Mux(chip.swapped, asked(i ^ 1), asked(i))))
}
