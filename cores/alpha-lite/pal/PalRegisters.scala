// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import mcpi.bus.NextEvent
import spinal.core._
import spinal.lib._

/** Numbers of the internal processor registers we keep (facts/ev4.md 1.2, DEC's PALcode header),
  * and two of our own: wait and halt.
  */
object PalIndex {
  object Ibox {
    val ICCSR = 0x02
    val EXC_ADDR = 0x04
    val PS = 0x09
    val EXC_SUM = 0x0a
    val PAL_BASE = 0x0b
    val HIRR = 0x0c
    val HIER = 0x10
    val HALT = 0x1e // ours: stop for good
    val WAIT = 0x1f // ours: stop until HIRR & value is not zero
  }
  object Abox {
    val MM_CSR = 0x04
    val VA = 0x05
    val ABOX_CTL = 0x0e
    val CC = 0x10
    val CC_CTL = 0x11
    val BIU_CTL = 0x12
    val FLUSH_IC = 0x15
  }
}

/** Offsets of the exception entries from PAL_BASE (facts/ev4.md 1.4). */
object Vector {
  val RESET = 0x0000
  val MCHK = 0x0020
  val ARITH = 0x0060
  val INTERRUPT = 0x00e0
  val UNALIGN = 0x11e0
  val OPCDEC = 0x13e0
  val FEN = 0x17e0
}

/** What a trap leaves in the registers. */
case class TrapRecord() extends Bundle {
  val exceptionAddress = UInt(64 bits)
  val overflow = Bool()
}

/** PAL state: HW_MFPR and HW_MTPR in stage E1, traps from stage D. */
class PalRegisters(c: AlphaLiteConfig) extends Component {
  val tick = in Bool ()
  val skip = in UInt (NextEvent.width bits)
  val resting = out Bool () // asleep or halted, and the pins say nothing new
  val instruction = in Bits (32 bits)
  val value = out Bits (64 bits) // HW_MFPR
  val write = slave(Flow(Bits(64 bits))) // HW_MTPR
  val trap = slave(Flow(TrapRecord()))
  val fault = slave(Flow(UInt(64 bits))) // an unaligned access: its address; `instruction` is it
  val interrupts = in Bits (c.interrupts bits)
  val readFlag = slave(Flow(Bool())) // RC, RS: the new value
  val breakFlag = in Bool () // HW_REI
  val flag = out Bool ()

  val palBase = out(Reg(UInt(64 bits)) init c.palBase)
  val exceptionAddress = out(Reg(UInt(64 bits)) init 0)
  val userMode = out Bool ()
  val pending = out Bool () // an enabled interrupt
  val awake = out Bool ()
  val halted = out(RegInit(False))
  val flush = out Bool ()
  val prediction = out(PredictionControl())
  val cyclesAtIssue = out Bits (64 bits) // RPCC, for an instruction in E1

  val index = instruction(4 downto 0).asUInt
  val isTemp = instruction(7)
  val isAbox = instruction(6)
  val isIbox = instruction(5)

  val temps = Mem(Bits(64 bits), 32)
  temps.write(index, write.payload, write.valid && isTemp)

  // BPE 36, JSE 37, BHE 38: all predict from reset on.
  val iccsr = Reg(Bits(64 bits)) init (BigInt(7) << 36)
  prediction.branches := iccsr(36)
  prediction.jumps := iccsr(37)
  prediction.history := iccsr(38)
  val ps = Reg(Bits(64 bits)) init 0
  val overflow = RegInit(False)
  val hier = Reg(Bits(c.interrupts bits)) init 0
  val mmCsr = Reg(Bits(15 bits)) init 0
  val va = Reg(UInt(64 bits)) init 0
  val aboxControl, biuControl = Reg(Bits(64 bits)) init 0
  val cycles = Reg(UInt(32 bits)) init 0
  val cycleOffset = Reg(UInt(32 bits)) init 0
  val cycling = RegInit(True)
  val cyclesBefore = Reg(UInt(32 bits)) init 0 // what `cycles` was a tick ago
  val hirr = RegNext(interrupts) init 0 // one tick behind the pins
  val waitMask = Reg(Bits(c.interrupts bits)) init 0
  val asleep = RegInit(False)
  val interruptFlag = RegInit(False)

