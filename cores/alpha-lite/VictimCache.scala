// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import spinal.core._
import spinal.lib._

/** A block that a primary cache displaces. */
case class Victim(numberBits: Int, blockBits: Int) extends Bundle {
  val number = UInt(numberBits bits) // its address without the offset
  val block = Bits(blockBits bits)
}

/** Bytes of a store: halves of one quadword of a block. */
case class VictimStore(quads: Int) extends Bundle {
  val place = UInt(log2Up(quads) bits)
  val halves = Bits(2 bits)
  val quad = Bits(64 bits)

  /** Set the fields for a quadword, or for a longword in the lower half of `data`. */
  def of(address: UInt, long: Bool, data: Bits): Unit = {
    val high = address(2)
    place := address(3, widthOf(place) bits)
    halves := (!long || high) ## (!long || !high)
    quad := (long ? data(31 downto 0) | data(63 downto 32)) ## data(31 downto 0)
  }
}

/** The blocks that a direct-mapped primary cache displaced last, by age, and the one that is on its
  * way back (docs/explanation/memory.md, Victim caches).
  *
  * {{{
  *   displaced ───► place 0 ──► place 1 ──► … ──► last place ───► gone
  *  (a fill does it)   │           │                   │
  *                     └───────────┴─────────┬─────────┘
  *                                           │ a miss takes its block, and leaves a gap
  *                                           ▼
  *                                        moving ─── `ticks` later ───► back, a fill
  * }}}
  *
  * What is displaced moves the younger ones on by one, as far as the first gap; without a gap the
  * oldest is gone. So the order of the places is that of age.
  *
  * @param ofData stores write into blocks that are here, and others drop them
  */
class VictimCache(places: Int, ticks: Int, numberBits: Int, blockBits: Int, ofData: Boolean)
    extends Component {
  require(places >= 1 && ticks >= 1 && ticks <= 15)
  private val quads = blockBits / 64
  val number = in UInt (numberBits bits) // of the block that an access asks for
  val has = out Bool () // the block is a victim
  val take = in Bool () // the block leaves, to come back
  val back = master(Flow(Bits(blockBits bits)))
  val stillValid = ofData generate (out Bool ()) // with `back`: the block was not dropped meanwhile
  val returns = out Bool () // a block comes back, now or later
  val put = slave(Flow(Victim(numberBits, blockBits))) // never with `take`
  val drop =
    ofData generate slave(
      Flow(UInt(numberBits bits))
    ) // drop a block, also one that is put in this clock
  val clear = in Bool () // drop all blocks, also one that is put; a block on its way still comes
  val store =
    ofData generate slave(Flow(VictimStore(quads))) // store into block `number`, if it is a victim

  val valid = Reg(Bits(places bits)) init 0
  val numbers = Vec.fill(places)(Reg(UInt(numberBits bits)))
  val blocks = Vec.fill(places)(Reg(Bits(blockBits bits)))
  val found = Cat((0 until places).map(n => valid(n) && numbers(n) === number))
  has := found.orR

  val pushed = Vec((0 until places).map(n => put.valid && (0 until n).map(valid(_)).andR))
  for (n <- 0 until places) {
    val before = if (n == 0) put.number else numbers(n - 1)
    when(pushed(n)) {
      numbers(n) := before
      blocks(n) := (if (n == 0) put.block else blocks(n - 1))
    }
    val is = pushed(n) || valid(n) && !(take && found(n))
    def dropped = drop.valid && drop.payload === (pushed(n) ? before | numbers(n))
    valid(n) := (if (ofData) is && !dropped else is) && !clear
    if (ofData) when(store.valid && found(n)) {
      for (quad <- 0 until quads; half <- 0 until 2)
        when(store.place === quad && store.halves(half)) {
          blocks(n)(64 * quad + 32 * half, 32 bits) := store.quad(32 * half, 32 bits)
        }
    }
  }

  val moving = RegInit(False)
  val left = Reg(UInt(4 bits)) init 0
  val movingBlock = Reg(Bits(blockBits bits))
  val movingNumber = ofData generate Reg(UInt(numberBits bits))
  val movingValid = ofData generate Reg(Bool())
  back.valid := moving && left === 0
  back.payload := movingBlock
  returns := moving || take
  when(moving) {
    left := left - 1
    when(left === 0) { moving := False }
  }
  when(take) {
    moving := True
    left := ticks - 1
    movingBlock := MuxOH(found, blocks)
  }
  if (ofData) {
    stillValid := movingValid
    when(take) { movingNumber := number; movingValid := True }
    when(drop.valid && drop.payload === (take ? number | movingNumber)) { movingValid := False }
  }
  assert(!take || has && !moving && !put.valid, "a block is taken that is not here", FAILURE)
  private val twice = (0 until places).map(n => valid(n) && numbers(n) === put.number).orR
  assert(!(put.valid && twice), "a displaced block is among the victims", FAILURE)
  if (ofData) assert(!(store.valid && (put.valid || take)), "a store meets a fill", FAILURE)
}
