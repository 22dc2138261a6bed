// SPDX-License-Identifier: BSD-2-Clause
package mcpi.counters

import mcpi.bus.NextEvent
import spinal.core._
import spinal.lib._

/** Events of one clock, in this order: the copy, the comparators, the tick, the clear. */
case class WindowEntry(comparators: Int, skips: Boolean) extends Bundle {
  val copy, clear = Bool()
  val fired = Bits(comparators bits) // of further windows
  val tick, counts = Bool() // there was one; it counts, and so do invocations
  val path = Bool() // it belongs to the path's window
  val owner = UInt(5 bits)
  val skipped = if (skips) UInt(NextEvent.width bits) else null // further ticks like it
}

/** Reads the table's copy; the value is there one clock later. */
case class CellRead() extends Bundle with IMasterSlave {
  val cell = UInt(WindowTable.cellBits bits)
  val enable = Bool()
  val value = UInt(64 bits)
  override def asMaster(): Unit = { out(cell, enable); in(value) }
}

object WindowTable {
  private val ownerBits = 5
  val owners = 1 << ownerBits // cells of a set
  val sets = 1 << WindowNames.all.length
  val cellBits = log2Up(sets) + ownerBits

  def cell(set: Int, owner: Int): Int = set * owners + owner

  /** Where the invocations of further window `name` are: a cell that no owner has. */
  def invocations(name: String): Int = cell(1 << WindowNames.all.indexOf(name), owners - 1)
  require(Owner.elements.length < owners)
}

/** Ticks by owner and by the set of windows that were open, and invocations of further windows
  * (counters.md).
  *
  * A queue lets comparators that fire at one instruction be looked at one after the other, a clock
  * each; `hold` keeps it from running over. It also keeps copies and clears in order with ticks:
  * the table is swept for them, a cell a clock.
  *
  * Whatever comes from the queue is an order to the pipe: read a cell, add, write it back.
  */
class WindowTable(comparators: Int, skips: Boolean, events: Boolean) extends Component {
  import WindowTable._
  private val depth = 16
  private val fullEnough = 8 // events of three clocks may still come after `hold`
  private val further = WindowNames.further.length
  val io = new Bundle {
    val comparators = in(Comparators(WindowTable.this.comparators, events))
    val entry = slave(Flow(WindowEntry(WindowTable.this.comparators, skips)))
    val read = slave(CellRead())
    val hold = out Bool ()
    val busy = out Bool () // a copy or a clear is not complete
  }

  private def isSweep(entry: WindowEntry) = entry.copy || entry.clear
  val queue = Mem(WindowEntry(comparators, skips), depth)
  val putAt, takeAt = Reg(UInt(log2Up(depth) bits)) init 0
  val count, sweepsWaiting = Reg(UInt(log2Up(depth + 1) bits)) init 0
  val pop = False
  queue.write(putAt, io.entry.payload, io.entry.valid)
  when(io.entry.valid)(putAt := putAt + 1)
  when(pop)(takeAt := takeAt + 1)
  count := count + io.entry.valid.asUInt - pop.asUInt
  assert(!(io.entry.valid && count === depth), "window table: queue overflow", FAILURE)
  val head = queue.readAsync(takeAt)
  sweepsWaiting := sweepsWaiting + (io.entry.valid && isSweep(io.entry.payload)).asUInt -
    (pop && isSweep(head)).asUInt

  /** Order to the pipe for a cell. */
  case class Order() extends Bundle {
    val valid = Bool()
    val cell = UInt(cellBits bits)
    val adds = UInt(NextEvent.width + 1 bits)
    val zero, copy = Bool() // the cell is cleared; what it holds is copied
  }
  val next = Order()
  next.valid := False
  next.cell := 0
  next.adds := 0
  next.zero := False
  next.copy := False

  /** A copy, a clear; after reset both, which fills the memories. */
  val sweep = new Area {
    val copies, clears = RegInit(True)
    val running = copies || clears
    val cell = Reg(UInt(cellBits bits)) init 0
  }

  val open, paused = Reg(Bits(further bits)) init 0 // by further window
  val copied, begun = RegInit(False) // the head's copy is made; some of its comparators are done
  val left = Reg(Bits(comparators bits)) init 0 // comparators that are not done
  val todo = begun ? left | head.fired
  val first = OHMasking.first(todo)
  val chosen = new Area {
    val at = Cat(io.comparators.window.tail.map(ones => (ones & first).orR))
    def does(what: Int) = (io.comparators.does(what) & first).orR
  }

  when(sweep.running) {
    next.valid := True
    next.cell := sweep.cell
    next.zero := sweep.clears
    next.copy := sweep.copies
    sweep.cell := sweep.cell + 1
    when(sweep.cell.andR) {
      sweep.copies := False
      sweep.clears := False
    }
  } elsewhen (count =/= 0) {
    when(head.copy && !copied) {
      copied := True
      sweep.copies := True
    } elsewhen (todo =/= 0) {
      begun := True
      left := todo & ~first
      when(chosen.does(MarkerAction.open))(open := open | chosen.at)
      when(chosen.does(MarkerAction.close))(open := open & ~chosen.at)
      when(chosen.does(MarkerAction.pause))(paused := paused | (chosen.at & open))
      when(chosen.does(MarkerAction.resume) || chosen.does(MarkerAction.close)) {
        paused := paused & ~chosen.at
      }
      next.valid := chosen.does(MarkerAction.invocation) && head.counts
      next.cell := (chosen.at ## B"0" ## B(owners - 1, log2Up(owners) bits)).asUInt
      next.adds := 1
    } otherwise {
      next.valid := head.tick && head.counts
      next.cell := ((open & ~paused) ## head.path ## head.owner).asUInt
      next.adds := (if (skips) head.skipped +^ 1 else U(1, NextEvent.width + 1 bits))
      pop := True
      copied := False
      begun := False
      when(head.clear) {
        sweep.clears := True
        open := 0
        paused := 0
      }
    }
  }

  // The pipe itself knows the data of a read in the clock that writes it: no comparator.
  private def memory() = Mem(UInt(64 bits), 1 << cellBits).addAttribute("no_rw_check")
  val table = memory()
  val copies = memory()

  // A register: the head's order is a long way from the cell.
  val order = RegNext(next)
  order.valid init False

  /** Read, keep what came, add and write: three clocks, an order a clock. */
  val second = new Area {
    val order = RegNext(WindowTable.this.order)
    order.valid init False
    val stored = table.readSync(WindowTable.this.order.cell)
  }
  val third = new Area {
    val order = RegNext(second.order)
    order.valid init False
    val value = Reg(UInt(64 bits))
    val sum = value + order.adds
    table.write(order.cell, sum, order.valid)
    copies.write(order.cell, value, order.valid && order.copy)
  }
  val written = new Area { // in the clock before
    val valid = RegNext(third.order.valid) init False
    val cell = RegNext(third.order.cell)
    val sum = RegNext(third.sum)
  }
  third.value := second.stored
  when(written.valid && written.cell === second.order.cell)(third.value := written.sum)
  when(third.order.valid && third.order.cell === second.order.cell)(third.value := third.sum)
  when(second.order.zero)(third.value := 0)

  io.read.value := copies.readSync(io.read.cell, io.read.enable)
  val holding = RegInit(True)
  holding := sweep.running || count >= fullEnough
  io.hold := holding
  private def sweeps(order: Order) = order.valid && (order.copy || order.zero)
  io.busy := sweep.running || sweepsWaiting =/= 0 ||
    Seq(order, second.order, third.order).map(sweeps).reduce(_ || _)
}
