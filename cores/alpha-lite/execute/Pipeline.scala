// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import mcpi.bus.NextEvent
import mcpi.counters.{CoreEvents, Owner, RetirePort}
import spinal.core._
import spinal.lib._

/** Stages D to W. */
class Pipeline(c: AlphaLiteConfig) extends Component {
  val tick = in Bool ()
  val skip = in UInt (NextEvent.width bits)
  val resting = out Bool () // every tick is like this one, until an interrupt wakes it
  val fetched = slave(Flow(Fetched(c)))
  val emptyOwner = in(Owner())
  val consume = out Bool () // D's instruction issues, in a tick
  val branching, flush, halted = out Bool ()
  val frontQuiet = in Bool () // the fetch unit has nothing on the bus
  val coldStart = out Bool () // every cache is dropped after this tick (docs/counters.md)
  val redirect = master(Flow(Redirect(c)))
  val prediction = in(Prediction(c)) // of stage D's instruction
  val next = in UInt (c.pcBits - 2 bits) // the longword behind it
  val predictionControl = out(PredictionControl())
  val ev4 = in Bool ()
  val redirectPenalty = in UInt (3 bits) // ticks, when E1 redirects
  val interrupts = in Bits (c.interrupts bits)
  val loadStore = master(LoadStorePort())
  val retire = c.retirePort generate master(RetirePort())
  val events = out(CoreEvents())

  val e1 = Reg(ExecuteStage(c))
  val e2 = Reg(ResultStage())
  val e3, w = Reg(WriteStage())
  e1.valid init False
  e1.trap init False
  Seq(e2.valid, e3.valid, w.valid, e1.writes, e2.writes, e3.writes, w.writes).foreach(_ init False)

  val pal = new PalRegisters(c)
  val multiplier = new Multiplier(c)
  val registers = new RegisterFile
  pal.tick := tick
  pal.skip := skip
  pal.interrupts := interrupts
  halted := pal.halted
  flush := pal.flush
  predictionControl := pal.prediction

  // ------------------------------------------------------------------ late results
  val late = new Area {
    val fromLoad = loadStore.lateLoad
    val product = multiplier.rsp
    registers.load.valid := fromLoad.valid
    registers.load.register := fromLoad.register
    registers.load.value := fromLoad.value
    registers.product.valid := product.valid
    registers.product.register := product.register
    registers.product.value := product.value
    multiplier.taken := registers.product.ready
    val ends = product.valid && multiplier.taken
    val write = Flow(RegisterWrite()) // what counts as written from now on
    write.valid := fromLoad.valid || ends
    write.register := fromLoad.valid ? fromLoad.register | product.register
    write.value := fromLoad.valid ? fromLoad.value | product.value
    val slot = fromLoad.valid ? fromLoad.slot | product.slot

    // Values to come: of the one load, and of up to two multiplies.
    val load = RegInit(False)
    val multiplies = Reg(Bits(32 bits)) init 0
    when(fromLoad.valid) { load := False }
    when(ends) { multiplies(product.register) := False }

    /** Not even in this tick. */
    def loadComes(register: UInt) = load && fromLoad.register === register && !fromLoad.valid
    def multiplyComes(register: UInt) =
      multiplies(register) && !(product.valid && product.register === register)

    /** Nor written yet: a younger write would come too early. A load that ends goes first, which
      * is known late.
      */
    val mayEnd = product.valid && !e3.writes && !registers.holds
    def multiplyStays(register: UInt) =
      multiplies(register) && !(mayEnd && product.register === register)
    def multiplyEnds(register: UInt) = mayEnd && product.register === register
  }

