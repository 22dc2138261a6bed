// SPDX-License-Identifier: BSD-2-Clause
package mcpi.counters

import spinal.core._

/** Who a tick belongs to: exactly one of these, decided at issue (sources/ev4.md 4.3).
  *
  * The order is the order of the counters; `Owner.names` is what `result.json` prints.
  */
object Owner extends SpinalEnum(binarySequential) {
  val issue = newElement("issue") // an instruction was issued (and will retire)
  // nothing to issue
  val iDemand = newElement("i_demand") // I-cache miss that goes to the b-cache or to memory
  val iStream = newElement("i_stream") // I-cache miss that the stream buffer has or awaits
  val refillRestart = newElement("refill_restart") // the block is there, the front end restarts
  val takenBubble = newElement("taken_bubble") // a taken branch or jump
  val mispredict = newElement("mispredict") // ev4 mode only
  val exception = newElement("exception") // trap, interrupt or PAL entry
  // the oldest instruction is blocked
  val loadUse = newElement("load_use") // a load that hit is not there yet
  val dMiss = newElement("d_miss") // a load that missed is not there yet
  val shift = newElement("shift") // shift, byte manipulation, conditional move
  val compare = newElement("compare")
  val agen = newElement("agen") // add or logical feeding an address
  val multiply = newElement("multiply")
  val memoryPort = newElement("memory_port") // an earlier load miss holds the memory port
  val writeBufferFull = newElement("write_buffer_full")
  val barrier = newElement("barrier") // MB, WMB, locks, IMB
  val io = newElement("io") // uncached read or write
  val translation = newElement("translation") // a refill's waiting
  val idle = newElement("idle") // wait for interrupt, or halted

  /** snake_case names in counter order. */
  val names: Seq[String] = elements.toSeq.map(_.getName())

  /** On a machine of coherent cores `bus_wait` is one more, last before `idle`: a tick of one of
    * these whose request waits for the bus (`CoherentEvents.busWait`).
    */
  val ofMemory: Seq[Owner.E] = Seq(iDemand, iStream, dMiss, memoryPort, writeBufferFull, barrier)
  val coherentNames: Seq[String] = (names.init :+ "bus_wait") :+ names.last
  def waitsForMemory(owner: Owner.C): Bool = ofMemory.map(owner === _).reduce(_ || _)
}
