// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import mcpi.bus.{EveryClock, Timing}
import spinal.core._
import spinal.lib._

/** Direct-mapped D-cache: tags compared in E1, data read into E2.
  *
  * A miss reaches the bus in E1, so a load takes the bus time plus one tick. The tags are block RAM
  * all the same: stage D knows the index of the access that E1 gets, and reads them for it. A block
  * of data is written in one tick.
  *
  * A read and a write of one RAM word never meet where the read matters: data are read by a load in
  * E1, and none is there when a block comes; a tag written after it was
  * read is kept in a register.
  *
  * With `writeBack` it knows which blocks have been stored to; memory has the same bytes all the
  * while (docs/explanation/memory.md, Write-back D-cache).
  *
  * @param isWay it is one way of a `DCacheOfWays`
  * @param hasVictims it is part of a `DCacheWithVictims`
  */
class DCache(c: AlphaLiteConfig, isWay: Boolean = false, hasVictims: Boolean = false)
    extends DataCache(c) {
  private val isPart = isWay || hasVictims
  val free = isPart generate (out Bool ()) // no block is in the set of `fillAddress`
  // The displaced block; and whether the block that comes is valid after it has displaced that.
  val displaced = hasVictims generate
    out(Victim(c.bus.addressWidth - offsetBits, c.bus.blockBits))
  val fillNext = hasVictims generate
    (in UInt (c.bus.addressWidth bits)) // `fillAddress` after this clock
  val keeps = hasVictims generate (in Bool ()) // what is displaced becomes a victim
  val stillValid = hasVictims generate (in Bool ())

  private def indexOf(a: UInt) = a(offsetBits, indexBits bits)
  private def tagOf(a: UInt) = a(c.ramBits - 1 downto tagLow)
  private def blockOf(a: UInt) = a(c.bus.addressWidth - 1 downto offsetBits)
  private def ram[T <: Data](word: HardType[T]) =
    Mem(word, c.dSets).addAttribute("no_rw_check") // without it yosys builds a comparator

  val valids = new ValidBits(
    c.dSets,
    asksTwice = c.writeBack || isPart,
    group = if (c.isCoherent) c.dropBlocks else 0
  )
  valids.flush := flush
  valids.single := False

  // The tag of E1's set, read at the end of D; or the one written since.
  val tags = ram(UInt(c.ramBits - tagLow bits))
  tags.write(indexOf(fillAddress), tagOf(fillAddress), fill.valid)
  val index = indexOf(address)
  val tag = tags.readSync(indexOf(next), tick)
  val filled = RegInit(False) // a fill since
  val filledIndex = RegNextWhen(indexOf(fillAddress), fill.valid)
  val newTag = RegNextWhen(tagOf(fillAddress), fill.valid)
  when(tick) { filled := False }
  when(fill.valid) { filled := True }
  val changed = filled && filledIndex === index

  val inclusion = c.isCoherent generate new Inclusion(c)
  val single = !c.isCoherent generate new Area {
    setName("")
    // A block that DMA has written: its tag is read, its valid bit cleared a tick later; until then
    // accesses see it as dropped. A fill of that set in between leaves nothing to clear.
    val named = ram(UInt(c.ramBits - tagLow bits)) // as `tags`
    named.write(indexOf(fillAddress), tagOf(fillAddress), fill.valid)
    val namedTag = named.readSync(indexOf(invalidate.payload), invalidate.valid)
    val dropping = RegInit(False)
    val dropped = RegNextWhen(blockOf(invalidate.payload), invalidate.valid)
    val droppedIndex = dropped(0, indexBits bits)
    val meets = RegNextWhen( // the fill of this very tick; the DMA came later
      fill.valid && indexOf(fillAddress) === indexOf(invalidate.payload),
      invalidate.valid
    ) init False
    val meetsItself = RegNextWhen(
      tagOf(fillAddress) === tagOf(invalidate.payload),
      invalidate.valid
    )
    // The tag read comes last, as above: it has a second clock.
    val clockEnabled = EveryClock.clockEnabled
    val ripe =
      EveryClock(RegNext(dropping && !(invalidate.valid && clockEnabled)) init False)
    val itself = dropping && meets && meetsItself
    val asksTag = (dropping && !meets).addAttribute("keep")
    val droppedTag = (dropped >> indexBits).resize(widthOf(namedTag))
    private val compared = LateCompare(namedTag.asBits, droppedTag.asBits)
    val tagMatches = Bool()
    tagMatches := EveryClock(RegNext(compared)) && ripe
    private val early = !fill.valid && !ripe
    val waits = dropping && (fill.valid && indexOf(fillAddress) =/= droppedIndex || early)
    dropping := invalidate.valid || waits
    hold := dropping && !ripe
    assert(!(waits && invalidate.valid), "two invalidations in a row around a fill", FAILURE)

    valids.write.valid := (fill.valid || itself).addAttribute("keep") || (asksTag && tagMatches)
    valids.write.payload.index := fill.valid ? indexOf(fillAddress) | droppedIndex
    private val becomes = if (hasVictims) fill.valid && stillValid else fill.valid
    valids.write.payload.valid := becomes && !flush
  }
  if (c.isCoherent) {
    hold := False // its tags end in the valid bits: no clock of their own
    inclusion.invalidate << invalidate
    inclusion.whole := whole
    inclusion.fill.valid := fill.valid
    inclusion.fill.payload := fillAddress
    inclusion.address := address
    inclusion.validOfSets := valids.groupValid
    valids.groupIndex := ((indexOf(invalidate.payload) >> log2Up(c.dropBlocks)) << log2Up(
      c.dropBlocks
    ))
    valids.clears.valid := inclusion.clear.valid
    valids.clears.index := inclusion.clear.index
    valids.clears.mask := inclusion.clear.mask
    dropped := inclusion.dropped
    valids.write.valid := fill.valid
    valids.write.payload.index := indexOf(fillAddress)
    valids.write.payload.valid := !flush
  }
  valids.read.index := index
  if (isPart) {
    import single._
    valids.other.index := indexOf(fillAddress)
    val drops =
      dropping && droppedIndex === indexOf(fillAddress) && (itself || (asksTag && tagMatches))
    free := !valids.other.valid || drops
  }

  val isDropped =
    if (c.isCoherent) inclusion.isDropped
    else single.dropping && single.dropped === blockOf(address)
  val outside = address(c.bus.addressWidth - 1 downto c.ramBits) =/= 0
  val may = valids.read.valid && !isDropped && !outside
  // The tag read comes last; whether it decides, and what holds if it does not, are there before.
  val isRead = LateCompare(tag.asBits, tagOf(address).asBits)
  val decides = (may && !changed).addAttribute("keep")
  val isNew = may && changed && newTag === tagOf(address)
  hit := (isRead && decides) || isNew
  read := isRead
  counts := decides
  renewed := isNew

  val victims = c.writeBack generate new Area {
    val index = indexOf(victim)
    val stored = new ValidBits(c.dSets) // counts if the block is valid
    stored.flush := flush
    stored.single := False
    stored.write.valid := storeHits || fill.valid
    stored.write.index := indexOf(fill.valid ? fillAddress | address)
    stored.write.payload.valid := !fill.valid || fillStored
    stored.read.index := index
    valids.other.index := index
    import single._
    val drops = dropping && droppedIndex === index && (itself || (asksTag && tagMatches))
    val inRam = victim(c.bus.addressWidth - 1 downto c.ramBits) === 0
    private def isDirty = stored.read.valid && valids.other.valid && !drops && inRam
    // From a register, but a drop counts from its tick on.
    val before = EveryClock(RegNext(isDirty))
    victimDirty := before && !drops
    Timing.agree(fillGoes, victimDirty, isDirty, "a victim is looked up late")
  }

  // A store writes in the clock after its tick, in which no fill comes.
  val fills = fill.valid && EveryClock.clockEnabled

  // Written by blocks or by a quadword's halves, read by quadwords: none is chosen from a block.
  val quadBits = offsetBits - 3
  val data = Mem(Bits(64 bits), c.dSets << quadBits).addAttribute("no_rw_check")
  val high = writeAddress(2)
  val halves = (!writeLong || high) ## (!writeLong || !high)
  val stored = writeLong ? writeData(31 downto 0) | writeData(63 downto 32)
  val word = stored ## writeData(31 downto 0)
  for ((block, n) <- fill.payload.subdivideIn(64 bits).zipWithIndex) {
    val chosen = write && writeAddress(offsetBits - 1 downto 3) === n
    EveryClock {
      data.write(
        address = (write ? indexOf(writeAddress) | indexOf(fillAddress)) @@ U(n, quadBits bits),
        data = write ? word | block,
        enable = fills || chosen,
        mask = write ? halves | B"11"
      )
    }
  }
  quad := data.readSync(address(tagLow - 1 downto 3), tick)
  val replaced = hasVictims generate
    new DisplacedBlock(tags, data, c.blockWords / 2, indexOf(fillNext), indexOf(fillAddress))
  if (hasVictims) {
    replaced.check(fill.valid && !free && keeps)
    displaced.number := replaced.number.resized
    displaced.block := replaced.block
  }
}
