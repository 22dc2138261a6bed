// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import mcpi.bus.{EveryClock, Timing}
import spinal.core._

/** Registers for what comes late in a tick of the fetch unit: the prediction of the instruction in
  * D, the block that a miss waits for, and what a miss wants of the bus. Hold conditions ask no
  * more than they must, so that a tick is now and then held in vain.
  */
class FetchInRegisters(f: FetchUnit) extends Area {
  import f._
  val idleBus = Bool() // no transaction of the missing block is under way
  val answerHeld = EveryClock(RegNext(missAnswered && !tick) init False)
  val noTickBefore = EveryClock(RegNext(!tick) init False)
  val demandHeld = EveryClock(RegInit(False)) // the demand is a clock old
  val followed, predictionSeen = EveryClock(RegInit(False))

  /** Sets `follow`, `target`, and what holds a tick for them. */
  def predict(): Unit = {
    val likely = ev4 && fresh && dFetched.follows
    val mayFollow = likely && dValid && !turning
    followed := mayFollow && prediction.taken && !tick
    predictionSeen := likely && !tick && !hold
    val mustLook = likely && !predictionSeen || missAnswered && !answerHeld
    val mustSettle = mustLook || mayDemand && lostInD && idleBus && !demandHeld && !noTickBefore
    settleHold := mustSettle
    if (c.translates) { // and for a clock more, in which the demand begins
      val searched = EveryClock(RegNext(itbHolds)) init False
      when(itbHolds || searched) { settleHold := True }
    }
    follow := followed && !turning && !hold
    target := EveryClock(RegNext(prediction.target)) @@ dFetched.pc(1 downto 0)
    Timing.agree(tick, follow, mayFollow && prediction.taken, "a prediction is late")
  }

  /** With ideal memory a miss counts in this clock: from the second on, when E1 has done what it
    * may still do.
    */
  def betweenTicks: Bool = noTickBefore

  /** Sets `arrival`. */
  def arrive(): Unit = {
    stream.demanded := port.demandRsp.valid
    def arrives = stream.has || answerHeld
    arrival.valid := serving && victims.fold(arrives)(_.or(arrives, _.valid))
    arrival.data := victims.fold(stream.data)(_.or(stream.data, _.payload))
    arrival.error := notVictim(!stream.has && stream.error)
    Timing.agree(tick, answerHeld, missAnswered, "a fetch is answered late")
    val demanded = port.demandRsp.valid && !demandStale
    assert(!(tick && demanded) || serving, "an answer that nobody waits for", FAILURE)
  }

  /** Sets `demands` and the request of the bus. */
  def demand(): Unit = {
    mayDemand := missing
    idleBus := !stream.has && !stream.awaited && !demandBusy
    // A block that is a victim asks for nothing, though E1 may still redirect.
    def asks = servable && (idleBus && !answerHeld)
    demands := victims.fold(asks)(it => asks && !(it.cache.has || it.serves))
    port.demandDue := demandHeld && !turning
    port.demand.valid := port.demandDue && (ideal || !branching)
    demandHeld := demands && !(clockEnabled && port.demand.fire)
    Timing.agree(tick, port.demandDue, demands, "a demand is late")
    assert(!port.demand.fire || demands, "a demand is not wanted", FAILURE)
  }
}