  // ------------------------------------------------------------------ E1
  val execute = new Area {
    val control = e1.control
    val storeData = (e1.storeFromE2 && e2.writes) ? e2Result | e1.a
    val shortDisplacement = e1.instruction(15 downto 0).asSInt
    val palDisplacement = e1.instruction(11 downto 0).asSInt
    val opcode = e1.instruction(31 downto 26).asUInt
    val alu = new Alu
    alu.control := control
    alu.a := e1.a
    alu.b := e1.b
    alu.link := ProgramCounter.widen(e1.next @@ U(0, 2 bits))
    alu.displacement := shortDisplacement.resize(64).asBits
    when(opcode === 0x09) {
      alu.displacement := (shortDisplacement @@ S(0, 16 bits)).resize(64).asBits
    }
    when(control.palOnly) { alu.displacement := palDisplacement.resize(64).asBits }

    val shifter = new Shifter
    shifter.op := control.shift
    shifter.high := control.high
    shifter.size := e1.instruction(10 downto 9).asUInt
    shifter.a := e1.a
    shifter.b := e1.b

    // Results of one tick.
    val result = Bits(64 bits)
    result := alu.result
    when(control.kind === Kind.palRead) { result := pal.value }
    when(control.kind === Kind.cycles) { result := pal.cyclesAtIssue }
    when(control.kind === Kind.flag) { result := pal.flag.asBits.resized }
    if (c.shiftUse == 1) when(control.kind === Kind.shift) { result := shifter.rotated.result }

    // Branches, jumps, CALL_PAL, HW_REI.
    val met = Decide(control.condition, e1.a)
    val isCall = control.kind === Kind.callPal
    val isReturn = control.kind === Kind.palReturn
    val isJump = control.kind === Kind.jump
    val isBranch = control.kind === Kind.branch
    val taken = e1.valid && ((isBranch && met) || isJump || isCall || isReturn)
    // Fetching went another way; in paper mode nothing is predicted taken.
    val foreseen = e1.prediction.taken
    val jumpTo = ProgramCounter.narrow(e1.b)
    val jumpForeseen = foreseen && e1.prediction.target === (jumpTo >> 2)
    val astray = e1.valid && ((isBranch && met =/= foreseen) || (isJump && !jumpForeseen) ||
      isCall || isReturn)
    val branchTarget = (met ? e1.prediction.target | e1.next) @@ e1.pc(1 downto 0)
    val function = e1.instruction(7 downto 0).asUInt
    val callTarget = U(0, 1 bit) @@ pal.palBase @@ U(1, 1 bit) @@ function(7) @@
      function(5 downto 0) @@ U(1, 6 bits)
    val jumpTarget = (jumpTo >> 2) @@ U(0, 1 bit) @@ e1.pc(0)
    val target = isCall ? callTarget |
      (isReturn ? pal.exceptionAddress | (isJump ? jumpTarget | branchTarget))

    val writes = e1.writes && (control.kind =/= Kind.cmov || met)
    // To D; what takes two ticks is never wanted there, so `met` need not be waited for.
    val forwards = if (c.shiftUse == 1) writes else e1.writes && control.kind =/= Kind.cmov
    val overflowed = e1.valid && control.kind === Kind.alu && control.overflow && alu.overflowed
    val isLoad = e1.memory && control.kind === Kind.load
    val isLate = e1.memory && loadStore.late // loads, and the flag of STx_C
    val isMultiply = e1.valid && control.kind === Kind.multiply

    loadStore.access.valid := e1.valid && e1.memory
    loadStore.access.store := control.kind === Kind.store
    loadStore.access.address := e1.address
    loadStore.access.data := storeData
    loadStore.access.long := control.long
    loadStore.access.locked := control.locked
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
    pal.write.valid := e1.valid && control.kind === Kind.palWrite
    pal.write.payload := e1.b
    // A trap's marks are left from here, a tick after fetching was redirected: what reads them is
    // three ticks behind.
    pal.trap.valid := e1.trap || (e1.valid && isCall)
    pal.trap.exceptionAddress := e1.trap ? e1.pc | (e1.next @@ e1.pc(1 downto 0))
    pal.trap.overflow := e1.trap && e1.overflow
    loadStore.breakLock := e1.trap || (e1.valid && isReturn)
    pal.fault.valid := e1.trap && e1.fault
    pal.fault.payload := alu.sum
    pal.readFlag.valid := e1.valid && control.kind === Kind.flag
    pal.readFlag.payload := e1.instruction(12)
    pal.breakFlag := e1.valid && isReturn

    // A multiply to r31 has a result too, for the retire queue; it is written nowhere.
    when(e1.valid && isLate && e1.writes) { late.load := True }
    when(isMultiply && e1.writes) { late.multiplies(e1.register) := True }
  }

  // ------------------------------------------------------------------ E2, E3, W
  def e2Result: Bits = e2.rotated.result
  val e3Result = e3.result

  e2.valid := e1.valid || e1.trap
  e2.writes := e1.valid && execute.writes && !execute.isLate && !execute.isMultiply
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
  info.trap := e1.trap
  info.vector := e1.vector
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

  resting := pal.resting && !e1.valid && !e1.trap && !e2.valid && !e3.valid && !w.valid &&
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

