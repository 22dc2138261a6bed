// SPDX-License-Identifier: BSD-2-Clause
package mcpi.boards

import mcpi.lance.LanceConfig
import mcpi.machine.Machine
import spinal.core._

/* Exact time over an ordinary cable: the protocol.
 *
 * Two boards run one virtual time. The modelled wire is between their controllers; the cable only
 * carries messages about it, so the cable's own latency enters no figure. Each message says what
 * one board's controller has sent so far, and promises from when on something new may arrive.
 *
 *   board A                                                       board B
 *  ┌──────┐ strobes ┌────────────┐ stream, promise  ┌───────────┐ strobes ┌──────┐
 *  │ Node ├────────►│ExactStream ├──┐ ┌──────────┐  │ExactPlayer├────────►│ Node │
 *  │      │ outlook │ now, head  ├──┤►│ messages │─►│ limit     │ pause   │      │
 *  │      ├────────►│            │  │ │ (cable)  │  │ taken     ├────────►│      │
 *  │      │         └────────────┘  │ └──────────┘  └─────┬─────┘         │      │
 *  │      │◄──── ExactPlayer ◄── messages ◄── acknowledged ┘ ExactStream ◄─┤      │
 *  └──────┘                                                                └──────┘
 *
 * MESSAGE. Bytes after preamble and delimiter; numbers have their low byte first:
 *
 *   0 kind E1 · 1 session (2) · 3 acknowledged (4) · 7 start (4) · 11 promise (6) · 17 count
 *   18 `count` bytes of the stream, from place `start` on · then the FCS of Ethernet
 *
 *   acknowledged   bytes of the other's stream that are here
 *   promise        nothing arrives at the other before this tick of virtual time, but what lies in
 *                  the stream before start + count
 *
 * STREAM. A controller's strobes: 1n and six bytes: a frame begins with nibble n, which arrives in
 * the tick of the six bytes; 0n: the next nibble, ticksPerNibble later; 20: a strobe without data.
 *
 * SENDING. A board sends a message, and then the next one, as long as it runs. `start` is always
 * what the other has acknowledged, `count` reaches to the end of the stream: everything that is
 * not acknowledged is in every message. There is no time-out, no request to repeat, no order.
 *
 * TAKING. A message counts if its FCS, kind and session are right, start <= taken, and its new
 * bytes find room. Then, in one step: taken = max(taken, start + count); limit = max(limit,
 * promise). `acknowledged` counts likewise. Otherwise nothing changes.
 *
 * TIME. A board passes tick t only if t < limit, and its stream has room.
 *
 * PROMISE. In a frame: the arrival of the next strobe. Otherwise now + outlook + lookahead:
 * `lookahead` is a nibble and the wire's delay (Line::lookahead), `outlook` ticks from the
 * controller's state to its next first bit at the earliest (SendOutlook). With A = 1 + arbitration
 * + word + gap for an access, S = setup + A, F = 1 + start, the least that the tables of
 * docs/data/lance-ticks.csv leave:
 *
 *   state of the transmitter                           outlook        dec3000-600
 *   idle; frame ended, status to write                   3A + S + F         2,278
 *   descriptor to give back unsent                       3A + S + F         2,278
 *   reads OWN; address; length              2A + S + F; A + S + F; S + F   1,840 1,402 964
 *   setup, n ticks to go                              n + A - 1 + F         613 + n
 *   fills the silo                                               F           176
 *   start, n ticks to go                                         n             n
 *   sends                                                        0             0
 *
 * The table uses no access under way, no buffer's length and no threshold: a frame may have one
 * byte. Nor does it use the time in which the chip notices TDMD: after STOP and STRT the first poll
 * may come at once, so that a promise of 3A + S + F + demand would be broken. With `lance.profile =
 * ideal` A = 5 and the outlook is 23 ticks at most: the same proofs hold, and a pair waits for
 * messages most of the time. So it does while both nodes send at once, as a promise in a frame
 * reaches to the next strobe only. Exact time refuses `link.mbps` with fewer than seven ticks a
 * nibble; the host is to refuse half duplex, faults of the wire and several cores, by name.
 *
 * BEGINNING. Both hosts write the same `session`, another one in each run, before `run`. Tick 0 is
 * the agreed tick: limit is 0, so no board passes it before the first message of this session.
 * Messages of an earlier run have another session.
 *
 * SAFETY. Claim: what a node gets in a tick is what the wire alone would bring.
 * 1. A promise holds: a strobe that is not in the stream when a message is made arrives at its
 *    promise or later. In a frame strobes are ticksPerNibble apart. Outside, the first bit comes
 *    no earlier than outlook says (proof `outlook`), and arrives `lookahead` later or more. The
 *    message is made only when every strobe of a passed tick is in the stream (`settled`).
 * 2. After each step of TAKING, all strobes that arrive before `limit` are among the first `taken`
 *    bytes. For the message that counts brings its own limit together with all bytes up to its
 *    end: those before `start` were here. A larger limit of an older message keeps its bytes.
 * 3. A node passes tick t only if t < limit (proof `exact_pace`). By 2 it has each strobe of t.
 * 4. Nodes are deterministic, so by induction over virtual time both do what they do on the wire.
 * Loss, repetition, delay, order and damage of messages change only when a step of TAKING is.
 *
 * PROGRESS. If messages pass now and then, no node waits for ever. Let A's time be the smaller
 * one, or equal. B's promise is B's now + lookahead or more, so larger than A's now; it stays while
 * B waits. B's next message that arrives brings it, if its bytes find room: bytes that wait at A
 * lie before A's limit, so while A is not at its limit it passes ticks and makes room, and a limit
 * that is A's now has no byte before it. A's full stream is acknowledged by the same message. So A
 * passes a tick, and then the one of both that is behind does.
 *
 * ERRORS that end a run: `silent` (no message for `patience` clocks while the node waits),
 * `stalled` (messages, but no tick, for that long), `broken` (a strobe came after its tick: the
 * other board's promise was wrong, or its session is ours by mistake). Time stands after an error.
 */

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
