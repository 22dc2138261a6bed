// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import spinal.core._
import spinal.lib._

/** A set that is asked for, and its bit. */
case class ValidBit(indexBits: Int) extends Bundle with IMasterSlave {
  val index = UInt(indexBits bits)
  val valid = Bool()
  override def asMaster(): Unit = { out(index); in(valid) }
}

/** Valid bits of a cache, one for each set, all cleared at once by reset or `flush`.
  *
  * A row of bits is a word of distributed RAM, and counts only once it has been written since the
  * last flush: a flip-flop for each row, not for each set. Reads see what was written before this
  * clock. Whether a bit is to be cleared may come late.
  *
  * @param asksTwice there is a second set to be read
  * @param group so many sets, as many as `clears` clears at once; 0: none
  */
class ValidBits(sets: Int, asksTwice: Boolean = false, group: Int = 0) extends Component {
  private val indexBits = log2Up(sets)
  private val columns = 16 min (sets / 2) // two rows at least
  private val columnBits = log2Up(columns)

  val read = slave(ValidBit(indexBits))
  val other = asksTwice generate slave(ValidBit(indexBits))
  val write = slave(Flow(new Bundle { val index = UInt(indexBits bits); val valid = Bool() }))
  val flush = in Bool () // before what is written in this clock
  val single = in Bool () // a write clears all others
  private val groups = group > 0
  val clears = groups generate slave(Flow(new Bundle { // never with a write
    val index = UInt(indexBits bits) // of the first
    val mask = Bits(group bits)
  }))
  val groupIndex = groups generate (in UInt (indexBits bits)) // of the first
  val groupValid = groups generate (out Bits (group bits))

  private def rowOf(index: UInt) = index(indexBits - 1 downto columnBits)
  private def columnOf(index: UInt) = index(columnBits - 1 downto 0)

  val rows = Mem(Bits(columns bits), sets / columns)
  val live = Reg(Bits(sets / columns bits)) init 0

  private def row(index: UInt): Bits =
    rows.readAsync(rowOf(index)) & (live(rowOf(index)) #* columns)
  read.valid := row(read.index)(columnOf(read.index))
  if (asksTwice) other.valid := row(other.index)(columnOf(other.index))

  val bit = UIntToOh(columnOf(write.index), columns)
  val before = row(write.index) & (!single && !flush) #* columns
  if (groups) {
    require(group <= columns)
    groupValid := (row(groupIndex) >> columnOf(groupIndex)).resized
    val going = (clears.mask.resize(columns) |<< columnOf(clears.index)).setName("going")
    val now = row(clears.index) & ~flush #* columns
    rows.write(
      rowOf(write.valid ? write.index | clears.index),
      write.valid ? (write.payload.valid ? (before | bit) | (before & ~bit)) | (now & ~going),
      write.valid || clears.valid
    )
  } else {
    rows.write(
      rowOf(write.index),
      write.payload.valid ? (before | bit) | (before & ~bit),
      write.valid
    )
  }
  when(flush) { live := 0 }
  when(write.valid && write.payload.valid) {
    when(single) { live := 0 }
    live(rowOf(write.index)) := True
  }
}
