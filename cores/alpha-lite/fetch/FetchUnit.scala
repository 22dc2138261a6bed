// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import mcpi.bus.{EveryClock, MemoryRsp}
import mcpi.counters.Owner
import spinal.core._
import spinal.lib._

/** A new program counter for F1, `delay` ticks later than at once; `pc` counts in every tick. */
case class Redirect(c: AlphaLiteConfig) extends Bundle {
  val pc = UInt(c.pcBits bits) // bit 0: PAL mode
  val delay = UInt(3 bits)
  val owner = Owner() // of the ticks until the next issue
}

/** Stage D's input. */
case class Fetched(c: AlphaLiteConfig) extends Bundle {
  val pc = UInt(c.pcBits bits)
  val instruction = Bits(32 bits)
  // Its bits 25:16 once more, inverted, so that synthesis does not make them one with those.
  val sources = Bits(10 bits)
  val needs = Needs()
  // Opcode 18, which takes the whole word to know; what may be predicted taken.
  val settles, follows = Bool()
  val missed = Bool() // its fetch missed the I-cache
  val error = Bool() // no memory at this address
  val cold = Bool() // the instruction before which a cold start is due
  val refusal = c.translates generate FetchRefusal() // there is no instruction
  val history = BranchHistory(c)
  val way = c.hasWays generate UInt(log2Up(c.iWays) bits) // of the I-cache, where it was read

  /** Decides before D what the word that was read shows early. */
  def foresee(word: Bits): Unit = {
    val opcode = word(31 downto 26)
    sources := ~word(25 downto 16)
    needs.late(word)
    settles := opcode === 0x18
    follows := opcode(5 downto 4) === 3 || opcode === 0x1a
  }

  /** There is no word. */
  def foreseeNothing(): Unit = {
    sources.setAll()
    needs.assignFromBits(B(0, widthOf(needs) bits))
    Seq(settles, follows).foreach(_ := False)
  }
}

/** The fetch unit's two ways to the memory bus; a response belongs to the request sent last. */
case class FetchPort(c: AlphaLiteConfig) extends Bundle with IMasterSlave {
  val demand, prefetch = Stream(UInt(c.bus.addressWidth bits))
  val demandDue = Bool() // `demand.valid`, if E1 does not redirect
  val demandRsp, prefetchRsp = Flow(MemoryRsp(c.bus))
  override def asMaster(): Unit = {
    master(demand, prefetch)
    out(demandDue)
    slave(demandRsp, prefetchRsp)
  }
}

/** Stages F1 and F2: program counter, I-cache, stream buffer; and the predictor, which in ev4 mode
  * sends F1 elsewhere in the first tick of an instruction in D.
  *
  * F1 and F2 run on what registers say: whether F2 hits or D issues comes too late in a tick to
  * enable a RAM. What F2 reads while D stays goes into a spare entry before D; what F1 reads after
  * a miss is dropped.
  *
  * A miss is acted on only when stage D is empty and nothing older can redirect, so only blocks on
  * the architectural path are ever demanded, and a miss costs the same wherever it comes. All of
  * it moves in ticks; with `ideal` high, also while `hold` is.
  */
