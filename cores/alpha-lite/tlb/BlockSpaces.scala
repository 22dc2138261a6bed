// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import spinal.core._

/** Part of a tag of the virtual I-cache next to the address. */
case class BlockSpace(t: TlbConfig) extends Bundle {
  val mapped = Bool() // an unmapped block is valid for kernel and PAL mode
  val user = Bool() // the mode of the fetch that filled it
  val global = Bool() // ASM
  val asn = UInt(t.asnBits bits)
}

/** Address spaces of the I-cache's blocks, next to its tags; and the valid bits of blocks that
  * FLUSH_IC_ASM empties. The other blocks' valid bits are the I-cache's own.
  */
class BlockSpaces(c: AlphaLiteConfig, space: FetchSpace) extends Area {
  private val t = c.tlb.get
  val ram = Mem(BlockSpace(t), c.iSets).addAttribute("no_rw_check") // as the tags
  val valids = new ValidBits(c.iSets)
  val isValid = CombInit(valids.read.valid)
  val agrees = Bool()
  val flush = Bool()
  valids.flush := flush
  valids.single := False

  /** F1 reads at `index`; F2 has `pc`, whose index is `pcIndex`. */
  def read(index: UInt, enable: Bool, pc: UInt, pcIndex: UInt): Unit = {
    val owner = ram.readSync(index, enable).setName("f2Space")
    valids.read.index := pcIndex
    val isMine = owner.user === space.isUser(pc) && (owner.global || owner.asn === space.asn)
    agrees := space.maps(pc) ? (owner.mapped && isMine) | (!owner.mapped && !space.isUser(pc))
  }

  /** A block is filled for the fetch that `itb` has translated. */
  def write(index: UInt, itb: FetchTranslation, enable: Bool): Unit = {
    val owner = BlockSpace(t)
    owner.mapped := itb.mapped
    owner.user := itb.user
    owner.global := itb.tlb.answer.global
    owner.asn := space.asn
    ram.write(index, owner, enable)
    valids.write.valid := enable
    valids.write.payload.index := index
    valids.write.payload.valid := itb.isLocal
  }
}
