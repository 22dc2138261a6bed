// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import spinal.core._

/** The one-tick unit of stage E1: add, logical, compare, address.
  *
  * Its result is `summed` or `plain`, each zero where it is the other. The sum comes last, and
  * meets two gates on its way to stage D.
  */
class Alu extends Component {
  val control = in(Control())
  val a, b = in Bits (64 bits) // a: ra; b: rb or the literal
  val displacement = in Bits (64 bits)
  val link = in UInt (64 bits)
  val idle = in Bool () // the result is another's: both are zero
  val summed, plain = out Bits (64 bits)
  val sum = out UInt (64 bits) // the address of a memory instruction
  val overflowed = out Bool ()

  val scaled = control.scale.mux(
    2 -> (a(61 downto 0) ## B"00"),
    3 -> (a(60 downto 0) ## B"000"),
    default -> a
  )
  val x = (control.displaced ? displacement | scaled).asUInt
  val y = (control.subtract ? ~b | b).asUInt
  val extended = (U(0, 1 bit) @@ x) + (U(0, 1 bit) @@ y) + (U(0, 64 bits) @@ control.subtract)
  sum := extended(63 downto 0)

  val top = control.long ? U(31) | U(63)
  overflowed := x(top) === y(top) && sum(top) =/= x(top)

  val longSum = sum(31 downto 0).asSInt.resize(64).asBits

  // A compare subtracts: unsigned, a is less if nothing is carried out. Signed is the other way
  // round if the signs differ.
  val less = !extended(64) ^ (!control.unsigned && (a(63) ^ b(63)))
  val equal = a === b
  val second = control.invert ? ~b | b
  val bytes = Bits(8 bits)
  for (n <- 0 until 8) bytes(n) := a(8 * n, 8 bits).asUInt >= b(8 * n, 8 bits).asUInt

  val isSum = control.alu === AluOp.add
  val compares = Seq(
    AluOp.compareEqual -> equal,
    AluOp.compareLess -> less,
    AluOp.compareLessEqual -> (less || equal)
  )
  val compared = compares.map { case (op, met) => control.alu === op && met }.reduce(_ || _)
  summed := (control.long ? longSum | sum.asBits) & (isSum && !idle) #* 64
  summed(0) := ((isSum && sum(0)) || compared) && !idle

  plain := 0
  when(!idle) {
    switch(control.alu) {
      is(AluOp.and) { plain := a & second }
      is(AluOp.or) { plain := a | second }
      is(AluOp.xor) { plain := a ^ second }
      is(AluOp.compareBytes) { plain := bytes.resized }
      is(AluOp.link) { plain := link.asBits }
      is(AluOp.pass) { plain := b }
    }
  }
}

/** Conditions of branches and conditional moves, on a register. */
object Decide {
  def apply(condition: Condition.C, a: Bits): Bool = {
    val zero = a === 0
    val met = Bool()
    switch(condition) {
      is(Condition.lowClear) { met := !a(0) }
      is(Condition.lowSet) { met := a(0) }
      is(Condition.equal) { met := zero }
      is(Condition.notEqual) { met := !zero }
      is(Condition.less) { met := a(63) }
      is(Condition.lessEqual) { met := a(63) || zero }
      is(Condition.greater) { met := !a(63) && !zero }
      is(Condition.greaterEqual) { met := !a(63) }
      default { met := True }
    }
    met
  }
}
