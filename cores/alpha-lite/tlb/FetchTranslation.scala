// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import mcpi.bus.EveryClock
import spinal.core._

/** Why there is nothing to execute at a program counter. */
case class FetchRefusal() extends Bundle {
  val missed = Bool() // the ITB has no entry
  val barred = Bool() // no right to execute
  def clear(): Unit = { missed := False; barred := False }
}

/** The physical address of a fetch that has missed the I-cache, or why it gets none. Only such a
  * fetch asks the ITB, and in the tick in which its miss would begin the ITB has answered.
  *
  * @param at the address that misses
  */
class FetchTranslation(c: AlphaLiteConfig, space: FetchSpace, at: UInt) extends Area {
  private val t = c.tlb.get
  val tlb = EveryClock(new Tlb(t, t.instructionEntries))
  tlb.setName("itb")
  tlb.asn := space.asn
  tlb.forget := space.forget
  tlb.command << space.command
  tlb.page := at(ProgramCounter.physicalBits - 1 downto t.offsetBits)

  /** A fetch of `at` has missed: it wants to know. */
  val ask = Bool()
  val mapped = space.maps(at)
  val user = space.isUser(at)
  tlb.ask := ask && mapped
  val holds = tlb.busy || (tlb.ask && !tlb.known)
  private val mayRead =
    user ? tlb.answer.rights.userReads | tlb.answer.rights.kernelReads
  val refusal = FetchRefusal()
  refusal.missed := mapped && !tlb.answer.found
  refusal.barred := (mapped && tlb.answer.found && !mayRead) || (user && at.msb)
  val known = !mapped || tlb.known
  val granted = known && !(refusal.missed || refusal.barred)
  val refused = known && (refusal.missed || refusal.barred)
  val physical = mapped ? (tlb.answer.frame @@ at(t.offsetBits - 1 downto 0)) |
    ProgramCounter.physical(at)

  /** The block is one that FLUSH_IC_ASM empties. */
  val isLocal = mapped && !tlb.answer.global
}
