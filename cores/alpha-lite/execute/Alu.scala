// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import spinal.core._

/** The one-tick unit of stage E1: add, logical, compare, address. */
class Alu extends Component {
  val control = in(Control())
  val a, b = in Bits (64 bits) // a: ra; b: rb or the literal
  val displacement = in Bits (64 bits)
  val link = in UInt (64 bits)
  val result = out Bits (64 bits)
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

  switch(control.alu) {
    is(AluOp.and) { result := a & second }
    is(AluOp.or) { result := a | second }
    is(AluOp.xor) { result := a ^ second }
    is(AluOp.compareEqual) { result := equal.asBits.resized }
    is(AluOp.compareLess) { result := less.asBits.resized }
    is(AluOp.compareLessEqual) { result := (less || equal).asBits.resized }
    is(AluOp.compareBytes) { result := bytes.resized }
    is(AluOp.link) { result := link.asBits }
    is(AluOp.pass) { result := b }
    is(AluOp.zero) { result := 0 }
    default { result := control.long ? longSum | sum.asBits }
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
