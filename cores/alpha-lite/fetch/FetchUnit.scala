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
  val exception = Bool() // who owns the ticks until the next issue: exception or takenBubble
}

/** Stage D's input. */
case class Fetched() extends Bundle {
  val pc = UInt(64 bits)
  val instruction = Bits(32 bits)
  val missed = Bool() // its fetch missed the I-cache
  val error = Bool() // no memory at this address
  val cold = Bool() // the instruction before which a cold start is due
}

/** The fetch unit's two ways to the memory bus; a response belongs to the request sent last. */
case class FetchPort(c: AlphaLiteConfig) extends Bundle with IMasterSlave {
  val demand, prefetch = Stream(UInt(c.bus.addressWidth bits))
  val demandRsp, prefetchRsp = Flow(MemoryRsp(c.bus))
  override def asMaster(): Unit = {
    master(demand, prefetch)
    slave(demandRsp, prefetchRsp)
  }
}

/** Stages F1 and F2: program counter, I-cache, stream buffer.
  *
  * A miss is acted on only when stage D is empty and nothing older can redirect, so only blocks on
  * the architectural path are ever demanded, and a miss costs the same wherever it comes. All of
  * it moves in ticks; with `ideal` high, also while `hold` is.
  */
class FetchUnit(c: AlphaLiteConfig) extends Component {
  val tick = in Bool ()
  val redirect = slave(Flow(Redirect())) // in ticks
  val branching = in Bool () // stage E1 redirects in this tick (a trap needs a valid stage D)
  val flush = in Bool () // FLUSH_IC, in ticks
  val consume = in Bool () // stage D's instruction issues, in ticks
  val fetched = master(Flow(Fetched()))
  val emptyOwner = out(Owner()) // who owns this tick if stage D is empty
  val port = master(FetchPort(c))
  val prefetchOn, ideal = in Bool ()
  val refillRestart = in UInt (3 bits)
  val hold = out Bool ()
  val missEvent, streamEvent = out Bool ()
  val missAddress = out UInt (c.bus.addressWidth bits) // with missEvent
  val coldPc = slave(Flow(UInt(c.bus.addressWidth bits))) // bits 1:0 do not count
  val coldStart = in Bool () // in ticks: drop everything, fetch stage D's instruction anew
  val quiet = out Bool () // nothing on the bus, nothing wanted from it

  private val offsetBits = log2Up(c.blockBytes)
  private val indexBits = log2Up(c.iSets)
  private def indexOf(pc: UInt) = pc(offsetBits, indexBits bits)
  private def tagOf(pc: UInt) = pc(c.bus.addressWidth - 1 downto offsetBits + indexBits)
  private def blockOf(pc: UInt) = pc(c.bus.addressWidth - 1 downto offsetBits)

  // F1: the program counter meets the RAMs.
  val f1Pc = Reg(UInt(64 bits)) init (c.palBase + 1)
  val f1Wait = Reg(UInt(3 bits)) init 0
  val f2Valid = RegInit(False)
  val f2Pc = Reg(UInt(64 bits))
  val dValid = RegInit(False)
  val dFetched = Reg(Fetched())
  fetched.valid := dValid
  fetched.payload := dFetched

  val dFree = !dValid || consume
  val f2Passes, f2Hit, f2Miss = Bool()
  val f2Free = !f2Valid || f2Passes
  val f1Go = f2Free && f1Wait === 0

  // F2: compare and choose the word.
  val data = Mem(Bits(c.bus.blockBits bits), c.iSets)
  val tags = Mem(UInt(c.bus.addressWidth - offsetBits - indexBits bits), c.iSets)
  val valids = Reg(Bits(c.iSets bits)) init 0
  val f2Line = data.readSync(indexOf(f1Pc), f1Go)
  val f2Tag = tags.readSync(indexOf(f1Pc), f1Go)
  val f2LineValid = RegNextWhen(valids(indexOf(f1Pc)), f1Go) init False
  val f2Word = f2Line.subdivideIn(32 bits)(f2Pc(offsetBits - 1 downto 2))
  val failed = RegInit(False) // the miss was answered with an error; deliver that to stage D
  f2Hit := (f2LineValid && f2Tag === tagOf(f2Pc)) || failed
  f2Miss := f2Valid && !f2Hit
  f2Passes := f2Valid && f2Hit && dFree

  when(f1Wait =/= 0) { f1Wait := f1Wait - 1 }
  when(f2Passes) { f2Valid := False }
  when(f1Go) {
    f2Valid := True
    f2Pc := f1Pc
    f1Pc := f1Pc + 4
  }

