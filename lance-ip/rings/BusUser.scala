// SPDX-License-Identifier: BSD-2-Clause
package mcpi.lance

import mcpi.bus.NextEvent
import spinal.core._

/** One bus access at a time for a state machine: call `read`, `write` or `burst` in a state, every
  * tick it is there; the body runs in the tick the access is done.
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

  private def access(kind: BusKind.E)(whenDone: => Unit): Unit = {
    bus.cmd.valid := !waiting
    bus.cmd.kind := kind
    when(bus.done)(whenDone)
  }

  /** The descriptor's word at byte `offset`; it is in `bus.word` when done. */
  def read(offset: Int)(whenDone: => Unit): Unit = {
    access(BusKind.readWord)(whenDone)
    bus.cmd.address(2 downto 0) := offset
  }

  def write(offset: Int, word: Bits)(whenDone: => Unit): Unit = {
    access(BusKind.writeWord)(whenDone)
    bus.cmd.address(2 downto 0) := offset
    bus.cmd.word := word
  }

  def burst(kind: BusKind.E, address: UInt, bytes: UInt)(whenDone: => Unit): Unit = {
    access(kind)(whenDone)
    bus.cmd.address := address
    bus.cmd.bytes := bytes
  }
}

/** The next burst of a buffer of which `left` bytes remain, from a place `offset` bytes into a
  * 16-byte piece on: to the piece's end, or the buffer's.
  */
object BurstPlan {
  private def room(offset: UInt): UInt = U(16, 5 bits) - offset
  def isLast(left: UInt, offset: UInt): Bool = left <= room(offset)
  def bytes(left: UInt, offset: UInt): UInt =
    Mux(isLast(left, offset), left.resize(5), room(offset))
}

/** Ticks to go: `load` it, it counts down by itself; `over` a load of n comes n ticks later.
  *
  * It stops at one, or at zero if it was loaded so: what is loaded needs no arithmetic.
  *
  * @param skip ticks that this one stands for beside itself, fewer than are left
  */
class TicksToGo(width: Int, skip: UInt) extends Area {
  val left = Reg(UInt(width bits)) init 0
  val over = (left >> 1) === 0
  when(!over)(left := left - 1 - skip.resize(width))
  def nextEvent: UInt = over ? NextEvent.never | NextEvent.in(left - 1)
  def load(ticks: UInt): Unit = left := ticks
}
