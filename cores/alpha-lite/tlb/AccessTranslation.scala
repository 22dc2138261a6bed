// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import mcpi.bus.{EveryClock, Timing}
import spinal.core._

/** Where the access of the instruction in stage D goes, or why it may not.
  *
  * D has the sum of base and displacement for the D-cache's index; its page is looked up in a clock
  * without a tick before the access leaves D. So E1 gets a physical address, or a trap (`Revoke`).
  */
class AccessTranslation(p: Pipeline) extends Area {
  import p.{tick, fetched, c, e1, pal, tlbRegisters, decode, execute, loadStore, registers}
  import decode.{instruction, control, inPal, isLoad, isStore, isMemory, sum, lockB}
  private val t = c.tlb.get
  private val clockEnabled = EveryClock.clockEnabled // a tick, however long it is thought

  val isPal = control.palOnly // HW_LD, HW_ST
  val physicalForm = isPal && instruction(15)
  val reads = isLoad
  val writes = isStore || (isPal && isLoad && instruction(13))
  val user = (isPal && instruction(14)) ? tlbRegisters.alternateUser | (pal.userMode && !inPal)
  private def isAddress = fetched.valid && isMemory && !lockB.blocked // otherwise the sum is none
  val hasAccess = isAddress && !loadStore.filling

  // The sum is looked at out of a register, a clock after a late value of its base has come into
  // the register file or E1.
  val sumSettled = EveryClock(RegInit(False))
  private def isLate = e1.issued && e1.special && !execute.second.noTickTwice
  sumSettled := hasAccess && !(tick || loadStore.places || registers.hold || isLate)
  val address = Timing.late(sum, tick && hasAccess, "an address is late")
  val isKseg = address(63 downto 42).andR && !address(41 downto 34).orR
  val isMapped = !address(63 downto 34).orR
  private val page = address(ProgramCounter.physicalBits - 1 downto t.offsetBits)

  val tlb = EveryClock(new Tlb(t, t.dataEntries))
  tlb.setName("dtb")
  tlb.asn := tlbRegisters.asn
  tlb.forget := tlbRegisters.forgets
  tlb.command << tlbRegisters.dtb
  tlb.page := page
  val maps = isMapped && !physicalForm
  tlb.ask := hasAccess && sumSettled && maps
  val holds = tlb.busy || (tlb.ask && !tlb.known) || (hasAccess && !sumSettled)

  private val rights = tlb.answer.rights
  private val mayRead = user ? rights.userReads | rights.kernelReads
  private val mayWrite = user ? rights.userWrites | rights.kernelWrites
  val isBad = !physicalForm && !isMapped && !(isKseg && !user)
  val isFound = maps && tlb.answer.found
  val isMissed = maps && !tlb.answer.found
  val lacks = isBad || (isFound && ((reads && !mayRead) || (writes && !mayWrite)))
  val faultsOnRead = isFound && reads && rights.faultOnRead
  val faultsOnWrite = isFound && writes && rights.faultOnWrite
  val traps = isMemory && (isMissed || lacks || faultsOnRead || faultsOnWrite)
  val vector = isMissed ? (inPal ? U(Vector.DTB_MISS_PAL, 16 bits) | U(Vector.DTB_MISS, 16 bits)) |
    U(Vector.D_FAULT, 16 bits)
  val physical = maps ? (tlb.answer.frame @@ address(t.offsetBits - 1 downto 0)) |
    address(ProgramCounter.physicalBits - 1 downto 0)

  /** An access that issues in this tick uses its entry. */
  def issues(now: Bool): Unit = {
    tlb.used := now && clockEnabled && isMemory && maps
    val indexed = log2Up(c.dCacheBytes / c.dWays)
    if (indexed > t.offsetBits) {
      val same = physical(indexed - 1 downto t.offsetBits) ===
        address(indexed - 1 downto t.offsetBits)
      val cached = physical(33 downto 32) === 0
      assert(!(tlb.used && cached) || same, "a page's D-cache index is not its address's", FAILURE)
    }
  }
}
