// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import mcpi.counters.Owner
import spinal.core._

/** From D into E1: in each tick the instruction issues, traps, or waits; the first reason not to
  * issue owns the tick (`TickReasons`).
  *
  * {{{
  *   decode: locks, kind ─┐
  *   late, multiplier ────┼─► ready ──► departs ─┬─────────────► e1.issued, consume
  *   loadStore: blocks ───┘               ▲      └─ !killed ──► issues
  *                        missed, fills ──┘           ▲
  *   execute: mispredicted, overflowed ───────────────┴──► redirect ──► FetchUnit
  *   interrupts, errors, opcodes ──► trap, vector ────────────┘
  * }}}
  */
class Issue(p: Pipeline) extends Area {
  import p.{c, ev4, redirectPenalty, tick}
  import p.{emptyOwner, fetched, frontQuiet, next, prediction} // from the front end
  import p.{e1, e1Valid, execute, late, loadStore, multiplier, pal, registers, revokes}
  import p.{decode, refills, translation}
  import decode.{control, displacement, inPal, instruction, register}
  import decode.{isBarrier, isCold, isLoad, isMemory, isMultiply, isStore}
  import decode.{a, b, lockA, lockB, meetsE1, meetsProduct, overtakesLoad, overtakesMultiply}
  import p.{branching, coldStart, consume, mispredicted, redirect} // to the front end

  val machineCheck = RegInit(False)
  when(loadStore.error && tick) { machineCheck := True }

  // By the mode of the instruction that overflowed: the program's own waits while a machine check
  // that came first is in PALcode, whose EXC_ADDR it would overwrite.
  val overflow, palOverflow = RegInit(False)
  val lastInPal = RegNextWhen(e1.pc(0), e1Valid) init False // a /V multiply is the last one
  val overflowDue = palOverflow || (overflow && !inPal)
  val overflowNow = overflowDue || execute.overflowed
  when(multiplier.rsp.valid && multiplier.taken && multiplier.rsp.overflowed) {
    when(lastInPal) { palOverflow := True } otherwise { overflow := True }
  }
  when(execute.overflowed) {
    when(e1.pc(0)) { palOverflow := True } otherwise { overflow := True }
  }

  val privileged = instruction(25 downto 0).asUInt < 0x40
  val unprivileged = instruction(25 downto 6) === 2
  val badCall = control.kind === Kind.callPal &&
    !((privileged && (!pal.userMode || inPal)) || unprivileged)
  val opcdec = !control.legal || (control.palOnly && !inPal) || badCall
  private def lowAddress =
    (if (c.translates) translation.address else loadStore.next) (2 downto 0)
  val checksAddress = isMemory && !control.unaligned && !control.palOnly
  val awaitsFloor = c.translates generate refills.holds(control.kind === Kind.palReturn)
  private def isUnaligned =
    checksAddress && (control.long ? (lowAddress(1 downto 0) =/= 0) | (lowAddress =/= 0))
  val misplaced = False // E1 finds it (`Revoke`)

  val redirectOwner = (execute.isCall || execute.isReturn) ? Owner.exception |
    (ev4 ? Owner.mispredict | Owner.takenBubble)

