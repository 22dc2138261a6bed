// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import spinal.core._

/** Stage E1: results of one tick, the way an instruction goes on, and what memory, multiplier and
  * PAL registers get their inputs.
  *
  * {{{
  *   e1 ──┬─► Alu, Shifter, pal.value ──► result ──────────► e2, and D's bypass
  *        ├─► test.met, jumpTo ─► mispredicted, target ──────────► Issue: fetching is redirected
  *        ├─► overflowed ──────────────────────────────────► Issue: a trap
  *        └─► loadStore.access, multiplier.cmd, pal.write
  * }}}
  */
class Execute(p: Pipeline) extends Area {
  import p.{c, e1, e1Traps, e1Valid, e2, e2Result, redirectMatters, revoked}
  import p.{late, loadStore, multiplier, pal} // their inputs come from here
  val control = e1.control
  val storeData = (e1.storeFromE2 && e2.writes) ? e2Result | e1.a
  val alu = new Alu
  alu.control := control
  alu.a := e1.a
  alu.b := e1.b
  alu.link := ProgramCounter.widen(e1.next @@ U(0, 2 bits))
  alu.displacement := e1.displacement.resize(64).asBits

  val shifter = new Shifter
  shifter.op := control.shift
  shifter.rotation := e1.rotation
  shifter.high := control.high
  shifter.size := e1.instruction(10 downto 9).asUInt
  shifter.a := e1.a
  shifter.b := e1.b

  // Results of one tick.
  val result = Bits(64 bits)
  val special = Bits(64 bits)
  special := pal.value
  when(control.kind === Kind.cycles) { special := pal.cyclesAtIssue }
  when(control.kind === Kind.flag) { special := pal.flag.asBits.resized }
  val second = new SecondClock(p)
  private def settled[T <: Data](what: T, needed: Bool) =
    second(what, needed)
  alu.idle := e1.special
  result := alu.summed | alu.plain | (settled(special, e1.special) & e1.special #* 64)
  if (c.shiftUse == 1) when(control.kind === Kind.shift) { result := shifter.rotated.result }

  // Branches, jumps, CALL_PAL, HW_REI.
  val met = e1.test.met(e1.a)
  val isCall = control.kind === Kind.callPal
  val isReturn = control.kind === Kind.palReturn
  val isJump = control.kind === Kind.jump
  val isBranch = control.kind === Kind.branch
  val taken = e1Valid && ((isBranch && met) || isJump || isCall || isReturn)
  // Fetching went another way; in paper mode nothing is predicted taken.
  val foreseen = e1.prediction.taken
  val jumpTo = ProgramCounter.narrow(e1.b)
  private val agrees = foreseen && e1.prediction.target === (jumpTo >> 2)
  val jumpForeseen = settled(agrees, isJump)
  private val branches = isBranch && e1.test.met(e1.a, foreseen)
  private def mispredictedIf(jumps: Bool) =
    e1Valid && (branches || (isJump && jumps) || isCall || isReturn)
  val mispredicted = mispredictedIf(!jumpForeseen)
  // For the memory side, which asks only now and then.
  val redirects =
    second.noTickBefore && second(mispredictedIf(!agrees), e1.turns && redirectMatters)
      .setCompositeName(this, "redirectsBefore")
  // The target of a branch that was foreseen wrongly follows from its prediction. So it need not
  // wait for the condition.
  val branchTarget = (foreseen ? e1.next | e1.prediction.target) @@ e1.pc(1 downto 0)
  val function = e1.instruction(7 downto 0).asUInt
  val callTarget = U(0, 1 bit) @@ pal.palBase @@ U(1, 1 bit) @@ function(7) @@
    function(5 downto 0) @@ U(1, 6 bits)
  val jumpTarget = (jumpTo >> 2) @@ U(0, 1 bit) @@ e1.pc(0)
  val target = isCall ? callTarget |
    (isReturn ? pal.exceptionAddress | (isJump ? jumpTarget | branchTarget))

  val writes = e1.writes && (control.kind =/= Kind.cmov || met)
  // To D; what takes two ticks is never wanted there, so `met` need not be waited for.
  val forwards = if (c.shiftUse == 1) writes else e1.writes && control.kind =/= Kind.cmov
  val overflowed = e1Valid && e1.checked && settled(alu.overflowed, e1.checked)
  val isLoad = e1.memory && control.kind === Kind.load
  val isLate = e1.memory && loadStore.late // loads, and the flag of STx_C
  val isMultiply = e1Valid && control.kind === Kind.multiply
  val mayMultiply = e1.issued && control.kind === Kind.multiply // or was killed: D is void then

  loadStore.access.valid := e1Valid && e1.memory
  loadStore.attempt := e1.issued && e1.memory
  loadStore.access.store := control.kind === Kind.store
  loadStore.access.address := e1.address
  loadStore.access.data := storeData
  loadStore.access.long := control.long
  loadStore.access.locked := control.locked
  loadStore.loads := e1.issued && e1.load
  loadStore.stores := e1.issued && e1.store
  loadStore.access.register := e1.register
  loadStore.access.slot := e1.slot

  multiplier.cmd.valid := isMultiply
  multiplier.cmd.a := e1.a
  multiplier.cmd.b := e1.b
  multiplier.cmd.long := control.long
  multiplier.cmd.high := control.high
  multiplier.cmd.overflow := control.overflow
  multiplier.cmd.register := e1.register
  multiplier.cmd.slot := e1.slot

  pal.instruction := e1.instruction
  pal.write.valid := e1Valid && control.kind === Kind.palWrite
  pal.write.payload := e1.b
  // A trap's marks are left from here, a tick after fetching was redirected: what reads them is
  // three ticks later.
  pal.trap.valid := e1Traps || (e1Valid && isCall)
  pal.trap.exceptionAddress := e1Traps ? e1.pc | (e1.next @@ e1.pc(1 downto 0))
  pal.trap.overflow := e1.trap && e1.overflow
  loadStore.breakLock := e1Traps || (e1Valid && isReturn)
  pal.fault.valid := (e1.trap && e1.fault) || revoked
  pal.fault.payload := alu.sum
  if (c.translates)
    pal.faultStatus := e1.faultStatus & !p.revoke.unaligned #* 3
  pal.readFlag.valid := e1Valid && control.kind === Kind.flag
  pal.readFlag.payload := e1.instruction(12)
  pal.breakFlag := e1Valid && isReturn

  // A multiply to r31 has a result too, for the retire queue; it is written nowhere.
  when(e1Valid && isLate && e1.writes) { late.load := True }
  late.begins := isMultiply && e1.writes
}