  // Stage D's register.
  val missed = RegInit(False) // the word in F2 comes by a miss
  when(consume) { dValid := False }
  when(f2Passes) {
    dValid := True
    dFetched.pc := f2Pc
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
  val stream = new Area {
    val block = Reg(UInt(c.bus.addressWidth - offsetBits bits))
    val data = Reg(Bits(c.bus.blockBits bits))
    val valid = RegInit(False)
    val wanted = RegInit(False) // its prefetch waits for `delay` and the bus
    val delay = Reg(UInt(3 bits)) init 0
    val busy = RegInit(False) // its prefetch is on the bus
    val stale = RegInit(False) // flushed while on the bus
  }
  val demandBusy = RegInit(False)
  val demandStale = RegInit(False)

  // Due: the instruction would be in stage D now, so its absence begins to cost.
  val due = RegNext(f2Miss && dFree && !redirect.valid) init False
  val serving = f2Miss && (ideal ? (hold && !tick) | (due && !branching))
  val streamMatch = stream.block === blockOf(f2Pc)
  val inStream = stream.valid && streamMatch
  val awaited = stream.busy && !stream.stale && streamMatch
  val streamRsp = port.prefetchRsp.valid && awaited
  val arrival = Flow(MemoryRsp(c.bus))
  arrival.valid := serving && (inStream || streamRsp || (port.demandRsp.valid && !demandStale))
  arrival.data := inStream ? stream.data | port.demandRsp.data // both responses are one wire
  arrival.error := !inStream && port.demandRsp.error

  port.demand.valid := serving && !inStream && !awaited && !demandBusy
  port.demand.payload := blockOf(f2Pc) @@ U(0, offsetBits bits)
  when(port.demand.fire) { demandBusy := True }
  when(port.demandRsp.valid) { demandBusy := False; demandStale := False }

  port.prefetch.valid := stream.wanted && stream.delay === 0 && !ideal
  port.prefetch.payload := stream.block @@ U(0, offsetBits bits)
  when(stream.delay =/= 0) { stream.delay := stream.delay - 1 }
  when(port.prefetch.fire) { stream.wanted := False; stream.busy := True }
  when(port.prefetchRsp.valid) {
    stream.busy := False
    stream.stale := False
    stream.valid := !stream.stale && !port.prefetchRsp.error
    stream.data := port.prefetchRsp.data
  }
  when(port.demand.valid && stream.wanted) { stream.wanted := False } // a new miss overtakes it

  val slow = refillRestart > 3 // restarts faster than the pipeline's own 3 do not exist
  val restart = slow ? (refillRestart - 3) | U(0, 3 bits)
  data.write(indexOf(f2Pc), arrival.data, arrival.valid && !arrival.error)
  tags.write(indexOf(f2Pc), tagOf(f2Pc), arrival.valid && !arrival.error)
  when(arrival.valid) {
    reason := Owner.refillRestart
    missed := True
    when(arrival.error) {
      failed := True // F2 passes it on as it is
    } otherwise {
      valids(indexOf(f2Pc)) := True
      f1Pc := f2Pc // read it again: F1, F2, then D, which is a restart of 3
      f1Wait := ideal ? U(0, 3 bits) | restart
      f2Valid := False
    }
    // The next block of the same 8-KB page follows when the restart is over.
    stream.valid := False
    val next = blockOf(f2Pc) + 1
    when(prefetchOn && !ideal && next(12 - offsetBits downto 0) =/= 0) {
      stream.wanted := True
      stream.block := next
      stream.delay := (slow ? refillRestart | U(3, 3 bits)) - 1
    }
  }

  val holding = RegInit(False)
  hold := holding
  holding := ideal && f2Miss && !(redirect.valid && tick)
  when(ideal && holding && !tick && !f2Valid) { holding := True } // re-reading

  when(redirect.valid) {
    f1Pc := redirect.pc
    f1Wait := redirect.payload.delay
    f2Valid := False
    dValid := False
    missed := False
    failed := False
    reason := redirect.exception ? Owner.exception | Owner.takenBubble
  }
  when(flush) {
    valids := 0
    stream.valid := False
    stream.wanted := False
    when(stream.busy) { stream.stale := !port.prefetchRsp.valid; stream.valid := False }
    when(demandBusy) { demandStale := !port.demandRsp.valid }
  }

  quiet := !stream.wanted && !stream.busy && !demandBusy
  // As if the instruction had just been looked up in vain: its miss begins in the next tick.
  when(coldStart) {
    dValid := False
    f2Valid := True
    f2Pc := dFetched.pc
    f2LineValid := False
    due := True
    valids := 0
    stream.valid := False
  }

  val first = serving && !RegNext(serving && !arrival.valid, False).setName("servingBefore")
  missEvent := first
  missAddress := f2Pc.resized
  streamEvent := first && (inStream || awaited)
  emptyOwner := reason
  when(serving && !arrival.valid) { emptyOwner := awaited ? Owner.iStream | Owner.iDemand }
  when(serving && arrival.valid) { emptyOwner := Owner.refillRestart }
}
