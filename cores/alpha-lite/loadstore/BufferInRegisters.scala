// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import mcpi.bus.{EveryClock, Timing}
import spinal.core._

/** Registers for what comes late in the write buffer: which entry takes a store, and the data. The
  * data are in block RAM, written a clock later, as they come from a register then. `Lookup` keeps
  * which entry takes the store, and whether a load's block has one.
  */
class BufferInRegisters(b: WriteBuffer) extends Area {
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

  def read(bank: Mem[Bits]): Bits = EveryClock(bank.readSync(candidate))

  def end(): Unit = {
    takers := B((0 until n).map(mayMerge))
    mayTake := on && takers.orR || !full
    stale := writes.orR || clockEnabled && (store.fire || cmd.ready || cancel)
    reads := stale && mayLeave && (isAtLeast || rested || !on || drain || matched)
    sendsOnceRead := mayGo && isDue
    val where = if (c.fewBlocks) "distributed" else "block"
    banks.foreach(_.addAttribute("no_rw_check").addAttribute("ram_style", where))
    val right = block(_.readAsync(candidate))
    Timing.agree(clockEnabled && cmd.ready, cmd.data, right, "a block goes out before it is read")
  }
}
