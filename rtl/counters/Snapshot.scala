// SPDX-License-Identifier: BSD-2-Clause
package mcpi.counters

import mcpi.machine.CounterTable
import spinal.core._
import spinal.lib._

/** Reads the snapshot: counter `index` of a bank (false: everything, true: window 1); the value is
  * there one clock later.
  */
case class SnapshotRead() extends Bundle with IMasterSlave {
  val index = UInt(8 bits)
  val window = Bool()
  val enable = Bool()
  val value = UInt(64 bits)
  override def asMaster(): Unit = { out(index, window, enable); in(value) }
}

/** The copy of both banks that the host reads, all of it of one clock.
  *
  * In a component of its own, so that a simulator can read the banks, and be read, before either
  * changes: it needs no second copy of each register then (docs/reference/simulator.md, Speed).
  *
  * @param table of one bank's counters
  */
class Snapshot(table: CounterTable) extends Component {
  private val names = table.names
  private val count = names.length
  val io = new Bundle {
    val all, path = in Vec (UInt(64 bits), count)
    val copy = in Bool ()
    val copyReplacements = in Bool () // of the same moment, in its turn after the misses before it
    val read = slave(SnapshotRead())
    val failed = out Bool () // owners and ticks of the last copy differ: one clock, late
  }

  private def copies(prefix: String, bank: Vec[UInt]): Seq[UInt] =
    for ((name, value) <- names.zip(bank)) yield {
      val copy = Reg(UInt(64 bits)) init 0
      val late = table.late.contains(name)
      when(if (late) io.copyReplacements else io.copy)(copy := value)
      copy.setName(s"snapshot_${prefix}_${name.replace('.', '_')}")
    }
  val copyOfEverything = copies("all", io.all)
  val copyOfPath = copies("path", io.path)

  val value = Reg(UInt(64 bits)) init 0
  when(io.read.enable) {
    value := 0
    for ((bank, isWindow) <- Seq(copyOfEverything -> False, copyOfPath -> True)) {
      when(io.read.window === isWindow) {
        switch(io.read.index) {
          for ((copy, i) <- bank.zipWithIndex) is(i)(value := copy)
        }
      }
    }
  }
  io.read.value := value

  /** After each copy the owners are added up, one a clock, and compared with the ticks. */
  val check = new Area {
    val running = RegInit(False)
    private val owners = names.count(_.startsWith("owner."))
    val index = Reg(UInt(log2Up(owners + 1) bits)) init 0
    val sum, pathSum = Reg(UInt(64 bits)) init 0
    val failed = False
    private val first = names.indexOf(s"owner.${table.owners.head}")
    when(running) {
      index := index + 1
      switch(index) {
        for (i <- 0 until owners) is(i) {
          sum := sum + copyOfEverything(first + i)
          pathSum := pathSum + copyOfPath(first + i)
        }
        default {
          running := False
          failed := sum =/= copyOfEverything.head || pathSum =/= copyOfPath.head
        }
      }
    }
    when(io.copy) {
      running := True
      index := 0
      sum := 0
      pathSum := 0
    }
  }
  io.failed := check.failed
}