class FetchUnit(val c: AlphaLiteConfig) extends Component {
  val tick = in Bool ()
  val redirect = slave(Flow(Redirect(c))) // in ticks
  val branching = in Bool () // stage E1 redirects in this tick: looked at while `demanding`
  val revoked = in Bool () // not in a tick: `redirect.payload` counts from now on (`Revoke`)
  val mispredicted = in Bool () // E1 redirects, valid in every tick
  val demanding = out Bool () // a miss acts in this tick, if E1 does not redirect
  val mayDemand = out Bool () // F2 has missed: a miss acts in this tick or a later one
  val prediction = out(Prediction(c)) // of stage D's instruction
  val next = out UInt (c.pcBits - 2 bits) // the longword after stage D's instruction
  val flush = in Bool () // FLUSH_IC, in ticks
  val consume = in Bool () // stage D's instruction leaves it, in ticks
  val killed =
    in Bool () // the instruction that left D in the last tick was killed; fetching was redirected
  val fetched = master(Flow(Fetched(c)))
  val emptyOwner = out(Owner()) // owner of this tick if stage D is empty
  val port = master(FetchPort(c))
  val prefetchOn, ideal = in Bool ()
  val cacheOn = in Bool () // off: the block that came last is all there is
  val refillRestart = in UInt (3 bits)
  val ev4 = in Bool ()
  val predictionControl = in(PredictionControl())
  val predictedPenalty = in UInt (3 bits) // ticks between a branch predicted taken and its target
  val hold = out Bool ()
  val settleHold =
    out Bool () // no tick, please: a prediction is being looked at, or an answer taken
  val missEvent, streamEvent = out Bool ()
  val victimEvent = c.hasIVictims generate (out Bool ())
  val missAddress = out UInt (c.bus.addressWidth bits) // with missEvent, victimEvent
  val missPc = c.translates generate (out UInt (c.bus.addressWidth bits)) // with missEvent
  val coldPc = slave(Flow(UInt(c.bus.addressWidth bits))) // bits 1:0 do not count
  val coldStart = in Bool () // in ticks: drop everything, fetch stage D's instruction anew
  val quiet = out Bool () // nothing on the bus, nothing wanted from it
  val resting = out Bool () // full, nothing under way: every tick is like this one
  val space = c.translates generate slave(FetchSpace(c.tlb.get))
  val refused = c.translates generate (out Bool ()) // in this tick the ITB has no entry
  val used = c.hasWays generate (in Bool ()) // stage D's instruction issues, in ticks
  val way = c.hasWays generate (out UInt (log2Up(c.iWays) bits)) // of the miss, else of D's

  private[core] val offsetBits = log2Up(c.blockBytes)
  private[core] val indexBits = log2Up(c.iSets)
  private[core] def indexOf(pc: UInt) = pc(offsetBits, indexBits bits)
  private[core] val topBits = if (c.translates) c.bus.addressWidth else c.ramBits
  private[core] def tagOf(pc: UInt) = pc(topBits - 1 downto offsetBits + indexBits)
  private[core] def blockOf(pc: UInt) = pc(c.bus.addressWidth - 1 downto offsetBits)
  private[core] def ram[T <: Data](word: HardType[T], size: Int = c.iSets) =
    Mem(word, size).addAttribute("no_rw_check") // a word read after a miss is dropped

  // From a redirection until F1 has gone there. What comes late in a tick sets this one bit; in
  // the tick after, whatever is in D, F2, the spare entry or on its way by a miss no longer counts.
  private[core] val clockEnabled = EveryClock.clockEnabled
  val turning = EveryClock(RegInit(True))
  val turn = EveryClock(Reg(Redirect(c)))
  turn.pc init (c.palBase + 1)
  turn.delay init 0
  turn.owner init Owner.exception

  // Stage D and the spare entry before it. What F2 had counts as a word for one of them before it
  // is known whether it hit. If it did not, a register says so a tick later: the place is empty.
  val dTaken, spareTaken = RegInit(False)
  val lost = RegInit(False) // the word that left F2 last has missed
  val lostInD = RegInit(False) // the lost word would be in D, otherwise in the spare entry
  val dValid = dTaken && !(lost && lostInD)
  val spareValid = spareTaken && !(lost && !lostInD)
  val dFetched, spare = Reg(Fetched(c))
  fetched.valid := dValid && !turning
  fetched.payload := dFetched
  val dFree = !dValid || consume

