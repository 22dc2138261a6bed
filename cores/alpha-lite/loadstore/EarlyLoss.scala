// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import mcpi.bus.{EveryClock, Timing}
import spinal.core._

/** The loss of the flag to DMA, before its tick: DMA's block is there before the tick, and is
  * compared in the clock before with the guarded block and with the block that LDx_L of that tick
  * guards.
  */
class EarlyLoss(l: Locks) extends Area {
  import l._
  private val (linked, links) = (isIn(guarded), isDma(address(top downto dmaBits)))
  private def before(what: Bool) = EveryClock(RegNext(what))
  val finds = load ? before(links) | before(linked)
  val found = RegNext(finds)
  private val linked1 = EveryClock(RegNext(load) init False) // the next tick guards another one
  // What STx_C's entry must wait for, but for DMA that ends now: while that entry waits, each
  // tick has a clock without one before it.
  val noTickBefore = EveryClock(RegNext(!tick) init False)
  hold := linked1 || (entered && !noTickBefore)
  val waits, exposed = EveryClock(RegInit(False))
  // DMA does, in this clock if that is a tick: no entry waits in a tick with ideal memory.
  val ends = in Bool ()
  val right = load ? links | linked
  Timing.agree(tick && dma.valid, finds, right, "DMA's block is late for its loss")

  /** STx_C's entry must not go now. */
  def holdsWrite: Bool = waits || (ends && exposed)

  def decide(mustWait: Bool): Unit = {
    waits := waiting && entered && (!good || lost)
    exposed := waiting && entered && isGuarded
    Timing.agree(tick && entered, holdWrite, mustWait, "STx_C's entry waits late")
  }
}
