// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import spinal.core._

/** Where the fetch unit has what comes late in its tick: the prediction of the instruction in D,
  * the block that a miss waits for, and what a miss wants of the bus.
  */
abstract class FetchTiming(f: FetchUnit) extends Area {

  /** Sets `follow`, `target`, and what holds a tick for them. */
  def predict(): Unit

  /** With ideal memory a miss counts in this clock. */
  def betweenTicks: Bool

  /** Sets `arrival`. */
  def arrive(): Unit

  /** Sets `demands` and the request of the bus. */
  def demand(): Unit

  protected def isIdle: Bool = !f.stream.has && !f.stream.awaited && !f.demandBusy
}