  // The prediction counts in the first tick of its instruction in D, issued or not.
  val predictor = new BranchPredictor(c)
  prediction := predictor.prediction
  next := dFetched.pc(c.pcBits - 1 downto 2) + 1
  val fresh = RegInit(False)
  val follow = Bool()
  val itbHolds = c.translates generate Bool()
  val missAnswered = Bool() // the block that a miss waits for has come
  val demands = Bool() // a miss wants the bus, if E1 does not redirect
  val shortBubble = predictedPenalty <= 1
  val target = UInt(c.pcBits bits)
  private val timing = new FetchInRegisters(this).setName("")
  timing.predict()

  // F1: the program counter meets the RAMs. It is at `start` after a miss, at `turn` after a
  // redirection, at the target of a prediction, else after F2.
  val f2Taken = RegInit(False)
  val f2Valid = f2Taken && !lost // a word read after a miss is not wanted
  val f2Pc = Reg(UInt(c.pcBits bits))
  val start = Reg(UInt(c.pcBits bits))
  val itb = c.translates generate new FetchTranslation(c, space, start)
  private def physicalStart = if (c.translates) itb.physical else start
  val starting = RegInit(False)
  val f1Wait = Reg(UInt(3 bits)) init 0
  val nextPc = (f2Pc(c.pcBits - 1 downto 2) + 1) @@ f2Pc(1 downto 0)
  val f1Pc = follow ? target | (turning ? turn.pc | (starting ? start | nextPc))
  // F2 has missed at `start`: until it is answered F1 stands still. Whether F2 misses comes late in
  // a tick and sets `lost` alone; all that follows from it begins there in the next.
  val unanswered = RegInit(False)
  val missing = lost || unanswered
  unanswered := missing
  val f2Moves = !(f2Valid && spareValid) // whatever is in F2 leaves it: onwards or, missing, lost
  val f1Turns = turning && turn.delay === 0
  val f1Go = follow ? shortBubble | (f1Turns || (!turning && f1Wait === 0 && !missing && f2Moves))

  // F2: compare.
  val f2Fresh = RegNext(f1Go) init False
  val spaces = c.translates generate new BlockSpaces(c, space)
  if (c.translates) spaces.read(indexOf(f1Pc), f1Go, f2Pc, indexOf(f2Pc))
  val failed = RegInit(False) // the miss was answered with an error; deliver that to stage D
  val outside = !c.translates generate f2Pc(c.bus.addressWidth - 1 downto c.ramBits) =/= 0
  val flushed = RegNext(flush || coldStart) init False
  val first, fills = Bool() // a miss counts; its block goes into the I-cache
  val ways = Seq.fill(c.iWays)(new FetchWay(this))
  if (!c.hasWays) ways.head.setName("")
  val cache = c.hasWays generate new FetchWays(this, ways)
  val f2Hit = (if (c.hasWays) cache.hits.orR else ways.head.hits) || failed
  val f2Here = f2Valid && !spareValid && !follow && !turning
  val f2Misses = f2Here && !f2Hit
  lost := f2Misses
  lostInD := dFree

  when(f1Wait =/= 0) { f1Wait := f1Wait - 1 }
  f2Taken := f2Valid && !(f2Moves || follow || turning)
  when(f1Go) {
    f2Taken := True
    f2Pc := f1Pc
    starting := False
  }
  val restartsAtStart = missing || starting
  when(!restartsAtStart) { start := f2Pc }

  // Stage D's register and the spare one.
  val missed = RegInit(False) // the word in F2 comes by a miss
  val passing = Fetched(c)
  passing.pc := f2Pc
  private val f2Word = if (c.hasWays) cache.word else ways.head.f2Word
  passing.instruction := f2Word
  if (c.hasWays) passing.way := cache.number
  passing.foresee(f2Word)
  passing.missed := missed
  passing.error := failed
  passing.cold := coldPc.valid && f2Pc(c.bus.addressWidth - 1 downto 2) ===
    coldPc.payload(c.bus.addressWidth - 1 downto 2)
  if (c.translates) passing.refusal.clear()
  passing.history := predictor.history
  when(!hold) { fresh := False }
  when(dFree) {
    dFetched := spareValid ? spare | passing
    fresh := spareValid || f2Here
  }
  dTaken := !dFree || spareValid || f2Here
  spareTaken := !dFree && (spareValid || f2Here)
  when(!spareValid) { spare := passing }
  when(f2Here) {
    missed := False
    failed := False // the word passes with any tag
  }

