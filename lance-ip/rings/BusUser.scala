// SPDX-License-Identifier: BSD-2-Clause
package mcpi.lance

import mcpi.bus.NextEvent
import spinal.core._

/** Bus accesses of a state machine, one at a time: call `read`, `write` or `burst` in a state,
  * every tick it is there; the body runs in the tick the access is done. What is asked for depends
  * on the state alone, only whether on more: `burst` is called outside of the conditions of
  * `start`.
  *
  * @param descriptor address of the descriptor whose words are read and written
  */
class BusUser(bus: BusClient, halt: Bool, descriptor: UInt) extends Area {
  val waiting = Reg(Bool()) init False

  bus.cmd.valid := False
  bus.cmd.kind := BusKind.readWord
  bus.cmd.address := descriptor
  bus.cmd.bytes := 2
  bus.cmd.word := 0
  when(bus.cmd.fire)(waiting := True)
  when(bus.done || halt)(waiting := False)

  def start(whenDone: => Unit): Unit = {
    bus.cmd.valid := !waiting
    when(bus.done)(whenDone)
  }

  /** The descriptor's word at byte `offset`; it is in `bus.word` when done. */
  def read(offset: Int)(whenDone: => Unit): Unit = {
    start(whenDone)
    bus.cmd.kind := BusKind.readWord
    bus.cmd.address(2 downto 0) := offset
  }

  def write(offset: Int, word: Bits)(whenDone: => Unit): Unit = {
    start(whenDone)
    bus.cmd.kind := BusKind.writeWord
    bus.cmd.address(2 downto 0) := offset
    bus.cmd.word := word
  }

  /** Set the access that `start` begins in this state. */
  def burst(kind: BusKind.E, address: UInt, bytes: UInt): Unit = {
    bus.cmd.kind := kind
    bus.cmd.address := address
    bus.cmd.bytes := bytes
  }
}

/** The next burst of a buffer, in registers, thought out while an access is under way: one that
  * reads the buffer's length, or the burst before.
  *
  * An access takes three ticks or more, and the word it reads is there for the last three of them
  * (proof `bus_master`), so both steps are over when it is done.
  *
  * @param lengthWord the descriptor's third word: minus the length in 11:0
  * @param isLength it is that word that is being read, else a burst runs
  * @param offset where in a 16-byte piece the buffer begins
  * @param left of the buffer, the burst that runs included
  * @param bytes of the burst that runs
  */
class BurstPlan(lengthWord: Bits, isLength: Bool, offset: UInt, left: UInt, bytes: UInt)
    extends Area {
  val ofLength = RegNext(isLength) init False
  private val from = Mux(ofLength, U(4096, 13 bits), left)
  private val less = Mux(ofLength, lengthWord(11 downto 0).asUInt, bytes.resize(12))

  /** Bytes of the buffer after this access. */
  val remain = RegNext(from - less)

  /** The next burst goes to the piece's end, or the buffer's. */
  private val room = U(16, 5 bits) - Mux(ofLength, offset, U(0, 4 bits))
  private val ends = (remain >> 5) === 0 && remain(4 downto 0) <= room
  val last = RegNext(ends)
  val some = RegNext(remain =/= 0) // size =/= 0: there is always room
  val size = RegNext(Mux(ends, remain(4 downto 0), room))
}

/** The address of a ring's descriptor, a tick after what it is made of: nobody waits for the sum.
  *
  * @param ahead the next descriptor, else the one at `index`; what is asked for must stand here in
  *   the tick before
  */
class DescriptorAddress(ring: Ring, index: UInt, next: UInt, ahead: Bool) extends Area {
  val address = RegNext(ring.descriptor(Mux(ahead, next, index)))
}

/** Ticks to go: `load` it, it counts down by itself; `over` a load of n comes n ticks later.
  *
  * It stops at one, or at zero if it was loaded so: what is loaded needs no arithmetic.
  *
  * @param skip ticks that this one stands for besides itself, fewer than are left
  */
class TicksToGo(width: Int, skip: UInt) extends Area {
  val left = Reg(UInt(width bits)) init 0
  val over = Reg(Bool()) init True // known a tick ahead
  when(!over)(load(left - 1 - skip.resize(width)))
  def nextEvent: UInt = over ? NextEvent.never | NextEvent.in(left - 1)
  def load(ticks: UInt): Unit = {
    left := ticks
    over := (ticks >> 1) === 0
  }
}
