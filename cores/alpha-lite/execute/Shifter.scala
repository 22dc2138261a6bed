// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import spinal.core._

/** What stage E1 of the shifter hands to E2: a rotated operand and the bits of it that count. */
case class Rotated() extends Bundle {
  val value, mask = Bits(64 bits)
  val fill = Bool() // for the bits outside the mask

  /** Stage E2. */
  def result: Bits = (value & mask) | (fill ? ~mask | B(0, 64 bits))
}

/** The two-tick unit: shifts and byte manipulation, all as rotate and mask.
  *
  * EXTxH shifts left by 64 - 8s bits, which is the rotation of EXTxL; INSxH takes what INSxL
  * rotates out at the top; MSKxx and ZAP do not rotate (sources/isa; Alpha handbook, byte
  * manipulation).
  */
class Shifter extends Component {
  val op = in(ShiftOp())
  val high = in Bool ()
  val size = in UInt (2 bits) // log2 of bytes
  val a, b = in Bits (64 bits)
  val rotated = out(Rotated())

  val bits = b(5 downto 0).asUInt
  val byte = b(2 downto 0).asUInt
  val byteBits = byte @@ U"000"
  val left = op.mux(
    ShiftOp.left -> bits,
    ShiftOp.rightLogical -> (U(0, 6 bits) - bits),
    ShiftOp.rightArithmetic -> (U(0, 6 bits) - bits),
    ShiftOp.extract -> (U(0, 6 bits) - byteBits),
    ShiftOp.insert -> byteBits,
    default -> U(0, 6 bits)
  )
  rotated.value := a.rotateLeft(left)

  val sizeBytes = size.mux(0 -> B"x01", 1 -> B"x03", 2 -> B"x0f", 3 -> B"xff")
  val placed = sizeBytes.resize(16) |<< byte
  val placedPart = high ? placed(15 downto 8) | placed(7 downto 0)
  val reach = B"xff" |>> byte // what EXTxL finds in its quadword
  val found = high ? ((byte === 0) ? B"xff" | ~reach) | reach
  val bytes = op.mux(
    ShiftOp.extract -> (sizeBytes & found),
    ShiftOp.insert -> placedPart,
    ShiftOp.mask -> ~placedPart,
    ShiftOp.zap -> ~b(7 downto 0),
    default -> b(7 downto 0)
  )

  // One mask for all: in eighths, all of an eighth counts, or part of it, or none.
  // A left shift keeps the bits from `bits` on; a right shift is its mirror.
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