  // Why not now?
  val isChecked = machineCheck || fetched.error
  val multiplierTraps = multiplier.trapping || (execute.mayMultiply && execute.control.overflow)
  val interrupted = pal.pending && !inPal
  val multiplierBusy = (isMultiply && (multiplier.busy || execute.mayMultiply)) || registers.crowded
  // Few gates follow the latest signals: E1's load misses, its sum overflows, an older load ends.
  val loadEnds = late.fromLoad.valid
  val losesPort = meetsProduct && loadEnds
  val awaitsLoad = lockA.awaits || lockB.awaits || overtakesLoad
  val awaitsFill = (isMemory || isBarrier) && loadStore.fills
  val dValid = pal.awake && fetched.valid
  val unfetched = c.translates generate (fetched.refusal.missed || fetched.refusal.barred)
  private def illegal = control.floating || opcdec
  val exceptional =
    if (c.translates) interrupted || unfetched || illegal
    else interrupted || control.floating || opcdec
  // An illegal instruction leaves D like any other and is then killed. To decide that it is illegal
  // needs all 32 bits, which is too late to stop the front end.
  private def cannotDepart = if (c.translates) interrupted || unfetched else interrupted
  val waits = lockA.blocked || lockB.blocked || overtakesMultiply || multiplierBusy
  private def afterRefillFloor(ready: Bool) = if (c.translates) ready && !awaitsFloor else ready
  val ready = afterRefillFloor(
    dValid && !loadStore.blocksAll && !fetched.cold &&
      !(isChecked || multiplierTraps || cannotDepart || waits) &&
      !(isBarrier && loadStore.undrained)
  )
  val waitsForMiss = isMemory || isBarrier || meetsE1
  val missed = loadStore.missed
  val overflows = overflowNow
  // An instruction that leaves D and is killed is never seen in E1: fetching is redirected in the
  // same tick, so the report that D is empty may come a tick later.
  val departs = ready && !((waitsForMiss && missed) || losesPort) &&
    !(awaitsLoad && !loadEnds) && !(awaitsFill && !loadStore.fillEnds)
  private def redirects = execute.mispredicted || overflows || misplaced
  val killed = redirects || illegal
  val issues = departs && !killed
  val unalignedTrap = departs && (misplaced && !execute.mispredicted)
  val trapsAtOnce = dValid && (isChecked || (!multiplierTraps && exceptional))
  val mayOverflow = dValid && !execute.mispredicted
  val trapsEarly = trapsAtOnce && !execute.mispredicted
  val trap = trapsEarly || (mayOverflow && overflows) || unalignedTrap
  val vector = UInt(16 bits)
  when(revokes) {
    vector := p.refusal
    when(e1.illegal) { vector := e1.vector }
  } elsewhen (isChecked) {
    vector := Vector.MCHK
  } elsewhen (overflowNow) {
    vector := Vector.ARITH
  } elsewhen (interrupted) { vector := Vector.INTERRUPT } elsewhen (control.floating) {
    vector := Vector.FEN
  } elsewhen (opcdec) { vector := Vector.OPCDEC } otherwise { vector := Vector.UNALIGN }
  if (c.translates) when(!revokes && !isChecked && !overflowNow && !interrupted) {
    when(unfetched) {
      vector := fetched.refusal.missed ? U(Vector.ITB_MISS, 16 bits) | U(Vector.ITB_ACV, 16 bits)
    } elsewhen (!control.floating && !opcdec && !misplaced) { vector := translation.vector }
  }
  val trapsOverflow = mayOverflow && !isChecked && overflowNow
  when(mayOverflow && isChecked) { machineCheck := False }
  when(trapsOverflow) {
    when(inPal) { palOverflow := False } otherwise { overflow := False }
  }
  consume := departs
  p.killed := e1.killed
  private val wantsDrained = isBarrier || isCold
  loadStore.drain := wantsDrained
  // Nothing issues meanwhile, so that all is quiet can be a tick old: no late signal of the
  // memory side then reaches the fetch unit by this way.
  val stillMayStart = dValid && !(isChecked || multiplierTraps || interrupted || overflowDue)
  val mayStart = stillMayStart && fetched.cold && !exceptional
  val quietBefore = RegNext(
    mayStart && frontQuiet && !e1Valid &&
      !(loadStore.blocksAll || loadStore.filling || loadStore.undrained)
  ) init False
  // With ideal memory it may have left D since: its block comes back in any clock.
  private val starts = stillMayStart && fetched.cold && quietBefore
  coldStart := execute.second.inD(starts).setCompositeName(this, "startsBefore")
  loadStore.redirected := execute.redirects

  branching := execute.redirects
  mispredicted := execute.mispredicted
  // An illegal instruction redirects fetching a clock after its tick.
  private def redirectsInTick =
    dValid && (isChecked || (!multiplierTraps && cannotDepart))
  redirect.valid :=
    execute.mispredicted || redirectsInTick || (dValid && overflows) || unalignedTrap
  val entry = U(0, 1 bit) @@ pal.palBase @@ vector(13 downto 0)
  redirect.pc := execute.mispredicted ? execute.target | entry
  when(!execute.mispredicted) { redirect.pc(0) := True }
  redirect.payload.delay := 0
  when(execute.mispredicted && redirectPenalty > 3) {
    redirect.payload.delay := redirectPenalty - 3
  }
  redirect.owner := execute.mispredicted ? redirectOwner | Owner.exception

