// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import spinal.core._

/** Result that stage E1 of the shifter hands to E2: a rotated operand and the bits of it that
  * count.
  */
case class Rotated() extends Bundle {
  val value, mask = Bits(64 bits)
  val fill = Bool() // for the bits outside the mask

  /** Stage E2. */
  def result: Bits = (value & mask) | (fill ? ~mask | B(0, 64 bits))
}

/** How far an operation rotates to the left, as stage D finds out: second operand's bits 5:0 (a
  * number of bits), or 2:0 (of bytes), or nothing; or as far to the right.
  */
case class Rotation() extends Bundle {
  val byBits, byBytes = Bool()
  val right = Bool()

  def of(op: ShiftOp.C): Unit = {
    val rightByBits = op === ShiftOp.rightLogical || op === ShiftOp.rightArithmetic
    byBits := op === ShiftOp.left || rightByBits
    byBytes := op === ShiftOp.extract || op === ShiftOp.insert
    right := rightByBits || op === ShiftOp.extract
  }
}

/** The two-tick unit: shifts and byte manipulation, all as rotate and mask.
  *
  * EXTxH shifts left by 64 - 8s bits, which is the rotation of EXTxL; INSxH takes what INSxL
  * rotates out at the top; MSKxx and ZAP do not rotate (sources/isa; Alpha handbook, byte
  * manipulation).
  */
class Shifter extends Component {
  val op = in(ShiftOp())
  val rotation = in(Rotation()) // of `op`
  val high = in Bool ()
  val size = in UInt (2 bits) // log2 of bytes
  val a, b = in Bits (64 bits)
  val rotated = out(Rotated())

  val bits = b(5 downto 0).asUInt
  val byte = b(2 downto 0).asUInt
  private val places = (b(5 downto 0) & rotation.byBits #* 6) |
    ((b(2 downto 0) ## B"000") & rotation.byBytes #* 6)
  // Two's complement, bit by bit: one is turned if there is a one below.
  val left = UInt(6 bits)
  for (i <- 0 until 6)
    left(i) := places(i) ^ (if (i == 0) False else rotation.right && places(i - 1 downto 0).orR)
  rotated.value := a.rotateLeft(left)

  val sizeBytes = size.mux(0 -> B"x01", 1 -> B"x03", 2 -> B"x0f", 3 -> B"xff")
  val placed = sizeBytes.resize(16) |<< byte
  val placedPart = high ? placed(15 downto 8) | placed(7 downto 0)
  val reach = B"xff" |>> byte // bytes that EXTxL finds in its quadword
  val found = high ? ((byte === 0) ? B"xff" | ~reach) | reach
  val bytes = op.mux(
    ShiftOp.extract -> (sizeBytes & found),
    ShiftOp.insert -> placedPart,
    ShiftOp.mask -> ~placedPart,
    ShiftOp.zap -> ~b(7 downto 0),
    default -> b(7 downto 0)
  )

  // All shifts share a mask: in eighths, all of an eighth counts, or part of it, or none. A left
  // shift keeps the bits from `bits` on; a right shift is its mirror.
  val isLeft = op === ShiftOp.left
  val isRight = op === ShiftOp.rightLogical || op === ShiftOp.rightArithmetic
  private def chosen(n: Int, keeps: Int => Bool) = isRight ? keeps(7 - n) | keeps(n)
  val eighth = bits(5 downto 3)
  for (h <- 0 until 8) {
    val whole = (isLeft || isRight) ? chosen(h, n => eighth < n) | bytes(h)
    val partly = (isLeft || isRight) && chosen(h, n => eighth === n)
    for (l <- 0 until 8) {
      rotated.mask(8 * h + l) := whole || (partly && chosen(l, n => bits(2 downto 0) <= n))
    }
  }
  rotated.fill := op === ShiftOp.rightArithmetic && a(63)
}
