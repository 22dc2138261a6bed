// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import mcpi.bus.NextEvent
import mcpi.counters.{Owner, RetirePort}
import spinal.core._
import spinal.lib._

/** Stages D to W. One typed bundle of registers stands before each stage (`Stages`).
  *
  * {{{
  *   fetched         e1              e2               e3             w
  *   Fetched         ExecuteStage    ResultStage      WriteStage     WriteStage
  *    │               │               │                │              │
  *   ┌▼────────────┐ ┌▼────────────┐ ┌▼─────────────┐ ┌▼───────────┐ ┌▼────────────┐
  *   │ D           │ │ E1          │ │ E2           │ │ E3         │ │ W           │
  *   │ Decode      ├─► Execute     ├─► rest of a    ├─► a load is  ├─► RetireQueue │
  *   │ Issue       │ │ SecondClock │ │ shift, D-data│ │ aligned,   │ │             │
  *   │ TickReasons │ │ Revoke      │ │              │ │ registers  │ │             │
  *   └▲────────────┘ └┬─┬──────────┘ └┬─────────────┘ └┬───────────┘ └─────────────┘
  *    └─── operands ──┴─│─────────────┴────────────────┘
  *                      └──► loadStore, multiplier ──► LateResults ──► registers
  * }}}
  *
  * D, E1, the issue between them, and what comes late, are areas in files of their own. What an
  * area reads of the others stands in its imports; what it gives are its values. E2, E3, W and
  * what leaves the pipeline are here.
  */
class Pipeline(val c: AlphaLiteConfig) extends Component {
  val tick = in Bool ()
  val skip = in UInt (NextEvent.width bits)
  val resting = out Bool () // every tick is like this one, until an interrupt wakes it
  val fetched = slave(Flow(Fetched(c)))
  val emptyOwner = in(Owner())
  val consume = out Bool () // D's instruction leaves it, in a tick: it issues, or is killed
  val killed = out Bool () // the instruction that left D in the last tick was killed
  val issues = c.hasWays generate (out Bool ()) // D's instruction does, if this is a tick
  val branching = out Bool () // E1 redirects: looked at while it matters
  val mispredicted = out Bool () // E1 redirects, valid in every tick
  val demanding = in Bool () // a miss of the fetch unit acts in this tick, if E1 does not redirect
  val mayDemand = in Bool () // it will, or does: known earlier
  val hold = out Bool () // no tick, please
  val decoding = out Bool () // D's instruction is being decoded: its wishes may change
  val revokes = out Bool () // in a clock without a tick: E1's instruction has trapped (`Revoke`)
  val flush, halted = out Bool ()
  val frontQuiet = in Bool () // the fetch unit has nothing on the bus
  val coldStart = out Bool () // every cache is dropped after this tick (docs/reference/counters.md)
  val redirect = master(Flow(Redirect(c)))
  val prediction = in(Prediction(c)) // of stage D's instruction
  val next = in UInt (c.pcBits - 2 bits) // the longword after it
  val predictionControl = out(PredictionControl())
  val ev4 = in Bool ()
  val redirectPenalty = in UInt (3 bits) // ticks, when E1 redirects
  val interrupts = in Bits (c.interrupts bits)
  val loadStore = master(LoadStorePort(c))
  val retire = c.retirePort generate master(RetirePort())
  val events = out(c.events)
  val space = c.translates generate master(FetchSpace(c.tlb.get))
  val fetchRefused = c.translates generate (in Bool ()) // a fetch finds no entry in this tick
  val refillFloor = c.translates generate (in UInt (10 bits)) // ticks

  val e1 = Reg(ExecuteStage(c))
  val e2 = Reg(ResultStage())
  val e3, w = Reg(WriteStage())
  e1.issued init False
  e1.trap init False
  e1.illegal init False
  val revoked = Bool() // E1's instruction has become a trap
  val e1Valid = e1.issued && !e1.killed && !revoked
  val e1Traps = e1.trap || revoked
  Seq(e2.valid, e3.valid, w.valid, e1.writes, e2.writes, e3.writes, w.writes).foreach(_ init False)

  val pal = new PalRegisters(c)
  val multiplier = new Multiplier(c)
  val registers = new RegisterFile(c)
  registers.tick := tick
  pal.tick := tick
  pal.skip := skip
  pal.interrupts := interrupts
  halted := pal.halted
  flush := pal.flush
  predictionControl := pal.prediction

  // A miss of the fetch unit, and a write that MB wants sent, depend on whether E1 redirects.
  val redirectMatters = demanding || loadStore.drain
  val revoke = new Revoke(this)

  /** Vector of an access that traps in E1. */
  def refusal: UInt = {
    def unaligned = U(Vector.UNALIGN, 16 bits)
    if (c.translates) revoke.unaligned ? unaligned | e1.vector else unaligned
  }
  revoked := revoke.done
  revokes := revoke.now
  val translates = c.translates generate Bool() // no tick, please: a TLB is at work
  val late = new LateResults(this)
  val execute = new Execute(this)

  // ------------------------------------------------------------------ E2, E3, W
  def e2Result: Bits = e2.rotated.result
  val e3Result = e3.result