  // The reasons of the tick, in the order in which they own it.
  val reasons = TickReasons(c.translates)
  reasons.awake := pal.awake
  reasons.mispredicted := execute.mispredicted
  reasons.redirectOwner := redirectOwner
  reasons.dValid := fetched.valid
  reasons.emptyOwner := emptyOwner
  reasons.excepted := isChecked || overflowNow
  reasons.multiplierTraps := multiplierTraps
  reasons.exceptional := exceptional
  reasons.cold := fetched.cold
  reasons.blocksAll := loadStore.blocksAll
  reasons.blockedByIo := loadStore.blockedByIo
  reasons.blockedByLock := loadStore.blockedByLock
  reasons.blockedA := lockA.blocked || (lockA.awaits && !loadEnds)
  reasons.byLoadA := lockA.byLoad
  reasons.ownerA := lockA.owner
  reasons.blockedB := lockB.blocked || (lockB.awaits && !loadEnds)
  reasons.byLoadB := lockB.byLoad
  reasons.ownerB := lockB.owner
  reasons.missed := loadStore.missed
  reasons.overtakesLoad := overtakesLoad && !loadEnds
  reasons.meetsE1 := meetsE1
  reasons.multiply := overtakesMultiply || multiplierBusy || losesPort
  reasons.isMemory := isMemory
  reasons.isBarrier := isBarrier
  reasons.filling := loadStore.filling
  reasons.undrained := loadStore.undrained
  reasons.misplaced := misplaced
  if (c.translates) reasons.awaitsFloor := awaitsFloor

  // An access that is misplaced, or may not, issues and is revoked.
  private def isRevoked = if (c.translates) isUnaligned || translation.traps else isUnaligned
  private[core] def mayIssue = issues && !isRevoked

  if (c.translates) {
    translation.issues(mayIssue && tick)
    refills.trapped.valid := trap
    refills.trapped.payload := vector
    e1.faultStatus := (vector === Vector.D_FAULT) ?
      (translation.faultsOnWrite ## translation.faultsOnRead ## translation.lacks) | B(0, 3 bits)
  }

  // Into E1.
  val slot = Reg(UInt(10 bits)) init 0
  when(issues || trap) { slot := slot + 1 }
  e1.issued := departs
  e1.killed := killed
  e1.trap := trap
  e1.vector := vector
  e1.fault := False
  private def turnsInTick =
    if (c.translates) isChecked || overflowNow || interrupted || unfetched
    else isChecked || overflowNow || interrupted
  e1.overflow := trapsOverflow
  e1.control := control
  e1.rotation.of(control.shift)
  e1.test.of(control.condition)
  e1.pc := fetched.pc
  e1.instruction := instruction
  e1.a := a
  e1.b := b
  e1.address := (if (c.translates) translation.physical else loadStore.next)
  e1.displacement := displacement
  e1.storeFromE2 := lockA.takeFromE2
  e1.memory := isMemory
  private def is(kinds: Kind.E*) = kinds.map(control.kind === _).reduce(_ || _)
  e1.special := is(Kind.palRead, Kind.cycles, Kind.flag)
  e1.checked := control.kind === Kind.alu && control.overflow
  e1.turns := is(Kind.branch, Kind.jump, Kind.callPal, Kind.palReturn)
  if (c.translates) e1.refused := translation.traps
  e1.illegal := trap && !turnsInTick
  e1.aligned := (control.long ? B"011" | B"111") & checksAddress #* 3
  e1.load := isMemory && isLoad
  e1.store := isStore
  e1.needsSecondClock := is(
    Kind.palWrite,
    Kind.jump
  ) || (control.kind === Kind.alu && control.overflow)
  e1.writes := departs && register =/= 31
  e1.register := register
  e1.slot := slot
  e1.missed := fetched.missed
  e1.next := next
  e1.prediction := prediction
}