  // The miss, the victims, the stream buffer and its prefetch.
  val reason = Reg(Owner()) init Owner.exception // owner of the present gap
  val stream = new StreamBuffer(c)
  val demandBusy = RegInit(False)
  val demandStale = RegInit(False)
  // Due: the instruction would be in stage D now, so its absence begins to cost.
  val misses = missing && !turning
  val missedBefore = RegNext(misses) init False
  val due = (lost || missedBefore) && lostInD // stage D was free
  val betweenTicks = timing.betweenTicks
  if (c.translates) {
    itb.ask := misses && (ideal || due)
    itbHolds := itb.holds
  }
  val refusing = c.translates generate (misses && itb.refused) // a trap comes in place of the block
  val refuses =
    c.translates generate (refusing && due && !dValid) // the trap is in D from the next tick on
  private val absent = if (c.translates) misses && itb.granted else misses
  val servable = absent && (ideal ? (hold && betweenTicks) | due)
  val serving = servable && (ideal || !branching)
  demanding := misses && due && !ideal
  private[core] val victims = if (c.hasIVictims) Some(new FetchVictims(this)) else None

  /** Not if the block is a victim: who asks the victims asks nobody else, and tells nobody. */
  private[core] def notVictim(what: Bool) = victims.fold(what)(what && !_.serves)

  val arrival = Flow(MemoryRsp(c.bus))
  missAnswered := stream.arriving || (port.demandRsp.valid && !demandStale)
  timing.arrive()
  timing.demand()
  port.demand.payload := blockOf(physicalStart) @@ U(0, offsetBits bits)
  when(port.demand.fire) { demandBusy := True }
  when(port.demandRsp.valid) { demandBusy := False; demandStale := False }

  val slow = refillRestart > 3 // restarts faster than the pipeline's own 3 do not exist

  // A new miss overtakes the prefetch; the next block of the same 8-KB page follows it when the
  // restart is over.
  stream.lookupNext := blockOf(if (c.translates) physicalStart else restartsAtStart ? start | f2Pc)
  stream.cmd >> port.prefetch
  stream.rsp << port.prefetchRsp
  stream.overtaken := port.demand.valid
  stream.flush := (if (c.translates) flush || coldStart || space.flushLocal
                   else flush || coldStart)
  stream.ideal := ideal
  stream.served := notVictim(arrival.valid)
  val following = blockOf(physicalStart) + 1
  private val pageBits = c.tlb.map(_.offsetBits).getOrElse(13)
  stream.follow.valid := notVictim(arrival.valid) && prefetchOn && !ideal &&
    following(pageBits - 1 - offsetBits downto 0) =/= 0
  stream.follow.payload := following
  stream.delay := (slow ? refillRestart | U(3, 3 bits)) - 1

  val restart = slow ? (refillRestart - 3) | U(0, 3 bits)
  fills := arrival.valid && !arrival.error
  for ((way, n) <- ways.zipWithIndex) {
    // A block that is alone may be in another way, or in a space.
    val several = c.translates || c.hasWays
    way.valids.flush := (if (several) flushed || fills && !cacheOn else flushed)
    way.valids.single := !cacheOn
    way.write(arrival.data, if (c.hasWays) fills && cache.replacement.way(n) else fills)
  }
  if (c.translates) {
    spaces.flush := flushed || RegNext(space.flushLocal, False).setName("flushedLocal") ||
      fills && !cacheOn
    spaces.write(indexOf(start), itb, fills)
  }
  when(arrival.valid) { // read it again: F1, F2, then D, which is a restart of 3
    reason := Owner.refillRestart
    missed := notVictim(True)
    failed := arrival.error
    unanswered := False
    starting := True
    f1Wait := ideal ? U(0, 3 bits) | restart
  }

