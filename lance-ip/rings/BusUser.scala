// SPDX-License-Identifier: BSD-2-Clause
package mcpi.lance

import mcpi.bus.NextEvent
import spinal.core._

/** One bus access at a time for a state machine: call `read`, `write` or `burst` in a state, every
  * tick it is there; the body runs in the tick the access is done.
  */
class BusUser(bus: BusClient, halt: Bool) extends Area {
  val waiting = Reg(Bool()) init False

  bus.cmd.valid := False
  bus.cmd.kind := BusKind.readWord
  bus.cmd.address := 0
  bus.cmd.bytes := 2
  bus.cmd.word := 0
  when(bus.cmd.fire)(waiting := True)
  when(bus.done || halt)(waiting := False)

  private def access(kind: BusKind.E, address: UInt)(whenDone: => Unit): Unit = {
    bus.cmd.valid := !waiting
    bus.cmd.kind := kind
    bus.cmd.address := address
    when(bus.done)(whenDone)
  }

  /** The word at `address`; it is in `bus.word` when done. */
  def read(address: UInt)(whenDone: => Unit): Unit = access(BusKind.readWord, address)(whenDone)

  def write(address: UInt, word: Bits)(whenDone: => Unit): Unit = {
    access(BusKind.writeWord, address)(whenDone)
    bus.cmd.word := word
  }

  def burst(kind: BusKind.E, address: UInt, bytes: UInt)(whenDone: => Unit): Unit = {
    access(kind, address)(whenDone)
    bus.cmd.bytes := bytes
  }
}

/** Ticks to go: `load` it, it counts down by itself; `over` a load of n comes n ticks later.
  *
  * @param skip ticks that this one stands for beside itself, fewer than `left`
  */
class TicksToGo(width: Int, skip: UInt) extends Area {
  val left = Reg(UInt(width bits)) init 0
  val over = left === 0
  when(!over)(left := left - 1 - skip.resize(width))
  def nextEvent: UInt = NextEvent.counter(left)
  def load(ticks: UInt): Unit = left := Mux(ticks === 0, left.getZero, ticks - 1)
}
