// SPDX-License-Identifier: BSD-2-Clause
package mcpi.bus

import spinal.core._
import spinal.lib._

/** Several cores' uncached accesses on one bus: one at a time, from its command to its answer; the
  * next begins in the tick after that at the earliest. Places: after the core served last, core 0
  * first (docs/explanation/multiprocessor.md).
  */
class IoArbiter(cores: Int) extends Component {
  val io = new Bundle {
    val tick = in Bool ()
    val cores = Vec(slave(IoBus()), IoArbiter.this.cores)
    val bus = master(IoBus())
    val reader = out UInt (log2Up(IoArbiter.this.cores) max 1 bits) // whose access it is
  }
  val ticked = new TickArea(io.tick) {
    val busy = RegInit(False)
    val last = Reg(UInt(io.reader.getWidth bits)) init cores - 1 // served, or being served
    val chosen = CombInit(last)
    for (offset <- cores to 1 by -1; n <- 0 until cores) {
      val candidate = (n + offset) % cores
      when(last === n && io.cores(candidate).cmd.valid)(chosen := candidate)
    }
    when(io.bus.cmd.fire) {
      busy := True
      last := chosen
    }
    when(io.bus.rsp.valid)(busy := False)
  }
  import ticked._
  io.reader := busy ? last | chosen
  io.bus.cmd.valid := !busy && io.cores.map(_.cmd.valid).orR
  io.bus.cmd.payload := io.cores(0).cmd.payload
  for ((core, n) <- io.cores.zipWithIndex) {
    when(chosen === n)(io.bus.cmd.payload := core.cmd.payload)
    core.cmd.ready := !busy && chosen === n && io.bus.cmd.ready
    core.rsp.valid := io.bus.rsp.valid && last === n
    core.rsp.payload := io.bus.rsp.payload
  }
}
