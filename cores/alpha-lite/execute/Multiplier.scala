// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import spinal.core._
import spinal.lib._

case class MultiplyCmd() extends Bundle {
  val a, b = Bits(64 bits)
  val long, high, overflow = Bool()
  val register = UInt(5 bits)
  val slot = UInt(10 bits)
}

case class MultiplyRsp() extends Bundle {
  val register = UInt(5 bits)
  val value = Bits(64 bits)
  val slot = UInt(10 bits)
  val traps, overflowed = Bool() // traps: a /V form
}

/** Iterative multiplier: one product of two 16-bit digits a tick, in one DSP block, added up column
  * by column; the result is held until its tick.
  *
  * Issued in tick 0, a multiply enters in tick 1 (E1), and `rsp` is valid in tick `latency` (21 or
  * 23) and until `taken`. The next may issue in tick latency - 2 (sources/ev4.md 2.1).
  */
class Multiplier(c: AlphaLiteConfig) extends Component {
  val cmd = slave(Flow(MultiplyCmd()))
  val rsp = master(Flow(MultiplyRsp()))
  val taken = in Bool ()
  val comes = out Bool () // `rsp` is valid in the next tick
  val busy = out Bool () // no multiply may issue in this tick; nor if one enters
  val idle = out Bool () // nothing is under way
  val trapping = out(RegInit(False)) // a /V is under way: nothing may issue before it has ended

  val work = Reg(MultiplyCmd())
  val running = RegInit(False)
  val left = Reg(UInt(7 bits)) init 0 // ticks until the result's tick
  when(running) { left := left - 1 }
  when(cmd.valid) {
    work := cmd.payload
    when(cmd.long) {
      work.a := cmd.a(31 downto 0).asSInt.resize(64).asBits
      work.b := cmd.b(31 downto 0).asSInt.resize(64).asBits
    }
    running := True
    left := cmd.long ? U(c.multiplyLong - 2, 7 bits) | U(c.multiplyQuad - 2, 7 bits)
  }

  /** That more than two are left, as a bit of its own: stage D asks. */
  private def farInRegister: Bool = {
    val far = RegInit(False).setName("far")
    when(running) { far := left > 3 }
    when(cmd.valid) { far := True }
    assert(far === (left > 2), "a multiply ends at another time", FAILURE)
    far
  }

  // Ticks 2 to 17: the digits of a step, column after column, each column's first marked.
  private val order =
    for (column <- 0 to 6; i <- 0 to 3 if (0 to 3).contains(column - i))
      yield (i, column - i, i == (0 max (column - 3)))
  private def byStep[T <: Data](of: ((Int, Int, Boolean)) => T): T = Vec(order.map(of))(step)
  val step = Reg(UInt(4 bits))
  val stepping = RegInit(False)
  when(stepping) {
    step := step + 1
    stepping := step =/= 15
  }
  when(cmd.valid) {
    step := 0
    stepping := True
  }

  /** UMULH has no signs; for the others the top digit has one. */
  private def digit(operand: Bits, index: UInt): SInt = {
    val sign = index === 3 && !work.high && operand(63)
    (sign ## operand.subdivideIn(16 bits)(index)).asSInt
  }

  /** Number of a step's digit, in a register, as the product takes most of a clock. */
  private def number(name: String, of: ((Int, Int, Boolean)) => Int): UInt = {
    val next = Reg(UInt(2 bits)).setName(name)
    when(stepping) { next := Vec(order.map(s => U(of(s), 2 bits)))(step + 1) }
    when(cmd.valid) { next := of(order.head) }
    next
  }
  val product =
    RegNext(digit(work.a, number("numberA", _._1)) * digit(work.b, number("numberB", _._2)))

  // Ticks 3 to 18: the sum of a column; a new column takes what is above the digit that is done.
  val adding = RegNext(stepping) init False
  val newColumn = RegNext(byStep(s => Bool(s._3)))
  val begins = RegNext(step === 0)
  val column = Reg(SInt(38 bits))
  val digits = Reg(Bits(96 bits))
  when(adding) {
    val before = newColumn ? (column >> 16).resize(38) | column
    column := (begins ? S(0, 38 bits) | before) + product
    when(newColumn) { digits := column(15 downto 0) ## digits(95 downto 16) }
  }
  val low = digits(63 downto 0)
  val highPart = column(31 downto 0) ## digits(95 downto 64)
  val longLow = low(31 downto 0).asSInt.resize(64).asBits
  val fits = work.long ? (low === longLow) | (highPart === low(63) #* 64)

  // The last two ticks: the next multiply can start meanwhile, its operands come at their end.
  val ending = running && left === 2
  when(ending) { running := cmd.valid }
  val last = RegNext(ending) init False
  val second = Reg(Flow(MultiplyRsp()))
  comes := last || (second.valid && !taken)
  second.valid := comes
  second.valid init False
  when(last) {
    second.register := work.register
    second.value := work.high ? highPart | (work.long ? longLow | low)
    second.slot := work.slot
    second.traps := work.overflow
    second.overflowed := work.overflow && !fits
  }

  rsp << second
  idle := !running && !last && !second.valid
  busy := running && farInRegister
  when(rsp.valid && taken && rsp.traps) { trapping := False } // not the one before it
  when(cmd.valid && cmd.overflow) { trapping := True }
}
