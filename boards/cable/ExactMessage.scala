// SPDX-License-Identifier: BSD-2-Clause
package mcpi.boards

import mcpi.lance.LanceConfig
import mcpi.machine.Machine
import spinal.core._

/* Exact time over an ordinary cable: docs/explanation/exact-time.md has the protocol, its promises
 * and their proof. Each message says what one board's controller has sent so far, and promises from
 * when on something new may arrive. */

/** Sizes of exact time, and the modelled wire's times in ticks. */
case class ExactConfig(
    nibble: Int = 70,
    delay: Int = 9,
    patience: Int = 24, // clocks, as a power of two
    first: Int = 30 // likewise, until the first message
) {
  require(nibble >= ExactConfig.least, s"exact time: $nibble ticks a nibble are too few")
  def lookahead: Int = nibble + delay
}

object ExactConfig {
  val least = 7 // ticks a nibble
  def apply(machine: Machine): ExactConfig = ExactConfig(LanceConfig(machine).ticksPerNibble)

  /** Sizes for a machine; none in real time, where the cable is its wire, nor for fewer ticks. */
  def of(machine: Machine): Option[ExactConfig] =
    if (machine.realTime || LanceConfig(machine).ticksPerNibble < least) None
    else Some(ExactConfig(machine))
}

object ExactMessage {
  val kind = 0xe1
  val headBytes = 18
  val next = 0x0 // high halves of the stream's bytes
  val first = 0x1
  val end = 0x2
  val timeBits = 48
  val timeBytes = timeBits / 8
  val placeBits = 32
  val windowBits = 8 // of the stream that may be on its way: 2 to this
  val window = 240 // bytes not acknowledged with which a node goes on
  val storeBits = 9 // of bytes that wait for their tick
}

/** Fields of a message, as they follow one another. */
case class ExactHead() extends Bundle {
  val kind = Bits(8 bits)
  val session = Bits(16 bits)
  val acknowledged, start = UInt(ExactMessage.placeBits bits)
  val promise = UInt(ExactMessage.timeBits bits)
  val count = UInt(8 bits)
  require(getBitsWidth == 8 * ExactMessage.headBytes)
}

/** Errors that end a run. */
case class ExactFaults() extends Bundle {
  val silent, stalled, broken = Bool()
}