  userMode := ps(4 downto 3) =/= 0
  pending := (hirr & hier) =/= 0
  cyclesAtIssue := cycleOffset ## cyclesBefore
  flag := interruptFlag

  cyclesBefore := cycles
  when(cycling) {
    cycles := cycles + 1 + skip
    cyclesBefore := cycles + skip
  }
  val sleeping = asleep && (hirr & waitMask) === 0
  when(!sleeping) { asleep := False }
  resting := (sleeping || halted) && hirr === interrupts

  // One-hot, so that reading is an and-or; a named Abox register goes before the Ibox, that before
  // a temporary.
  val aboxReads = {
    import PalIndex.Abox._
    Seq(
      MM_CSR -> mmCsr.resize(64),
      VA -> va.asBits,
      ABOX_CTL -> aboxControl,
      CC -> cyclesAtIssue,
      BIU_CTL -> biuControl
    ).map { case (n, word) => (isAbox && index === n, word) }
  }
  val aboxRead = aboxReads.map(_._1).orR
  val iboxReads = {
    import PalIndex.Ibox._
    Seq(
      ICCSR -> iccsr,
      EXC_ADDR -> exceptionAddress.asBits,
      PS -> ps,
      EXC_SUM -> (overflow ## B(0, 8 bits)).resize(64),
      PAL_BASE -> palBase.asBits,
      HIRR -> hirr.resize(64),
      HIER -> hier.resize(64)
    ).map { case (n, word) => (isIbox && index === n, word) }
  }
  val iboxRead = iboxReads.map(_._1).orR
  val tempReads = Seq((isTemp && !iboxRead && !aboxRead, temps.readAsync(index)))
  private def gated(read: (Bool, Bits)) = read._2 & (read._1 #* 64)
  value := (aboxReads.map(gated) ++ iboxReads.map { case (n, word) =>
    gated((n && !aboxRead, word))
  }
    ++ tempReads.map(gated)).reduceBalancedTree(_ | _)

  flush := False
  val starting = write.valid && isIbox &&
    (index === PalIndex.Ibox.WAIT || index === PalIndex.Ibox.HALT)
  awake := !sleeping && !halted && !starting
  when(write.valid && isIbox) {
    switch(index) {
      import PalIndex.Ibox._
      is(ICCSR) { iccsr := write.payload }
      is(EXC_ADDR) { exceptionAddress := write.payload.asUInt }
      is(PS) { ps := write.payload }
      is(EXC_SUM) { overflow := False }
      is(PAL_BASE) { palBase := write.payload(63 downto 14).asUInt @@ U(0, 14 bits) }
      is(HIER) { hier := write.payload.resized }
      is(HALT) { halted := True }
      is(WAIT) { asleep := True; waitMask := write.payload.resized }
    }
  }
  when(write.valid && isAbox) {
    switch(index) {
      import PalIndex.Abox._
      is(ABOX_CTL) { aboxControl := write.payload }
      is(CC) { cycleOffset := write.payload(63 downto 32).asUInt }
      is(CC_CTL) { cycles := write.payload(31 downto 0).asUInt; cycling := write.payload(32) }
      is(BIU_CTL) { biuControl := write.payload }
      is(FLUSH_IC) { flush := True }
    }
  }

  when(readFlag.valid) { interruptFlag := readFlag.payload }
  when(breakFlag) { interruptFlag := False }
  when(trap.valid) {
    exceptionAddress := trap.exceptionAddress
    when(trap.overflow) { overflow := True }
  }
  // MM_CSR: opcode 14:9, ra 8:4, WR 0.
  when(fault.valid) {
    va := fault.payload
    mmCsr := instruction(31 downto 26) ## instruction(25 downto 21) ## B"000" ## instruction(28)
  }
}
