// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import mcpi.bus.MemoryRsp
import mcpi.counters.Owner
import spinal.core._
import spinal.lib._

/** A new program counter for F1, `delay` ticks later than at once. */
case class Redirect() extends Bundle {
  val pc = UInt(64 bits) // bit 0: PAL mode
  val delay = UInt(3 bits)
  val owner = Owner() // of the ticks until the next issue
}

/** Stage D's input. */
case class Fetched() extends Bundle {
  val pc = UInt(64 bits)
  val next = UInt(62 bits) // the longword behind it
  val instruction = Bits(32 bits)
  val missed = Bool() // its fetch missed the I-cache
  val error = Bool() // no memory at this address
  val cold = Bool() // the instruction before which a cold start is due
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
  * A miss is acted on only when stage D is empty and nothing older can redirect, so only blocks on
  * the architectural path are ever demanded, and a miss costs the same wherever it comes. All of
  * it moves in ticks; with `ideal` high, also while `hold` is.
  */
class FetchUnit(c: AlphaLiteConfig) extends Component {
  val tick = in Bool ()
  val redirect = slave(Flow(Redirect())) // in ticks
  val branching = in Bool () // stage E1 redirects in this tick (a trap needs a valid stage D)
  val prediction = out(Prediction()) // of stage D's instruction
  val flush = in Bool () // FLUSH_IC, in ticks
  val consume = in Bool () // stage D's instruction issues, in ticks
  val fetched = master(Flow(Fetched()))
  val emptyOwner = out(Owner()) // who owns this tick if stage D is empty
  val port = master(FetchPort(c))
  val prefetchOn, ideal = in Bool ()
  val refillRestart = in UInt (3 bits)
  val ev4 = in Bool ()
  val predictionControl = in(PredictionControl())
  val predictedPenalty = in UInt (3 bits) // ticks between a branch predicted taken and its target
  val hold = out Bool ()
  val missEvent, streamEvent = out Bool ()
  val missAddress = out UInt (c.bus.addressWidth bits) // with missEvent
  val coldPc = slave(Flow(UInt(c.bus.addressWidth bits))) // bits 1:0 do not count
  val coldStart = in Bool () // in ticks: drop everything, fetch stage D's instruction anew
  val quiet = out Bool () // nothing on the bus, nothing wanted from it
  val resting = out Bool () // full, nothing under way: every tick is like this one

  private val offsetBits = log2Up(c.blockBytes)
  private val indexBits = log2Up(c.iSets)
  private def indexOf(pc: UInt) = pc(offsetBits, indexBits bits)
  private def tagOf(pc: UInt) = pc(c.bus.addressWidth - 1 downto offsetBits + indexBits)
  private def blockOf(pc: UInt) = pc(c.bus.addressWidth - 1 downto offsetBits)

  val f2Valid = RegInit(False)
  val f2Pc = Reg(UInt(64 bits))
  val dValid = RegInit(False)
  val dFetched = Reg(Fetched())
  fetched.valid := dValid
  fetched.payload := dFetched

  // The prediction counts in the first tick of its instruction in D, issued or not.
  val predictor = new BranchPredictor(c)
  prediction := predictor.prediction
  val fresh = RegInit(False)
  val follow = dValid && fresh && tick && prediction.taken
  val near = predictedPenalty <= 1
  val target = prediction.target @@ dFetched.pc(1 downto 0)

  // F1: the program counter meets the RAMs. It is at `start` after a redirection or a miss, at
  // the target of a prediction, else behind F2.
  val start = Reg(UInt(64 bits)) init (c.palBase + 1)
  val starting = RegInit(True)
  val f1Wait = Reg(UInt(3 bits)) init 0
  val f2Next = f2Pc(63 downto 2) + 1
  val f1Pc = follow ? target | (starting ? start | (f2Next @@ f2Pc(1 downto 0)))

  val dFree = !dValid || consume
  val f2Passes, f2Hit, f2Miss = Bool()
  // F1 moves if F2 is free; `consume` comes last, then whether F2 hits.
  val f1Starts = follow ? near | (!f2Valid && f1Wait === 0)
  val f1Follows = !follow && f2Valid && f1Wait === 0 && f2Hit
  val f1Go = f1Starts.addAttribute("keep") || (f1Follows.addAttribute("keep") && dFree)

  // F2: compare and choose the word.
  val data = Mem(Bits(c.bus.blockBits bits), c.iSets)
  val tags = Mem(UInt(c.bus.addressWidth - offsetBits - indexBits bits), c.iSets)
  val valids = new ValidBits(c.iSets, 1)
  valids.reads(0).index := indexOf(f1Pc)
  val f2Line = data.readSync(indexOf(f1Pc), f1Go)
  val f2Tag = tags.readSync(indexOf(f1Pc), f1Go)
  val f2LineValid = RegNextWhen(valids.reads(0).valid, f1Go) init False
  val f2Word = f2Line.subdivideIn(32 bits)(f2Pc(offsetBits - 1 downto 2))
  val failed = RegInit(False) // the miss was answered with an error; deliver that to stage D
  f2Hit := (f2LineValid && LateCompare(f2Tag.asBits, tagOf(f2Pc).asBits)) || failed
  f2Miss := f2Valid && !f2Hit
  f2Passes := f2Valid && f2Hit && dFree && !follow

  when(f1Wait =/= 0) { f1Wait := f1Wait - 1 }
  when(f2Passes || follow) { f2Valid := False }
  when(f1Go) {
    f2Valid := True
    f2Pc := f1Pc
    starting := False
  }

  // Stage D's register.
  val missed = RegInit(False) // the word in F2 comes by a miss
  when(consume) { dValid := False }
  when(tick) { fresh := False }
  when(f2Passes) {
    dValid := True
    fresh := True
    dFetched.pc := f2Pc
    dFetched.next := f2Next
    dFetched.instruction := f2Word
    dFetched.missed := missed
    dFetched.error := failed
    dFetched.cold := coldPc.valid && f2Pc(c.bus.addressWidth - 1 downto 2) ===
      coldPc.payload(c.bus.addressWidth - 1 downto 2)
    missed := False
    failed := False
  }

  // The miss, the stream buffer and its prefetch.
  val reason = Reg(Owner()) init Owner.exception // of the gap that is running
  val stream = new StreamBuffer(c)
  val demandBusy = RegInit(False)
  val demandStale = RegInit(False)

  // Due: the instruction would be in stage D now, so its absence begins to cost.
  val due = RegNext(f2Miss && dFree && !follow && !redirect.valid) init False
  // F2 waits then, so that it still misses needs no look at its tag again; and as for `hold`.
  val missing = RegNext(f2Miss && !follow && !redirect.valid) init False
  val servable = f2Valid && !failed && (ideal ? (hold && !tick && missing) | due)
  val serving = servable && (ideal || !branching)
  val arrival = Flow(MemoryRsp(c.bus))
  arrival.valid := serving &&
    (stream.has || stream.arriving || (port.demandRsp.valid && !demandStale))
  arrival.data := stream.has ? stream.data | port.demandRsp.data // both responses are one wire
  arrival.error := !stream.has && port.demandRsp.error

  port.demandDue := servable && !stream.has && !stream.awaited && !demandBusy
  port.demand.valid := port.demandDue && (ideal || !branching)
  port.demand.payload := blockOf(f2Pc) @@ U(0, offsetBits bits)
  when(port.demand.fire) { demandBusy := True }
  when(port.demandRsp.valid) { demandBusy := False; demandStale := False }

  val slow = refillRestart > 3 // restarts faster than the pipeline's own 3 do not exist

  // A new miss overtakes the prefetch; the next block of the same 8-KB page follows it when the
  // restart is over.
  stream.lookup := blockOf(f2Pc)
  stream.cmd >> port.prefetch
  stream.rsp << port.prefetchRsp
  stream.overtaken := port.demand.valid
  stream.flush := flush || coldStart
  stream.ideal := ideal
  stream.served := arrival.valid
  val following = blockOf(f2Pc) + 1
  stream.follow.valid := arrival.valid && prefetchOn && !ideal &&
    following(12 - offsetBits downto 0) =/= 0
  stream.follow.payload := following
  stream.delay := (slow ? refillRestart | U(3, 3 bits)) - 1

  val restart = slow ? (refillRestart - 3) | U(0, 3 bits)
  valids.flush := flush || coldStart
  valids.write.valid := arrival.valid && !arrival.error
  valids.write.payload.index := indexOf(f2Pc)
  valids.write.payload.valid := True
  data.write(indexOf(f2Pc), arrival.data, arrival.valid && !arrival.error)
  tags.write(indexOf(f2Pc), tagOf(f2Pc), arrival.valid && !arrival.error)
  when(arrival.valid) {
    reason := Owner.refillRestart
    missed := True
    when(arrival.error) {
      failed := True // F2 passes it on as it is
    } otherwise {
      start := f2Pc // read it again: F1, F2, then D, which is a restart of 3
      starting := True
      f1Wait := ideal ? U(0, 3 bits) | restart
      f2Valid := False
    }
  }

  val holding = RegInit(False)
  hold := holding
  holding := ideal && f2Miss && !follow && !(redirect.valid && tick)
  when(ideal && holding && !tick && !f2Valid) { holding := True } // re-reading

  when(follow) {
    reason := Owner.takenBubble
    when(!near) {
      start := target
      starting := True
      f1Wait := predictedPenalty - 2
    }
  }
  when(redirect.valid) {
    start := redirect.pc
    starting := True
    f1Wait := redirect.payload.delay
    f2Valid := False
    dValid := False
    missed := False
    failed := False
    reason := redirect.owner
  }
  when(flush) {
    when(demandBusy) { demandStale := !port.demandRsp.valid }
  }

  predictor.tick := tick
  predictor.enabled := ev4
  predictor.control := predictionControl
  predictor.read.valid := f1Go
  predictor.read.payload := indexOf(f1Pc)
  predictor.word := f2Pc(offsetBits - 1 downto 2)
  predictor.enter := f2Passes
  predictor.pc := dFetched.pc(63 downto 2)
  predictor.next := dFetched.next
  predictor.instruction := dFetched.instruction
  predictor.issue := consume
  predictor.wrong := branching && tick
  predictor.fill.valid := arrival.valid && !arrival.error
  predictor.fill.index := indexOf(f2Pc)
  predictor.fill.block := arrival.data

  quiet := stream.quiet && !demandBusy
  // As if the instruction had just been looked up in vain: its miss begins in the next tick.
  when(coldStart) {
    dValid := False
    f2Valid := True
    f2Pc := dFetched.pc
    f2LineValid := False
    due := True
    missing := True
  }

  val first = serving && !RegNext(serving && !arrival.valid, False).setName("servingBefore")
  resting := dValid && !fresh && f2Valid && f1Wait === 0 && !due && !demandBusy && stream.idle &&
    !hold
  missEvent := first
  missAddress := f2Pc.resized
  streamEvent := first && (stream.has || stream.awaited)
  emptyOwner := reason
  when(serving && !arrival.valid) { emptyOwner := stream.awaited ? Owner.iStream | Owner.iDemand }
  when(serving && arrival.valid) { emptyOwner := Owner.refillRestart }
}
