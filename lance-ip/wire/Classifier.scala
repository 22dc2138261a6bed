// SPDX-License-Identifier: BSD-2-Clause
package mcpi.lance

import spinal.core._
import spinal.lib._

/** A longword of an entry: `place` 0 to 62 is a word's mask and value, 63 the number of words that
  * count.
  */
case class EntryWrite() extends Bundle {
  val entry = UInt(3 bits)
  val place = UInt(6 bits)
  val data = Bits(32 bits)
}

case class ClassifierIo() extends Bundle {
  val write = slave(Flow(EntryWrite()))
  val begins = in Bool () // the frame's first byte comes later
  val byte = slave(Flow(Bits(8 bits)))
  val path = out UInt (4 bits) // lowest entry that the frame so far matches, from 1; or 0
}

/** Recognises the frames of paths (docs/reference/lance.md, Classifier), while their bytes enter
  * the silo.
  *
  * An entry that is written matches no frame that has begun: its flag stays low until the next one
  * begins.
  */
class Classifier extends Component {
  val io = ClassifierIo()

  val odd = Reg(Bool()) init False // half a word is here
  val low = Reg(Bits(8 bits))
  val words = Reg(UInt(6 bits)) init 0 // of the frame; 63 stays
  val word = io.byte.payload ## low
  val ends = io.byte.valid && odd
  val more = words + (ends && !words.andR).asUInt
  words := more
  when(io.byte.valid) {
    odd := !odd
    low := io.byte.payload
  }
  when(io.begins) {
    odd := False
    words := 0
  }

  // Each memory is read at the place of the word that comes next.
  private val place = Mux(io.begins, U(0), more)
  private val matches = for (i <- 0 until Classifier.entries) yield new Area {
    setName(s"entry$i")
    val rows = Mem(Bits(32 bits), 64)
    val count = Reg(UInt(6 bits)) init 0 // words that count; 0: none matches
    val flag = Reg(Bool()) init False
    val row = rows.readSync(place)
    val written = io.write.valid && io.write.entry === i
    val isCount = io.write.place.andR
    rows.write(io.write.place, io.write.data, written && !isCount)
    val differs = ((word ^ row(15 downto 0)) & row(31 downto 16)).orR
    when(ends && words < count && differs)(flag := False)
    when(io.begins)(flag := count =/= 0)
    when(written) {
      flag := False
      count := isCount.mux(io.write.data(5 downto 0).asUInt, U(0))
    }
    val hit = flag && !written && words >= count
  }
  io.path := 0
  for ((entry, i) <- matches.zipWithIndex.reverse) when(entry.hit)(io.path := i + 1)
}

object Classifier {
  val entries = 8
}
