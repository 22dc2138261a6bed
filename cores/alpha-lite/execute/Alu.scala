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

/** A condition of branches and conditional moves on a register, as stage D finds out: which of
  * three things it looks at, and whether it is met if none of them is so. Zero is known last.
  */
case class Test() extends Bundle {
  val zero, sign, low = Bool() // looked at: all bits are 0; bit 63; bit 0
  val turned = Bool()

  def of(condition: Condition.C): Unit = {
    import Condition._
    def is(of: Condition.E*) = of.map(condition === _).reduce(_ || _)
    zero := is(equal, notEqual, lessEqual, greater)
    sign := is(less, lessEqual, greater, greaterEqual)
    low := is(lowClear, lowSet)
    turned := is(always, lowClear, notEqual, greater, greaterEqual)
  }

  /** True if `a` meets the condition; with `other`, if it does not. */
  def met(a: Bits, other: Bool = False): Bool =
    ((zero && a === 0) || ((sign && a(63)) || (low && a(0)))) ^ (turned ^ other)
}

/** Function of the one-tick unit. */
object AluOp extends SpinalEnum(binarySequential) {
  val add, and, or, xor, compareEqual, compareLess, compareLessEqual, compareBytes = newElement()
  val link = newElement() // PC + 4
  val pass = newElement() // the second operand
  val zero = newElement()
}
