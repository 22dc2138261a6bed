// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import spinal.core._

/** Kind of an instruction, as the pipeline sees it: a bit for each, since stages D and E1 ask for
  * one at a time, and early.
  */
object Kind extends SpinalEnum(binaryOneHot) {
  val alu, compare, shift, cmov, multiply = newElement()
  val load, store = newElement()
  val branch, jump, callPal, palReturn = newElement()
  val palRead, palWrite = newElement() // HW_MFPR, HW_MTPR
  val barrier = newElement() // MB, WMB
  val cycles = newElement() // RPCC
  val flag = newElement() // RC, RS
  val nop = newElement() // TRAPB, EXCB, FETCH, FETCH_M
}

/** Condition of a branch or conditional move, on its first operand. */
object Condition extends SpinalEnum(binarySequential) {
  val always, lowClear, lowSet, equal, notEqual, less, lessEqual, greater, greaterEqual =
    newElement()
}

/** Function of the two-tick unit: rotate, then mask. */
object ShiftOp extends SpinalEnum(binarySequential) {
  val left, rightLogical, rightArithmetic, extract, insert, mask, zap, zapNot = newElement()
}

/** Where the result goes. */
object Destination extends SpinalEnum(binarySequential) {
  val none, ra, rc = newElement()
}

/** The decoder's verdict on one instruction. */
case class Control() extends Bundle {
  val legal = Bool() // an illegal word traps to OPCDEC
  val floating = Bool() // FEN trap
  val kind = Kind()
  val readsA, readsB = Bool() // registers ra and rb are sources
  val destination = Destination()
  val alu = AluOp()
  val subtract = Bool() // compares too
  val invert = Bool() // second operand of a logical
  val unsigned = Bool() // compares
  val scale = UInt(2 bits) // first operand is shifted left: 0, 2, 3
  val long = Bool() // 32-bit result, sign-extended; or a longword access
  val overflow = Bool() // /V
  val high = Bool() // UMULH; byte manipulation of the high part
  val condition = Condition()
  val shift = ShiftOp()
  val displaced = Bool() // first operand is the displacement
  val unaligned = Bool() // LDQ_U, STQ_U: low address bits are dropped
  val locked = Bool() // LDx_L, STx_C
  val palOnly = Bool() // OPCDEC outside PAL mode
}
