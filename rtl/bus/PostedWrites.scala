// SPDX-License-Identifier: BSD-2-Clause
package mcpi.bus

import spinal.core._
import spinal.lib._

/** Pieces of a burst on their way to memory, in order: `depth` of them.
  *
  * {{{
  *   tick    │  t   │ t+1  │ t+2  │
  *   push    ╳ one  ╳
  *   count   0      │  1   │  1   │  one more than `valid` says: there is another one
  *   valid   _______________/▔▔▔▔▔   `pop` has it
  * }}}
  *
  * A piece comes out two ticks after it went in, at the earliest. The words are read from LUTs at a
  * register, so nothing that comes late in a tick goes to a RAM.
  */
class PostedWrites(depth: Int) extends Component {
  val io = new Bundle {
    val push = slave(Stream(DmaCmd()))
    val pop = master(Stream(DmaCmd()))
    val occupancy = out UInt (log2Up(depth + 1) bits)
  }
  val words = Mem(DmaCmd(), depth).addAttribute("ram_style", "distributed")
  val first, last = Reg(UInt(log2Up(depth) bits)) init 0
  val count = Reg(UInt(log2Up(depth + 1) bits)) init 0
  val valid = RegInit(False)
  private def following(p: UInt) = (p === depth - 1) ? U(0, p.getWidth bits) | (p + 1)

  io.occupancy := count
  io.push.ready := count =/= depth
  words.write(last, io.push.payload, io.push.fire)
  when(io.push.fire) { last := following(last) }
  io.pop.valid := valid
  io.pop.payload := words.readAsync(first)
  when(io.pop.fire) { first := following(first) }
  when(io.push.fire =/= io.pop.fire) { count := io.push.fire ? (count + 1) | (count - 1) }
  valid := valid ? (!io.pop.fire || count > 1) | (count =/= 0)
}
