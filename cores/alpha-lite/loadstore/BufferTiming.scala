// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import mcpi.bus.EveryClock
import spinal.core._

/** Where the write buffer has what comes late: which entry takes a store, and the data. */
abstract class BufferTiming(b: WriteBuffer) extends Area {

  /** The next entry goes out, if no load and no redirection is in E1. */
  def willGo: Bool

  /** Entry `i` takes the store. */
  def takes(i: Int): Bool

  /** A word or a place for the data's write, which has the data of the store. */
  def written[T <: Data](what: T): T
  def read(bank: Mem[Bits]): Bits

  /** The data of the next entry are read. */
  def isRead: Bool

  /** Connects what is of this kind alone. */
  def end(): Unit
}

/** All in its tick; the data are in registers. */
class BufferByGates(b: WriteBuffer) extends BufferTiming(b) {
  def willGo: Bool = b.sends
  def takes(i: Int): Bool = b.mayMerge(i)
  def written[T <: Data](what: T): T = what
  def read(bank: Mem[Bits]): Bits = bank.readAsync(b.candidate)
  def isRead: Bool = True
  def end(): Unit = {}
}

/** The data are in block RAM, written a clock later, as they come from a register then. `Lookup`
  * keeps which entry takes the store, and whether a load's block has one.
  */
class BufferInRegisters(b: WriteBuffer) extends BufferTiming(b) {
  import b._
  val takers = out(Bits(n bits))
  val mayTake = out(Bool()) // `store.ready`, by `takers`
  val sendsOnceRead = out(Bool()) // `sends`, once the entry is read
  val taker = in(Bits(n bits))
  val matched = in(Bool())
  val mayLeave = in(Bool()) // the bus is free, for an entry or another
  val reads = out(Bool()) // no tick in the next clock: the next entry is being read
  // The entry that may go out is not read yet: it has been written in the clock before, or is
  // another one.
  val stale = EveryClock(RegInit(False))

  def willGo: Bool = sendsOnceRead
  def takes(i: Int): Bool = taker(i)
  def written[T <: Data](what: T): T = EveryClock(RegNext(what))
  def read(bank: Mem[Bits]): Bits = EveryClock(bank.readSync(candidate))
  def isRead: Bool = !stale

  def end(): Unit = {
    takers := B((0 until n).map(mayMerge))
    mayTake := on && takers.orR || !full
    stale := writes.orR || clockEnabled && (store.fire || cmd.ready || cancel)
    reads := stale && mayLeave && (isAtLeast || rested || !on || drain || matched)
    sendsOnceRead := mayGo && isDue
    val where = if (c.fewBlocks) "distributed" else "block"
    banks.foreach(_.addAttribute("no_rw_check").addAttribute("ram_style", where))
    val right = block(_.readAsync(candidate))
    c.timing.agree(clockEnabled && cmd.ready, cmd.data, right, "a block goes out before it is read")
  }
}