  e2.valid := e1Valid || e1Traps
  e2.writes := e1Valid && execute.writes && !execute.isLate && !execute.isMultiply
  e2.register := e1.register
  e2.slot := e1.slot
  e2.rotated := execute.shifter.rotated
  val isShift = if (c.shiftUse == 1) False else execute.control.kind === Kind.shift
  when(!isShift) {
    e2.rotated.value := execute.result
    e2.rotated.mask.setAll()
  }
  e2.isLoad := execute.isLoad
  e2.waits := e1.memory
  e2.long := execute.control.long
  e2.upper := e1.address(2)
  val info = e2.info
  info.trap := e1Traps
  info.vector := (revoked ? refusal | e1.vector)
  info.pc := ProgramCounter.widen(e1.pc)
  info.instruction := e1.instruction
  info.register := e1.register
  info.writes := execute.writes
  info.late := (execute.isLate || execute.isMultiply) && e1.writes
  info.memory := e1.memory
  info.store := execute.control.kind === Kind.store
  info.io := e1.memory && loadStore.uncached
  info.iMiss := e1.missed
  info.dMiss := loadStore.miss
  info.address := execute.alu.sum
  info.storeData := execute.storeData

  e3.valid := e2.valid
  e3.writes := e2.writes
  e3.register := e2.register
  e3.slot := e2.slot
  e3.value := e2.isLoad ? loadStore.loaded | e2Result
  e3.isLoad := e2.isLoad
  e3.long := e2.long
  e3.upper := e2.upper

  w.allowOverride()
  w := e3
  w.value := e3Result
  registers.write.valid := e3.writes // so that W needs no bypass
  registers.write.register := e3.register
  registers.write.value := e3Result

  resting := pal.resting && !e1Valid && !e1Traps && !e2.valid && !e3.valid && !w.valid &&
    multiplier.idle
  if (c.retirePort) {
    val queue = new RetireQueue(c)
    queue.setName("queue")
    queue.info.valid := e2.valid
    queue.info.payload.slot := e2.slot
    queue.info.payload.info := e2.info
    queue.value.valid := w.valid
    queue.value.slot := w.slot
    queue.value.value := w.value
    // A multiply or STx_C to r31 has retired long ago.
    queue.lateValue.valid := late.write.valid && late.write.register =/= 31
    queue.lateValue.slot := late.slot
    queue.lateValue.value := late.write.value
    queue.port <> retire
    when(!queue.empty) { resting := False }
  }

  val tlbRegisters = c.translates generate new TlbRegisters(this)
  val decode = new Decode(this)
  val translation = c.translates generate new AccessTranslation(this)
  val refills = c.translates generate new Refills(this)
  val issue = new Issue(this)
  if (c.hasWays) issues := issue.mayIssue
  if (c.translates) {
    translates := tlbRegisters.acts || translation.holds
    space.user := pal.userMode
    space.asn := tlbRegisters.asn
    space.forget := tlbRegisters.forgets
    space.command << tlbRegisters.itb
    space.flushLocal := pal.flushLocal
  }

  // ------------------------------------------------------------------ events
  // Where fetching was redirected to, a tick later: that it was is known late.
  val wasPal, toPal = RegInit(True)
  val redirected = RegNext(redirect.valid) init False
  val palMode = redirected ? toPal | wasPal
  val inPalMode = palMode || revoked || e1.illegal
  wasPal := inPalMode
  toPal := redirect.pc(0)
  private def delayed[T <: Data](what: T) = RegNext(what)
  val reasons = TickReasons(c.translates).allowOverride()
  reasons := delayed(issue.reasons)
  reasons.misplaced := revoke.misplaced // of the last tick, known only now
  events.owner := reasons.owner
  events.issuePc := ProgramCounter.physical(fetched.pc)
  events.palMode := delayed(inPalMode)
  events.iAccess := events.owner === Owner.issue
  private def isBranching = !execute.isCall && !execute.isReturn
  val tookBranch = delayed(execute.taken && isBranching)
  val foresawWrongly = delayed(ev4 && execute.mispredicted && isBranching)
  events.takenBranch := tookBranch
  events.mispredict := foresawWrongly
  Seq(
    events.iMiss,
    events.iStreamHit,
    events.dAccess,
    events.dMiss,
    events.writeAccess,
    events.writeMerge
  ).foreach(_ := False)
  if (c.writeBack) events.storeMiss := False
  if (c.hasIVictims) events.iVictimHit := False
  if (c.hasDVictims) events.dVictimHit := False
  if (c.isCoherent) events.coherent.clearAll()
  events.iMissAddress := 0
  if (c.translates) events.iMissPc := 0
  events.dMissAddress := 0
  events.coldStart := coldStart
  if (c.translates) {
    val isSwitch = issue.issues && decode.control.kind === Kind.callPal &&
      decode.instruction(25 downto 0) === 0x30 // SWPCTX
    refills.report(events.translation, fetchRefused, isSwitch)
  }
  events.trapped := delayed(issue.trap) || revoke.misplaced
}
