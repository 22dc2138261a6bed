// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import mcpi.bus.{IoBus, LockPort, MemoryBus, NextEvent}
import mcpi.counters.{Owner, RetirePort}
import spinal.core._
import spinal.lib._

/** The processor: an in-order, single-issue Alpha of the EV4's integer set.
  *
  * Stages F1 F2 (FetchUnit), D, E1, E2, E3, W. Every interlock is decided in D, so every tick has
  * one owner there, and the ticks owned by `issue` are the instructions that retire. Time passes
  * in clocks with `tick`; `docs/explanation/core.md` has the drawing and the table of stalls.
  */
class AlphaLite(c: AlphaLiteConfig) extends Component {
  val tick = in Bool () // this clock is a tick of virtual time
  val skip = c.skips generate (in UInt (NextEvent.width bits)) // ticks it stands for besides itself
  val nextEvent = c.skips generate (out UInt (NextEvent.width bits))
  val run = in Bool () // false: held in reset state
  val hold = out Bool () // the next clock gets no tick
  val idealActive = out Bool () // ideal memory has an access under way, while `hold` is high
  val halted = out Bool ()
  val interrupts = in Bits (c.interrupts bits) // levels, as in HIRR
  val takenPenalty, refillRestart = in UInt (3 bits) // ticks
  val ev4 = in Bool () // branches are predicted; else paper mode, `takenPenalty` for each taken
  val predictedPenalty, mispredictPenalty = in UInt (3 bits) // ticks, in ev4 mode
  val prefetch, ideal = in Bool ()
  val iCacheOn, dCacheOn, writeBufferOn = in Bool () // on
  val drainAt = in UInt (3 bits) // entries
  val idleTicks = in UInt (10 bits)
  val memory = master(MemoryBus(c.bus))
  val locks = c.isCoherent generate master(LockPort())
  // The private cache's request for this core is raised and not granted in this tick.
  val busWaits = c.isCoherent generate (in Bool ())
  val io = master(IoBus())
  val retire = c.retirePort generate master(RetirePort())
  val events = master(c.events)
  val refillFloor = c.translates generate (in UInt (10 bits)) // ticks
  // The I-cache's way of `events.issuePc`, or of what has missed.
  val iWay = c.hasWays generate (out UInt (log2Up(c.iWays) bits))
  val coldPc = slave(Flow(UInt(c.bus.addressWidth bits))) // start cold before this instruction

  // Reset works without ticks; copies, so that SpinalHDL knows them as the same clock.
  private def domain(enable: Bool) =
    clockDomain.copy(reset = coreReset, clockEnable = enable || coreReset)
  val coreReset = clockDomain.readResetWire || !run
  val fetchMoves, busMoves = Bool()
  private val ticks = domain(tick)
  private val fetchTicks = domain(fetchMoves)
  private val busTicks = domain(busMoves)

  private val skipped = if (c.skips) skip else NextEvent.now

  val fetch = fetchTicks(new FetchUnit(c))
  val loadStore = busTicks(new LoadStore(c))
  fetchMoves := tick || fetch.hold && ideal
  // With ideal memory, in the clocks that memory takes; not in a second clock of the core's own.
  busMoves := tick || ideal && idealActive
  loadStore.memory <> memory
  if (c.isCoherent) loadStore.shared <> locks
  loadStore.io <> io
  loadStore.fetch <> fetch.port
  loadStore.tick := tick
  loadStore.skip := skipped
  loadStore.ideal := ideal
  loadStore.drainAt := drainAt
  loadStore.idleTicks := idleTicks
  loadStore.cacheOn := dCacheOn
  loadStore.bufferOn := writeBufferOn
  fetch.tick := tick
  fetch.ideal := ideal
  fetch.prefetchOn := prefetch
  fetch.cacheOn := iCacheOn
  fetch.refillRestart := refillRestart
  fetch.ev4 := ev4
  fetch.predictedPenalty := predictedPenalty

  val pipeline = ticks(new Pipeline(c))
  pipeline.tick := tick
  pipeline.skip := skipped
  pipeline.fetched << fetch.fetched
  pipeline.emptyOwner := fetch.emptyOwner
  pipeline.prediction := fetch.prediction
  pipeline.next := fetch.next
  pipeline.ev4 := ev4
  pipeline.redirectPenalty := ev4 ? mispredictPenalty | takenPenalty
  fetch.predictionControl := pipeline.predictionControl
  pipeline.interrupts := interrupts
  // While `fetch.hold` it moves without a tick, else in ticks alone.
  private def inTicks(what: Bool) = what && !fetch.hold
  fetch.consume := inTicks(pipeline.consume)
  fetch.killed := pipeline.killed
  fetch.flush := inTicks(pipeline.flush)
  fetch.branching := pipeline.branching
  fetch.revoked := pipeline.revokes
  fetch.mispredicted := inTicks(pipeline.mispredicted)
  pipeline.demanding := fetch.demanding
  pipeline.mayDemand := fetch.mayDemand
  if (c.hasWays) {
    fetch.used := pipeline.issues && tick
    iWay := fetch.way
  }
  hold := fetch.hold || loadStore.hold || pipeline.hold || fetch.settleHold
  loadStore.busMayTurn := fetch.settleHold || pipeline.decoding
  loadStore.idealClock := idealActive
  idealActive := fetch.hold || loadStore.idealActive
  fetch.redirect.valid := inTicks(pipeline.redirect.valid)
  fetch.redirect.payload := pipeline.redirect.payload
  pipeline.loadStore.connect(loadStore)
  halted := pipeline.halted
  fetch.coldPc << coldPc
  fetch.coldStart := inTicks(pipeline.coldStart)
  pipeline.frontQuiet := fetch.quiet
  if (c.translates) {
    fetch.space <> pipeline.space
    pipeline.fetchRefused := fetch.refused && !pipeline.branching
    pipeline.refillFloor := refillFloor
  }
  loadStore.flush := pipeline.coldStart
  if (c.skips) {
    nextEvent := NextEvent.first(
      NextEvent.when(!pipeline.resting || !fetch.resting),
      loadStore.nextEvent
    )
  }
  if (c.retirePort) retire <> pipeline.retire

  events.allowOverride()
  events := pipeline.events
  private def delayed[T <: Data](what: T) = ticks(RegNext(what))
  events.iMiss := delayed(fetch.missEvent)
  events.iStreamHit := delayed(fetch.streamEvent)
  events.iMissAddress := delayed(fetch.missAddress)
  if (c.translates) events.iMissPc := delayed(fetch.missPc)
  events.dMissAddress := delayed(loadStore.missAddress)
  events.dAccess := delayed(loadStore.loadEvent)
  events.dMiss := delayed(loadStore.missEvent)
  if (c.writeBack) events.storeMiss := delayed(loadStore.storeMissEvent)
  if (c.hasIVictims) events.iVictimHit := delayed(fetch.victimEvent)
  if (c.hasDVictims) events.dVictimHit := delayed(loadStore.victimEvent)
  if (c.isCoherent) {
    events.coherent.busWait := delayed(busWaits) && Owner.waitsForMemory(events.owner)
    events.coherent.linked := delayed(loadStore.linkedEvent)
    events.coherent.buffered := delayed(loadStore.bufferedEvent)
    events.coherent.conditional := delayed(loadStore.decidedEvent)
    events.coherent.failed := delayed(loadStore.failedEvent)
    events.coherent.dropped := delayed(loadStore.droppedEvent)
  }
  events.writeAccess := delayed(loadStore.storeEvent)
  events.writeMerge := delayed(loadStore.mergeEvent)
}