  // ------------------------------------------------------------------ D
  val decode = new Area {
    val decoder = new Decoder
    val instruction = fetched.instruction
    decoder.instruction := instruction
    val control = decoder.control
    val opcode = instruction(31 downto 26).asUInt
    val ra = instruction(25 downto 21).asUInt
    val rb = instruction(20 downto 16).asUInt
    val rc = instruction(4 downto 0).asUInt
    val isLiteral = opcode(5 downto 2) === 4 && instruction(12)
    val inPal = fetched.pc(0)
    val register = control.destination.mux(
      Destination.ra -> ra,
      Destination.rc -> rc,
      default -> U(31, 5 bits)
    )
    val isLoad = control.kind === Kind.load
    val isStore = control.kind === Kind.store
    val isMemory = isStore || (isLoad && ra =/= 31)
    val isMultiply = control.kind === Kind.multiply
    val isBarrier = control.kind === Kind.barrier

    // Operands.
    val bypassA, bypassB = new Bypass
    for (
      (bypass, register, port) <- Seq(
        (bypassA, ra, registers.readA),
        (bypassB, rb, registers.readB)
      )
    ) {
      port.register := register
      bypass.register := register
      bypass.file := port.value
      bypass.e1.valid := execute.forwards
      bypass.e1.register := e1.register
      bypass.e1.value := execute.result
      bypass.e2.valid := e2.writes
      bypass.e2.register := e2.register
      bypass.e2.value := e2Result
      bypass.e3.valid := e3.writes
      bypass.e3.register := e3.register
      bypass.e3.value := e3Result
      // Until its value is there, the interlock holds whoever wants it: no need to look.
      bypass.load.valid := late.load
      bypass.load.register := late.fromLoad.register
      bypass.load.value := late.fromLoad.value
      bypass.product.valid := late.product.valid && late.product.register =/= 31
      bypass.product.register := late.product.register
      bypass.product.value := late.product.value
    }
    bypassA.literal.valid := False
    bypassA.literal.payload := 0
    bypassB.literal.valid := isLiteral
    bypassB.literal.payload := instruction(20 downto 13)
    val a = bypassA.value
    val b = bypassB.value

    // The address of E1's access: the D-cache reads tags for it now. No instruction in E1 gives an
    // operand to an address; where the machine allows it, the sum comes later.
    val noneFromE1 = c.agenUse == 2 && c.shiftUse == 2 && c.compareUse == 2
    val base = (if (noneFromE1) bypassB.older else b).asUInt.resize(34)
    val fromPal = opcode === 0x1b || opcode === 0x1f // HW_LD, HW_ST: 12 bits
    val offset =
      fromPal ? instruction(11 downto 0).asSInt.resize(16) | instruction(15 downto 0).asSInt
    loadStore.next := base + offset.resize(34).asUInt

    // Interlocks.
    val older1, older2 = Producer()
    older1.valid := e1.valid && e1.writes
    older1.register := e1.register
    older1.load := e1.memory
    older1.shift := execute.control.kind === Kind.shift || execute.control.kind === Kind.cmov
    older1.conditional := execute.control.kind === Kind.cmov
    older1.compare := execute.control.kind === Kind.compare
    older1.multiply := execute.control.kind === Kind.multiply
    older2.valid := e2.writes
    older2.register := e2.register
    older2.load := e2.waits
    older2.shift := False
    older2.conditional := False
    older2.compare := False
    older2.multiply := False
    def interlock(reads: Bool, register: UInt, use: Use.C) = {
      val lock = new Interlock(c)
      lock.reads := reads
      lock.register := register
      lock.use := use
      lock.e1 := older1
      lock.e2 := older2
      lock.loadComes := late.loadComes(register)
      lock.multiplyComes := late.multiplyComes(register)
      lock
    }
    val useA = Use()
    useA := Use.general
    when(control.kind === Kind.branch) { useA := Use.branch }
    when(isStore) { useA := Use.storeData }
    val useB = Use()
    useB := Use.general
    when(isMemory || control.kind === Kind.jump) { useB := Use.address }
    val needed = !(isLoad && ra === 31)
    val lockA = interlock(control.readsA, ra, useA)
    val lockB = interlock(control.readsB && !isLiteral && needed, rb, useB)
    // A register whose value is to come late cannot be written before. Of both registers that it
    // could be, as the decoder says late which it is.
    private def written(is: UInt => Bool) =
      (control.destination === Destination.ra && is(ra)) ||
        (control.destination === Destination.rc && is(rc))
    val meetsE1 = e1.writes && written(_ === e1.register)
    val overtakesLoad = written(late.loadComes)
    val overtakesMultiply = written(late.multiplyStays) || (execute.isMultiply && meetsE1)
    val meetsProduct = written(late.multiplyEnds) // it ends now, unless a load does
  }

