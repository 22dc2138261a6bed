// SPDX-License-Identifier: BSD-2-Clause
package mcpi.memory

import spinal.core._
import spinal.lib._

case class TagEntry(c: MemoryConfig) extends Bundle {
  val valid = Bool()
  val dirty = Bool()
  val tag = UInt(c.tagWidth bits)
}

/** Question of one clock; answered in the next. */
case class TagLookup(c: MemoryConfig) extends Bundle {
  val address = UInt(c.ramAddressWidth bits)
  val present = Bool() // false: no RAM at this address, never a hit, nothing allocated
  val write = Bool() // the block becomes dirty
  val allocate = Bool() // a miss takes the set (core); DMA only updates what is there
}

/** The 2 MB b-cache: direct-mapped, write-back, allocating on reads and writes; tags only, since
  * data comes from the backing memory either way. After reset, and for `empty`, a walk empties it,
  * `sets` clocks long.
  *
  * Lookups may follow each other every third clock, as an entry is written a clock after the
  * answer.
  */
class BCacheTags(c: MemoryConfig) extends Component {
  val io = new Bundle {
    val lookup = slave Flow TagLookup(c)
    val answer = out Bool () // one clock after `lookup`: `hit` and `victim` hold
    val hit = out Bool ()
    val victim = out Bool () // a dirty block was displaced
    val walking = out Bool ()
    val empty = in Bool () // walk again, while no tick passes
  }

  private def index(address: UInt) = address(c.offsetWidth, c.indexWidth bits)

  val tags = Mem(TagEntry(c), c.sets)
  val walking = RegInit(True)
  val walkIndex = Reg(UInt(c.indexWidth bits)) init 0
  val lookupValid = RegInit(False)
  val request = Reg(TagLookup(c))

  // In every clock, as it is known late whether there is a lookup.
  lookupValid := io.lookup.valid
  request := io.lookup.payload
  val entry = tags.readSync(index(io.lookup.address))

  val wantedTag = request.address(c.ramAddressWidth - 1 downto c.ramAddressWidth - c.tagWidth)
  val same = entry.valid && entry.tag === wantedTag && request.present
  io.answer := lookupValid
  io.hit := lookupValid && same
  io.victim :=
    lookupValid && !same && request.present && request.allocate && entry.valid && entry.dirty
  val walked = RegNext(walking) init True // its last entry is being written
  io.walking := walking || walked

  // A hit only ever changes the dirty bit; a miss takes the set if it may.
  val changes = same ? (request.write && !entry.dirty) | request.allocate
  val update = lookupValid && request.present && changes
  val newEntry = TagEntry(c)
  newEntry.valid := !walking
  newEntry.dirty := !walking && request.write
  newEntry.tag := wantedTag
  val writes = RegNext(walking || update) init False
  val writeIndex = RegNext(walking ? walkIndex | index(request.address))
  val written = RegNext(newEntry)
  tags.write(writeIndex, written, writes)

  when(walking) {
    walkIndex := walkIndex + 1
    when(walkIndex === c.sets - 1)(walking := False)
  }
  when(io.empty)(walking := True)
}
