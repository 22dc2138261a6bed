// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import spinal.core._

/** Rights that an entry gives, from the page table entry: bits 1, 2, 8, 9, 12, 13. */
case class PageRights() extends Bundle {
  val faultOnRead, faultOnWrite = Bool()
  val kernelReads, userReads, kernelWrites, userWrites = Bool()

  def fromPte(pte: Bits): Unit = {
    faultOnRead := pte(1)
    faultOnWrite := pte(2)
    kernelReads := pte(8)
    userReads := pte(9)
    kernelWrites := pte(12)
    userWrites := pte(13)
  }
}

/** An entry of a TLB. */
case class TlbEntry(t: TlbConfig) extends Bundle {
  val page = UInt(t.pageBits bits) // virtual
  val frame = UInt(t.pageBits bits) // the physical page
  val asn = UInt(t.asnBits bits)
  val global = Bool() // ASM: for every address space
  val hint = UInt(2 bits) // GH: it maps 1, 8, 64 or 512 pages
  val rights = PageRights()

  /** Bits of a page number that the entry does not translate. */
  def untranslated: UInt = {
    val below = for (n <- 0 until t.hintedBits) yield hint > n / 3
    if (t.granularity) U(Cat(below)).resize(t.pageBits) else U(0, t.pageBits bits)
  }
  def matches(page: UInt, asn: UInt): Bool =
    ((this.page ^ page) & ~untranslated) === 0 && (global || this.asn === asn)
  def physical(page: UInt): UInt = (page & untranslated) | (frame & ~untranslated)
}

/** Effect of a write of an internal register on a TLB: one of these. */
case class TlbCommand(t: TlbConfig) extends Bundle {
  val fill = Bool() // the entry at the pointer
  val empty = Bool() // ZAP
  val emptyLocal = Bool() // ASM: of entries without it
  val emptyPage = Bool() // IS: of entries that match `entry.page`
  val entry = TlbEntry(t)
}

/** Answer of an entry about one page. */
case class PageAnswer(t: TlbConfig) extends Bundle {
  val found = Bool() // an entry matches; else the rest means nothing
  val global = Bool()
  val frame = UInt(t.pageBits bits)
  val rights = PageRights()
}
