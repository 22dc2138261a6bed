// SPDX-License-Identifier: BSD-2-Clause
package mcpi.counters

import spinal.core._

/** Who a tick belongs to: exactly one of these, decided at issue (facts/ev4.md 4.3).
  *
  * The order is the order of the counters; `Owner.names` is what `result.json` prints.
  */
object Owner extends SpinalEnum(binarySequential) {
  val issue = newElement() // an instruction was issued (and will retire)
  // nothing to issue
  val iDemand = newElement() // I-cache miss that goes to the b-cache or to memory
  val iStream = newElement() // I-cache miss that the stream buffer has or awaits
  val refillRestart = newElement() // the block is there, the front end restarts
  val takenBubble = newElement() // a taken branch or jump
  val mispredict = newElement() // ev4 mode only
  val exception = newElement() // trap, interrupt or PAL entry
  // the oldest instruction is blocked
  val loadUse = newElement() // a load that hit is not there yet
  val dMiss = newElement() // a load that missed is not there yet
  val shift = newElement() // shift, byte manipulation, conditional move
  val compare = newElement()
  val agen = newElement() // add or logical feeding an address
  val multiply = newElement()
  val memoryPort = newElement() // an earlier load miss holds the memory port
  val writeBufferFull = newElement()
  val barrier = newElement() // MB, WMB, locks, IMB
  val io = newElement() // uncached read or write
  val translation = newElement() // TLB; no such stage yet
  val idle = newElement() // wait for interrupt, or halted

  /** snake_case names in counter order. */
  val names: Seq[String] = elements.toSeq.map(
    _.getName().flatMap(c => if (c.isUpper) s"_${c.toLower}" else c.toString)
  )
}
