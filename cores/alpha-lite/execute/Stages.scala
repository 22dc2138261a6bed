// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import spinal.core._

/** Stage E1: what stage D hands over. `trap` marks a redirection that travels like an instruction,
  * so that the retire port reports it in order.
  */
case class ExecuteStage(c: AlphaLiteConfig) extends Bundle {
  val issued = Bool() // it has left D
  val killed = Bool() // no: in that tick fetching was redirected, or it traps itself
  val trap = Bool()
  val vector = UInt(16 bits)
  val fault = Bool() // with `trap`: of an access, whose address E1 still computes
  val faultStatus = c.translates generate Bits(3 bits) // with it: MM_CSR's FOW, FOR, ACV
  val overflow = Bool() // with `trap`: of an arithmetic instruction
  // It traps, and fetching is still to turn (`Revoke`): it is illegal; its access may not.
  val illegal = Bool()
  val refused = c.translates generate Bool()
  val control = Control()
  val rotation = Rotation() // of a shift
  val test = Test() // of a branch or conditional move
  val pc = UInt(c.pcBits bits)
  val instruction = Bits(32 bits)
  val a, b = Bits(64 bits)
  val address = UInt(34 bits) // of an access
  val displacement = SInt(32 bits) // of LDA, LDAH, an access
  val storeFromE2 = Bool() // ra comes from E2, if that writes
  val memory = Bool() // a load or store; not a load to r31
  // A load or a store, unless it was killed; a clock without a tick follows it (`SecondClock`).
  val load, store, needsSecondClock = Bool()
  val special = Bool() // its result comes from elsewhere than the ALU
  val checked = Bool() // it traps if its sum overflows
  val turns = Bool() // it may redirect
  val aligned = Bits(3 bits) // the bits of its address that must be zero
  val writes = Bool() // unless it was killed
  val register = UInt(5 bits)
  val slot = UInt(10 bits)
  val missed = Bool()
  val next = UInt(c.pcBits - 2 bits) // the longword after it
  val prediction = Prediction(c)
}

/** Stage E2: the result, or what makes it. */
case class ResultStage() extends Bundle {
  val valid = Bool() // also for traps: the slot is to be retired
  val writes = Bool()
  val register = UInt(5 bits)
  val slot = UInt(10 bits)
  val rotated = Rotated() // a result that is ready is its own rotation, whole
  val isLoad = Bool()
  val waits = Bool() // not ready before E3: a load
  val long, upper = Bool() // of a load
  val info = RetireInfo()
}

/** Stage E3, and stage W where a load is ready. */
case class WriteStage() extends Bundle {
  val valid = Bool()
  val writes = Bool()
  val register = UInt(5 bits)
  val slot = UInt(10 bits)
  val value = Bits(64 bits)
  val isLoad = Bool()
  val long, upper = Bool()

  /** The result; for a load, `value` is the quadword read. */
  def result: Bits = {
    val longword = upper ? value(63 downto 32) | value(31 downto 0)
    (isLoad && long) ? longword.asSInt.resize(64).asBits | value
  }
}