  // ------------------------------------------------------------------ issue
  val issue = new Area {
    import decode._

    /** A signal of its own, so that synthesis cannot mix it with what comes later in the tick. */
    private def early(what: Bool) = what.addAttribute("keep")

    val machineCheck, overflow = RegInit(False)
    when(loadStore.error && tick) { machineCheck := True }
    when(multiplier.rsp.valid && multiplier.taken && multiplier.rsp.overflowed) { overflow := True }
    val overflowNow = overflow || execute.overflowed
    when(execute.overflowed) { overflow := True }

    val privileged = instruction(25 downto 0).asUInt < 0x40
    val unprivileged = instruction(25 downto 6) === 2
    val badCall = control.kind === Kind.callPal &&
      !((privileged && (!pal.userMode || inPal)) || unprivileged)
    val opcdec = !control.legal || (control.palOnly && !inPal) || badCall
    val lowAddress = loadStore.next(2 downto 0)
    val misplaced = isMemory && !control.unaligned && !control.palOnly &&
      (control.long ? (lowAddress(1 downto 0) =/= 0) | (lowAddress =/= 0))

    val astrayOwner = (execute.isCall || execute.isReturn) ? Owner.exception |
      (ev4 ? Owner.mispredict | Owner.takenBubble)

    // Why not now? The first that matches owns the tick (facts/ev4.md 4.3).
    val isChecked = machineCheck || fetched.error
    val multiplierTraps = multiplier.trapping || (execute.isMultiply && execute.control.overflow)
    val interrupted = pal.pending && !inPal
    val multiplierBusy = (isMultiply && multiplier.busy) || registers.crowded
    val losesPort = early(meetsProduct) && early(late.fromLoad.valid)
    private def lockOwner(lock: Interlock, missed: Boolean) =
      if (missed) lock.byLoad ? Owner.dMiss | lock.owner else lock.owner
    private def ownerIf(missed: Boolean) = {
      val owner = Owner()
      val fillGoesOn = loadStore.filling || Bool(missed)
      when(!pal.awake) {
        owner := Owner.idle
      } elsewhen (!fetched.valid) {
        owner := emptyOwner
      } elsewhen (isChecked || overflowNow) {
        owner := Owner.exception
      } elsewhen (multiplierTraps) {
        owner := Owner.multiply
      } elsewhen (interrupted || control.floating || opcdec) {
        owner := Owner.exception
      } elsewhen (fetched.cold) {
        owner := Owner.barrier
      } elsewhen (loadStore.blocksAll) {
        owner := loadStore.blockedByIo ? Owner.io |
          (loadStore.blockedByLock ? Owner.barrier | Owner.writeBufferFull)
      } elsewhen (lockA.blocked) {
        owner := lockOwner(lockA, missed)
      } elsewhen (lockB.blocked) {
        owner := lockOwner(lockB, missed)
      } elsewhen (overtakesLoad || (Bool(missed) && meetsE1)) {
        owner := Owner.dMiss
      } elsewhen (overtakesMultiply || multiplierBusy || losesPort) {
        owner := Owner.multiply
      } elsewhen (isMemory && fillGoesOn) {
        owner := Owner.memoryPort
      } elsewhen (isBarrier && (fillGoesOn || loadStore.undrained)) {
        owner := Owner.barrier
      } otherwise { owner := Owner.issue }
      owner
    }
    // The same without an order, in few gates behind what comes last: whether E1's load misses,
    // whether its sum overflows, whether an older load ends.
    val there = pal.awake && fetched.valid
    val exceptional = interrupted || control.floating || opcdec
    val waits = lockA.blocked || lockB.blocked || overtakesLoad || overtakesMultiply ||
      multiplierBusy || ((isMemory || isBarrier) && loadStore.filling)
    val quiet = there && !execute.astray && !loadStore.blocksAll && !fetched.cold &&
      !(isChecked || multiplierTraps || exceptional || waits) &&
      !(isBarrier && loadStore.undrained)
    val ready = early(quiet && !misplaced)
    val quietNow = early(quiet && tick)
    val misfit = early(quiet && misplaced)
    val waitsForMiss = early(isMemory || isBarrier || meetsE1)
    val missed = early(loadStore.missed)
    val overflows = early(overflowNow)
    val stopped = (waitsForMiss && missed) || overflows || losesPort
    val go = ready && !stopped
    val trapsAtOnce = there && (isChecked || (!multiplierTraps && exceptional))
    val mayOverflow = there && !execute.astray
    val trapsEarly = early(trapsAtOnce && !execute.astray)
    // Twice, so that whether E1's load misses, which is known last, only chooses.
    val owner = Owner()
    owner := loadStore.missed ? ownerIf(missed = true) | ownerIf(missed = false)
    when(misfit && !stopped) { owner := Owner.exception }
    when(pal.awake && execute.astray) { owner := astrayOwner }
    val trap = trapsEarly || (early(mayOverflow) && overflows) || (misfit && !stopped)
    val vector = UInt(16 bits)
    when(isChecked) { vector := Vector.MCHK } elsewhen (overflowNow) {
      vector := Vector.ARITH
    } elsewhen (interrupted) { vector := Vector.INTERRUPT } elsewhen (control.floating) {
      vector := Vector.FEN
    } elsewhen (opcdec) { vector := Vector.OPCDEC } otherwise { vector := Vector.UNALIGN }
    val trapsOverflow = mayOverflow && !isChecked && overflowNow
    when(mayOverflow && isChecked) { machineCheck := False }
    when(trapsOverflow) { overflow := False }
    consume := early(quietNow && !stopped) // a misfit's trap empties D all the same
    loadStore.drain := fetched.valid && (isBarrier || fetched.cold)
    // Nothing issues meanwhile, so that all is quiet can be a tick old: no late signal of the memory
    // side then reaches the fetch unit by this way.
    val mayStart = there && fetched.cold &&
      !(isChecked || multiplierTraps || exceptional || overflow)
    val quietBefore = RegNext(
      mayStart && frontQuiet && !e1.valid &&
        !(loadStore.blocksAll || loadStore.filling || loadStore.undrained)
    ) init False
    coldStart := mayStart && quietBefore
    loadStore.redirected := execute.astray

    branching := execute.astray
    redirect.valid := early(execute.astray || trapsAtOnce) ||
      (early(there) && overflows) || (misfit && !stopped)
    val entry = U(0, 1 bit) @@ pal.palBase @@ vector(13 downto 0)
    redirect.pc := execute.astray ? execute.target | entry
    when(!execute.astray) { redirect.pc(0) := True }
    redirect.payload.delay := 0
    when(execute.astray && redirectPenalty > 3) { redirect.payload.delay := redirectPenalty - 3 }
    redirect.owner := execute.astray ? astrayOwner | Owner.exception

    // Into E1.
    val slot = Reg(UInt(10 bits)) init 0
    when(go || trap) { slot := slot + 1 }
    e1.valid := go
    e1.trap := trap
    e1.vector := vector
    e1.fault := vector === Vector.UNALIGN
    e1.overflow := trapsOverflow
    e1.control := control
    e1.pc := fetched.pc
    e1.instruction := instruction
    e1.a := a
    e1.b := b
    e1.address := loadStore.next
    e1.storeFromE2 := lockA.takeFromE2
    e1.memory := isMemory
    e1.writes := go && register =/= 31
    e1.register := register
    e1.slot := slot
    e1.missed := fetched.missed
    e1.next := next
    e1.prediction := prediction
  }

  // ------------------------------------------------------------------ events
  val palMode = RegInit(True)
  when(redirect.valid) { palMode := redirect.pc(0) }
  events.owner := issue.owner
  events.issuePc := ProgramCounter.physical(fetched.pc)
  events.palMode := palMode
  events.iAccess := issue.go
  events.takenBranch := execute.taken && !execute.isCall && !execute.isReturn
  events.mispredict := ev4 && execute.astray && !execute.isCall && !execute.isReturn
  Seq(
    events.iMiss,
    events.iStreamHit,
    events.dAccess,
    events.dMiss,
    events.writeAccess,
    events.writeMerge
  ).foreach(_ := False)
  events.iMissAddress := 0
  events.dMissAddress := 0
  events.coldStart := coldStart
  events.trapped := issue.trap
}
