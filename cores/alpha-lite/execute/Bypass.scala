// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import spinal.core._
import spinal.lib._

/** A source operand of the instruction in D: the youngest producer's result, else the register
  * file's, else a literal; r31 is zero.
  *
  * Built as and-or, one-hot, so that E1's result, which comes last, meets one gate. A register
  * whose value comes late is not written before, and whoever wants it waits: when a late value is
  * read, no result of the pipeline has its name, and which of them goes first need not be asked.
  */
class Bypass extends Component {
  val register = in UInt (5 bits)
  val e1, e2, e3, load = slave(Flow(RegisterWrite())) // e1 is youngest; never r31
  val product = slave(Flow(Bits(64 bits))) // valid: it is for this register
  val file = in Bits (64 bits)
  val literal = slave(Flow(Bits(8 bits))) // instead of a register
  val value = out Bits (64 bits)
  val older = out Bits (64 bits) // the register, if it is not in E1

  private def names(source: Flow[RegisterWrite]) = source.valid && source.register === register
  val (inE1, inE2, inE3) = (names(e1), names(e2), names(e3))
  val isLoad = names(load)
  val isProduct = product.valid
  val inFile = !(inE2 || inE3 || isLoad || isProduct || register === 31)
  private def gated(select: Bool, word: Bits) = word & (select #* 64)
  private def either(select: Seq[(Bool, Bits)]) =
    select.map { case (one, word) => gated(one, word) }.reduceBalancedTree(_ | _)
  older := either(
    Seq(
      inE2 -> e2.value,
      (inE3 && !inE2) -> e3.value,
      isLoad -> load.value,
      isProduct -> product.payload,
      inFile -> file
    )
  )
  value := either(
    Seq(
      (inE1 && !literal.valid) -> e1.value,
      (!inE1 && !literal.valid) -> older,
      literal.valid -> literal.payload.resize(64)
    )
  )
}
