// SPDX-License-Identifier: BSD-2-Clause
package mcpi.boards

import mcpi.machine.Machine
import spinal.core._

/** So many ticks in so many clocks of a board are a machine's real time. */
case class TickRate(ticks: Int, clocks: Int) {
  require(0 < ticks && ticks < clocks && clocks < (1 << 16), s"$ticks ticks in $clocks clocks")
}

object TickRate {

  /** Rate of a machine in real time, in the smallest numbers. */
  def of(machine: Machine, board: BoardFile): Option[TickRate] = if (!machine.realTime) None
  else {
    val (ticks, clocks) =
      (machine.int("clock.ticks_per_us") * board.divider, board.vcoMhz)
    val common = BigInt(ticks).gcd(clocks).toInt
    Some(TickRate(ticks / common, clocks / common))
  }
}

/** Keeps ticks from coming before their real time (docs/reference/boards.md, Real time): it begins
  * with the first tick since `run`, and anew with the first since the counters were cleared.
  * `pause` is high in clocks in which no tick is due. What others hold is made up for: a tick that
  * is due stays due. `late` is the most that was due while the counters counted, in parts of a tick
  * of which `rate.clocks` are one.
  */
class Pacer(rate: TickRate) extends Component {
  val io = new Bundle {
    val run, tick = in Bool ()
    val clear, counts = in Bool () // the counters are cleared; they count
    val pause = out Bool ()
    val late = out UInt (Pacer.width bits)
  }
  val begun = RegInit(False)
  val owed, late = Reg(UInt(Pacer.width bits)) init 0
  val due = RegInit(True)

  val kept = owed + rate.ticks
  val paid = owed + rate.ticks - rate.clocks // never below zero: a tick is due before it comes
  when(begun) {
    owed := io.tick ? paid | kept
    due := io.tick ? (paid >= rate.clocks) | (kept >= rate.clocks)
    when(io.counts && owed > late) { late := owed }
  } elsewhen (io.tick) {
    begun := True
    owed := rate.ticks
    due := False
  }
  when(!io.run || io.clear) {
    begun := False
    owed := 0
    late := 0
    due := True
  }
  io.pause := !due
  io.late := late
}

object Pacer {
  val width = 40 // half an hour of a clock that never ticks
}
