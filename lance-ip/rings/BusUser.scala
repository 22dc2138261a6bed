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

/** Where a buffer's bytes go, or come from, next: `left` of them from `address` on. The next burst
  * has `bytes`, to the end of the 16-byte piece or, if it `isLast`, of the buffer. Made in the tick
  * `take` is called; until then they stand.
  *
  * @param at what a `take` in this tick takes, and how much: one place, one comparison
  */
class BufferPlan(at: UInt, length: UInt) extends Area {
  val address = Reg(UInt(24 bits))
  val left = Reg(UInt(13 bits))
  val bytes = Reg(UInt(5 bits)) init 0
  val isLast = Reg(Bool())

  val room = U(16, 5 bits) - at(3 downto 0)
  val fits = length <= room
  val planned = Mux(fits, length.resize(5), room)
  val takes = False
  when(takes) {
    address := at
    left := length
    bytes := planned
    isLast := fits
  }
  def take(): Unit = takes := True

  /** Behind the next burst. */
  def addressBehind: UInt = (address(23 downto 4) + 1) @@ U"0000"
  def leftBehind: UInt = left - bytes
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
