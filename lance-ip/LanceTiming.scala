// SPDX-License-Identifier: BSD-2-Clause
package mcpi.lance

import spinal.core._

/** The chip's times in ticks, as run-time inputs (sources/lance.md 2); names as in the machine file
  * (`lance.<name>_ns`). Zero means "as fast as the logic goes".
  */
case class LanceTiming() extends Bundle {
  val poll = UInt(21 bits) // between two looks at an unowned descriptor
  val word = UInt(11 bits) // bus ownership per 16-bit word
  val gap = UInt(11 bits) // release of the bus to the next request
  val arbitration = UInt(11 bits) // request to first data, TURBOchannel included
  val csr = UInt(11 bits) // a write of CSR0 reaches the chip
  val demand = UInt(11 bits) // transmit demand is noticed
  val setup = UInt(11 bits) // descriptor read to first burst
  val start = UInt(11 bits) // threshold reached to first preamble bit
  val heartbeat = UInt(11 bits) // heartbeat window after the last bit
  val status = UInt(11 bits) // before the status write-back
  val interrupt = UInt(11 bits) // status written back to interrupt
  val transmitThreshold = UInt(6 bits) // bytes in the silo before the preamble starts
}

/** Strobes of one tick, for tick-stamped events. */
case class LanceEvents() extends Bundle {
  val demand = Bool() // hand-over: the tick in which TDMD is written into CSR0
  val firstBit = Bool() // first preamble bit leaves
  val lastBit = Bool() // the tick after the last bit
  val received = Bool() // the tick after the last bit of an accepted frame
  val interrupt = Bool() // the interrupt line rises
}

/** Strobes and levels of a tick, for a simulator that logs the chip's steps. */
case class LanceSteps() extends Bundle {
  val demand = Bool() // TDMD is on its way into CSR0
  val begins, ends = Bool() // a bus ownership: its first tick, its last
  val single, write = Bool() // of the one that ends: a word, not a burst; into memory
  val moves = Bool() // the wiring is asked to move its data
  val interrupt = Bool() // the interrupt line rises
}
