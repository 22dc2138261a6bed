// SPDX-License-Identifier: BSD-2-Clause
package mcpi.node

import mcpi.bus._
import mcpi.machine.Machine
import spinal.core._
import spinal.lib._

/** 1,024 locks of one bit each, on a bus of their own (docs/explanation/multiprocessor.md): a load
  * gives the old bit and sets it, a store clears it. An access is granted in the tick of its
  * command at the earliest, has its effect then, and ends `ticks` later, in its core's last tick of
  * waiting; the next is granted in that tick. Places: after the core served last, core 0 first.
  * What is no lock's goes on to `others`.
  */
class SyncBus(machine: Machine) extends Component {
  private val n = machine.cores
  private val locks = 1024
  private val first =
    machine.base("io", "system") + machine.offset("system", "sync_lock")
  private val bytes = 8 * locks
  require(first % bytes == 0)
  val io = new Bundle {
    val tick = in Bool ()
    val ticks = in UInt (6 bits)
    val cores = Vec(slave(IoBus()), n)
    val others = Vec(master(IoBus()), n)
  }
  private val mine = B(io.cores.map(core => (core.cmd.address >> log2Up(bytes)) === first / bytes))
  private val requests = B(io.cores.map(_.cmd.valid)) & mine
  val ticked = new TickArea(io.tick) {
    val held = Reg(Bits(locks bits)) init 0
    val left = Reg(UInt(6 bits)) init 0 // to the end, with the present tick
    val last = Reg(UInt((log2Up(n) max 1) bits)) init n - 1
    val old = Reg(Bool())
    val ends = left === 1
    val answers = Reg(Bool()) init False // its core goes on: the tick after the end
    val answeredCore = RegNext(last)
    val data = RegNext(old)
    answers := ends
    val chosen = CombInit(last)
    for (offset <- n to 1 by -1; k <- 0 until n) {
      val candidate = (k + offset) % n
      when(last === k && requests(candidate))(chosen := candidate)
    }
    val grants = requests.orR && (left === 0 || ends)
    val cmd = CombInit(io.cores(0).cmd.payload)
    for (k <- 1 until n) when(chosen === k)(cmd := io.cores(k).cmd.payload)
    val lock = cmd.address(log2Up(bytes) - 1 downto 3)
    when(left =/= 0)(left := left - 1)
    when(grants) {
      left := io.ticks
      last := chosen
      old := held(lock)
      held(lock) := !cmd.write
    }
  }
  import ticked._
  for (k <- 0 until n) {
    val core = io.cores(k)
    val other = io.others(k)
    val answersIt = answers && answeredCore === k
    other.cmd.valid := core.cmd.valid && !mine(k)
    other.cmd.payload := core.cmd.payload
    core.cmd.ready := mine(k) ? (grants && chosen === k) | other.cmd.ready
    core.rsp.valid := answersIt || other.rsp.valid
    core.rsp.payload := other.rsp.payload
    when(answersIt) {
      core.rsp.data := data.asBits.resized
      core.rsp.error := False
    }
  }
}