  // Read again, it passes into D, or into the spare entry, before the next tick.
  val awaited = RegInit(False)
  val holding = ideal && (lost || awaited) && !turning
  hold := (if (c.translates) holding && !refusing else holding)
  val reading = holding && !tick && !f2Valid
  awaited := misses || reading

  when(follow) {
    reason := Owner.takenBubble
    spareTaken := False
    starting := False
    when(!shortBubble) {
      start := target
      starting := True
      f1Wait := predictedPenalty - 2
    }
  }
  when(clockEnabled) {
    when(turning) { turn.delay := turn.delay - 1 } otherwise { turn := redirect.payload }
    when(f1Turns) { turning := False }
    when(redirect.valid) { turning := True }
  }
  when(revoked) { // the revoked instruction changes nothing in a tick
    turning := True
    turn := redirect.payload
  }
  when(turning) {
    f1Wait := 0
    dTaken := False
    spareTaken := False
    unanswered := False
    starting := False
    missed := False
    failed := False
    reason := turn.owner
  }
  if (c.translates) {
    refused := refuses && itb.refusal.missed
    val nothing = Fetched(c).allowOverride()
    nothing := passing
    nothing.pc := start
    nothing.instruction := 0
    nothing.foreseeNothing()
    Seq(nothing.missed, nothing.error, nothing.cold).foreach(_ := False)
    nothing.refusal := itb.refusal
    when(refuses && tick) { // in the next tick D has what will trap
      dTaken := True
      dFetched := nothing
      fresh := False
    }
  }
  when(flush) {
    when(demandBusy) { demandStale := !port.demandRsp.valid }
  }

  predictor.tick := tick
  predictor.enabled := ev4
  predictor.control := predictionControl
  predictor.read.valid := f1Go
  predictor.read.payload := indexOf(f1Pc)
  predictor.fetched := dFetched
  predictor.next := next
  predictor.departs := consume
  predictor.killed := killed
  predictor.wrong := mispredicted
  predictor.fill.valid := fills
  predictor.fill.index := indexOf(start)
  predictor.fill.block := arrival.data
  if (c.hasWays) {
    predictor.hits := cache.hits
    predictor.fillWay := cache.replacement.way
    way := cache.usedWay
  }

  quiet := stream.quiet && !demandBusy
  // Act as if the instruction had just been looked up in vain: its miss begins in the next tick.
  when(coldStart) {
    dTaken := False
    spareTaken := False
    f2Taken := False
    start := dFetched.pc
    starting := False
    missedBefore := True
    lostInD := True
    unanswered := True
    reason := Owner.iDemand // with ideal memory too, where that miss is one tick
  }

  first := serving && !RegNext(serving && !arrival.valid, False).setName("servingBefore")
  val full = dValid && (missing || (spareValid && f2Valid))
  resting := full && !fresh && !turning && f1Wait === 0 && !due && !demandBusy && stream.idle &&
    !hold
  missEvent := notVictim(first)
  victims.foreach(it => victimEvent := it.takes)
  missAddress := ProgramCounter.physical(physicalStart)
  if (c.translates) {
    missPc := ProgramCounter.physical(start)
    itb.tlb.used := first && itb.mapped && tick && ClockDomain.current.readClockEnableWire
  }
  streamEvent := notVictim(first && (stream.has || stream.awaited))
  emptyOwner := turning ? turn.owner | reason
  when(serving && !arrival.valid) {
    emptyOwner := notVictim(stream.awaited) ? Owner.iStream | Owner.iDemand
  }
  when(serving && arrival.valid) { emptyOwner := Owner.refillRestart }
  if (c.translates) when(refuses) { emptyOwner := Owner.translation }
}
