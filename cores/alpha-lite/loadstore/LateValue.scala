// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import mcpi.bus.{EveryClock, Timing}
import spinal.core._

/** The value of a load that missed, of an I/O access or of STx_C, before its tick: its answer is
  * there before the tick, which is withheld for a clock. In that clock the value goes into the
  * register file. The end of a store's fill has the same clock, and no value.
  */
class LateValue(u: LoadStore) extends Area {
  import u.{arbiter, c, ioAnswers, isIo, job, places, sent, tick, valueComes, verdictRipe, waiting}
  val valueReady, ioReady = EveryClock(RegInit(False))
  val coming = valueComes(ioReady, verdictRipe)
  // An I/O access is listened to for a clock after each tick: its answer comes late in a clock.
  val ioHeard = EveryClock(RegInit(False))
  ioHeard := isIo && sent && !tick
  ioReady := ioAnswers && !tick
  valueReady := coming && !tick
  places := coming && !valueReady
  Timing.agree(tick, valueReady, coming, "a late value does not stand before its tick")

  // With a write-back D-cache.
  private def storeEnds = arbiter.loadDone && job.store
  val storeEnded = c.writeBack generate EveryClock(RegNext(storeEnds && !tick) init False)
  if (c.writeBack) Timing.agree(tick, storeEnded, storeEnds, "a store's fill ends late")

  /** The value comes, in its tick. */
  def comes: Bool = valueReady

  /** The device has answered, if this clock is a tick. */
  def ioAnswered: Bool = ioReady

  /** The fill ends in this clock, if that is a tick. */
  def fillEnds: Bool =
    if (c.writeBack) valueReady && waiting || storeEnded else valueReady && waiting

  /** No tick in the next clock, for a device's answer or a store's block. */
  def listens: Bool = {
    val io = isIo && sent && !ioHeard
    if (c.writeBack) io || storeEnds && !storeEnded else io
  }
}
