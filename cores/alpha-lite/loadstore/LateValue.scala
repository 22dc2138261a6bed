// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import mcpi.bus.EveryClock
import spinal.core._

/** The value of a load that missed, of an I/O access or of STx_C, before its tick: its answer is
  * there before the tick, which is withheld for a clock. In that clock the value goes into the
  * register file.
  */
class LateValue(u: LoadStore) extends Area {
  import u.{c, ioAnswers, isIo, places, sent, tick, valueComes, verdictRipe}
  val valueReady, ioReady = EveryClock(RegInit(False))
  val coming = valueComes(ioReady, verdictRipe)
  // An I/O access is listened to for a clock after each tick: its answer comes late in a clock.
  val ioHeard = EveryClock(RegInit(False))
  ioHeard := isIo && sent && !tick
  ioReady := ioAnswers && !tick
  valueReady := coming && !tick
  places := coming && !valueReady
  c.timing.agree(tick, valueReady, coming, "a late value does not stand before its tick")

  /** No tick in the next clock, for a device's answer. */
  def listens: Bool = isIo && sent && !ioHeard
}
