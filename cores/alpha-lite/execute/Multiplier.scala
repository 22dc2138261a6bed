// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import spinal.core._
import spinal.lib._

case class MultiplyCmd() extends Bundle {
  val a, b = Bits(64 bits)
  val long, high, overflow = Bool()
  val register = UInt(5 bits)
  val slot = UInt(8 bits)
}

case class MultiplyRsp() extends Bundle {
  val register = UInt(5 bits)
  val value = Bits(64 bits)
  val slot = UInt(8 bits)
  val traps, overflowed = Bool() // traps: a /V form
}

/** Iterative multiplier, four bits a tick; the result is held until its tick.
  *
  * Issued in tick 0, a multiply enters in tick 1 (E1), and `rsp` is valid in tick `latency` (21 or
  * 23) and until `taken`. The next may issue in tick latency - 2 (facts/ev4.md 2.1).
  */
class Multiplier(c: AlphaLiteConfig) extends Component {
  val cmd = slave(Flow(MultiplyCmd()))
  val rsp = master(Flow(MultiplyRsp()))
  val taken = in Bool ()
  val busy = out Bool () // no multiply may issue in this tick
  val trapping = out(RegInit(False)) // a /V is under way: nothing may issue before it has ended

  val work = Reg(MultiplyCmd())
  val running = RegInit(False)
  val left = Reg(UInt(7 bits)) init 0 // ticks until the result's tick
  val steps = Reg(UInt(5 bits)) init 0
  val accumulator = Reg(Bits(128 bits)) // product in the making, shifted down four bits a step
  val remaining = Reg(Bits(64 bits))

  val digit = remaining(3 downto 0).asUInt
  val partial = work.a.asUInt * digit // 68 bits
  val upper = accumulator(127 downto 64).asUInt.resize(68) + partial
  when(steps =/= 0) {
    steps := steps - 1
    remaining := remaining |>> 4
    accumulator := upper ## accumulator(63 downto 4)
  }
  when(running) { left := left - 1 }
  when(cmd.valid) {
    work := cmd.payload
    when(cmd.long) {
      work.a := cmd.a(31 downto 0).asSInt.resize(64).asBits
      remaining := cmd.b(31 downto 0).asSInt.resize(64).asBits
      work.b := cmd.b(31 downto 0).asSInt.resize(64).asBits
    } otherwise { remaining := cmd.b }
    accumulator := 0
    steps := 16
    running := True
    left := cmd.long ? U(c.multiplyLong - 2, 7 bits) | U(c.multiplyQuad - 2, 7 bits)
  }

  val low = accumulator(63 downto 0)
  val highPart = accumulator(127 downto 64).asUInt
  val longLow = low(31 downto 0).asSInt.resize(64).asBits
  val signedHigh = highPart - (work.a(63) ? work.b.asUInt | U(0)) -
    (work.b(63) ? work.a.asUInt | U(0))
  val fits = work.long ? (low === longLow) | (signedHigh.asBits === low(63) #* 64)

  // Two more ticks in a pipe of their own, so that the next multiply can start meanwhile.
  val ending = running && left === 2
  when(ending) { running := cmd.valid }
  val first = Reg(Flow(MultiplyRsp()))
  first.valid init False
  val second = Reg(Flow(MultiplyRsp()))
  second.valid init False
  first.valid := ending
  when(ending) {
    first.register := work.register
    first.value := work.high ? highPart.asBits | (work.long ? longLow | low)
    first.slot := work.slot
    first.traps := work.overflow
    first.overflowed := work.overflow && !fits
  }
  when(taken) { second.valid := False }
  when(first.valid) { second := first }

  rsp << second
  busy := cmd.valid || (running && left > 2)
  when(rsp.valid && taken && rsp.traps) { trapping := False } // not the one before it
  when(cmd.valid && cmd.overflow) { trapping := True }
}
