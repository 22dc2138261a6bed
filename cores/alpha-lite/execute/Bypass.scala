// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import spinal.core._
import spinal.lib._

/** One source operand of the instruction in D: the youngest producer's result, else the register
  * file's, else a literal; r31 is zero.
  *
  * Built as and-or, one-hot, so that E1's result, which comes last, meets one gate.
  */
class Bypass extends Component {
  val register = in UInt (5 bits)
  val e1, e2, e3, load, product = slave(Flow(RegisterWrite())) // e1 is youngest
  val file = in Bits (64 bits)
  val literal = slave(Flow(Bits(8 bits))) // instead of a register
  val value = out Bits (64 bits)
  val older = out Bits (64 bits) // the same, if it is not in E1

  val isRegister = !literal.valid && register =/= 31
  private val sources = Seq(e1, e2, e3, load, product)
  val names = Vec(sources.map(s => s.valid && s.register === register && isRegister))
  private def gated(select: Bool, word: Bits) = word & (select #* 64)

  // Each of the older ones, if none between it and E1 is it.
  private def first(n: Int) = !names.slice(1, n).foldLeft(False)(_ || _)
  older := sources.zipWithIndex.tail
    .map { case (s, n) => gated(names(n) && first(n), s.value) }
    .reduceBalancedTree(_ | _) |
    gated(isRegister && first(sources.size), file) | (literal.payload & (literal.valid #* 8))
      .resize(64)
  value := names(0) ? e1.value | older
}
