// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import mcpi.bus.{EveryClock, NextEvent}
import spinal.core._
import spinal.lib._

/** Numbers of the internal processor registers we keep (sources/ev4.md 1.2, DEC's PALcode header),
  * and two of our own: wait and halt.
  */
object PalIndex {
  object Ibox {
    val TB_TAG = 0x00
    val ITB_PTE = 0x01
    val ICCSR = 0x02
    val EXC_ADDR = 0x04
    val ITBZAP = 0x06
    val ITBASM = 0x07
    val ITBIS = 0x08
    val PS = 0x09
    val EXC_SUM = 0x0a
    val PAL_BASE = 0x0b
    val HIRR = 0x0c
    val HIER = 0x10
    val HALT = 0x1e // ours: stop for good
    val WAIT = 0x1f // ours: stop until HIRR & value is not zero
  }
  object Abox {
    val TB_CTL = 0x00
    val DTB_PTE = 0x02
    val MM_CSR = 0x04
    val VA = 0x05
    val DTBZAP = 0x06
    val DTBASM = 0x07
    val DTBIS = 0x08
    val ABOX_CTL = 0x0e
    val ALT_MODE = 0x0f
    val CC = 0x10
    val CC_CTL = 0x11
    val BIU_CTL = 0x12
    val FLUSH_IC = 0x15
    val FLUSH_IC_ASM = 0x17
  }
}

/** Offsets of the exception entries from PAL_BASE (sources/ev4.md 1.4). */
object Vector {
  val RESET = 0x0000
  val MCHK = 0x0020
  val ARITH = 0x0060
  val INTERRUPT = 0x00e0
  val D_FAULT = 0x01e0
  val ITB_MISS = 0x03e0
  val ITB_ACV = 0x07e0
  val DTB_MISS = 0x08e0
  val DTB_MISS_PAL = 0x09e0
  val UNALIGN = 0x11e0
  val OPCDEC = 0x13e0
  val FEN = 0x17e0
}

/** Record that a trap leaves in the registers. */
case class TrapRecord(c: AlphaLiteConfig) extends Bundle {
  val exceptionAddress = UInt(c.pcBits bits)
  val overflow = Bool()
}

/** PAL state: HW_MFPR and HW_MTPR in stage E1, traps from stage D.
  *
  * Registers that only software reads are words of a RAM; flip-flops are for bits that
  * something looks at.
  */
class PalRegisters(c: AlphaLiteConfig) extends Component {
  val tick = in Bool ()
  val skip = in UInt (NextEvent.width bits)
  val resting = out Bool () // asleep or halted, and the pins say nothing new
  val instruction = in Bits (32 bits)
  val value = out Bits (64 bits) // HW_MFPR
  val write = slave(Flow(Bits(64 bits))) // HW_MTPR
  val trap = slave(Flow(TrapRecord(c)))
  val fault = slave(Flow(UInt(64 bits))) // an access traps: its address; `instruction` is it
  val faultStatus = c.translates generate (in Bits (3 bits)) // MM_CSR's FOW, FOR, ACV
  val interrupts = in Bits (c.interrupts bits)
  val readFlag = slave(Flow(Bool())) // RC, RS: the new value
  val breakFlag = in Bool () // HW_REI
  val flag = out Bool ()

  val palBase = out(Reg(UInt(c.bus.addressWidth - 14 bits)) init (c.palBase >> 14)) // in 16 KB
  val exceptionAddress = out(Reg(UInt(c.pcBits bits)) init 0)
  val userMode = out Bool ()
  val pending = out Bool () // an enabled interrupt
  val awake = out Bool ()
  val halted = out(RegInit(False))
  val flush = out Bool ()
  val flushLocal = c.translates generate (out Bool ()) // FLUSH_IC_ASM
  val prediction = out(PredictionControl())
  val cyclesAtIssue = out Bits (64 bits) // RPCC, for an instruction in E1

  val index = instruction(4 downto 0).asUInt
  val isTemp = instruction(7)
  val isAbox = instruction(6)
  val isIbox = instruction(5)

  private val ofSoftware = new PalWords(this).setName("")

  // BPE 36, JSE 37, BHE 38: all predict from reset on.
  prediction.setAsReg()
  Seq(prediction.branches, prediction.jumps, prediction.history).foreach(_ init True)
  val mode = Reg(Bits(2 bits)) init 0 // PS: not zero is user
  val overflow = RegInit(False)
  val hier = Reg(Bits(c.interrupts bits)) init 0
  val mmCsr = Reg(Bits(15 bits)) init 0
  val va = Reg(UInt(64 bits)) init 0
  val cycles = Reg(UInt(32 bits)) init 0
  val cycleOffset = Reg(UInt(32 bits)) init 0
  val cycling = RegInit(True)
  val cyclesBefore = Reg(UInt(32 bits)) init 0 // the value of `cycles` a tick ago
  val hirr = RegNext(interrupts) init 0 // one tick after the pins
  val waitMask = Reg(Bits(c.interrupts bits)) init 0
  val asleep = RegInit(False)
  val interruptFlag = RegInit(False)

  userMode := mode =/= 0
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

  // Kept for software, zero until written. No two of them have the same index, nor this hash of it.
  val kept = new Area {
    import PalIndex._
    val indices = Seq(Ibox.ICCSR, Ibox.PS, Abox.ABOX_CTL, Abox.BIU_CTL)
    private def hash(n: Int) = (n & 15) ^ (n >> 4)
    require(indices.map(hash).distinct.size == indices.size)
    private def is(ns: Int*) = ns.map(index === _).orR
    val selected =
      (isIbox && is(Ibox.ICCSR, Ibox.PS)) || (isAbox && is(Abox.ABOX_CTL, Abox.BIU_CTL))
    val at = index(3 downto 1) @@ (index(0) ^ index(4))
    val written = Reg(Bits(16 bits)) init 0
    when(write.valid && selected) { written(at) := True }
    val readable = selected && written(at)
  }

  // Selects are one-hot, so that reading is an and-or; a named Abox register goes before the Ibox,
  // that before a temporary.
  private def gated(select: Bool, word: Bits) = word & (select #* 64)
  val reads = new Area {
    import PalIndex._
    private def abox(n: Int) = isAbox && index === n
    val anAbox = Seq(Abox.MM_CSR, Abox.VA, Abox.CC, Abox.ABOX_CTL, Abox.BIU_CTL).map(abox).orR
    private def ibox(n: Int) = isIbox && index === n && !anAbox
    private val predicts =
      (prediction.history ## prediction.jumps ## prediction.branches ## B(0, 36 bits)).resize(64)
    private val base = (palBase @@ U(0, 14 bits)).resize(64).asBits
    private val words = Seq(
      abox(Abox.MM_CSR) -> mmCsr.resize(64),
      abox(Abox.VA) -> va.asBits,
      abox(Abox.CC) -> (cycleOffset ## cycles),
      ibox(Ibox.ICCSR) -> predicts, // until written
      ibox(Ibox.EXC_ADDR) -> ProgramCounter.widen(exceptionAddress).asBits,
      ibox(Ibox.EXC_SUM) -> (overflow ## B(0, 8 bits)).resize(64),
      ibox(Ibox.PAL_BASE) -> base,
      ibox(Ibox.HIRR) -> hirr.resize(64),
      ibox(Ibox.HIER) -> hier.resize(64)
    )
    val named = words.map(_._1).orR || kept.selected
    val others = words
      .map { case (select, word) => gated(select, word) }
      .reduceBalancedTree(_ | _)
    val isTempAlone = isTemp && !named
    val word = ofSoftware.read(others, isTempAlone)
  }
  ofSoftware.write()
  value := reads.word

  // HW_MTPR has a second clock, as more than these registers follows from it.
  private def known(what: Bool) =
    (write.valid && EveryClock(RegNext(what) init False))
  val flushes = write.valid && isAbox && index === PalIndex.Abox.FLUSH_IC
  flush := known(flushes)
  if (c.translates)
    flushLocal := known(write.valid && isAbox && index === PalIndex.Abox.FLUSH_IC_ASM)
  val starts = write.valid && isIbox &&
    (index === PalIndex.Ibox.WAIT || index === PalIndex.Ibox.HALT)
  val starting = known(starts)
  awake := !sleeping && !halted && !starting
  when(write.valid && isIbox) {
    switch(index) {
      import PalIndex.Ibox._
      is(ICCSR) {
        prediction.branches := write.payload(36)
        prediction.jumps := write.payload(37)
        prediction.history := write.payload(38)
      }
      is(EXC_ADDR) { exceptionAddress := ProgramCounter.narrow(write.payload) }
      is(PS) { mode := write.payload(4 downto 3) }
      is(EXC_SUM) { overflow := False }
      is(PAL_BASE) { palBase := write.payload(c.bus.addressWidth - 1 downto 14).asUInt }
      is(HIER) { hier := write.payload.resized }
      is(HALT) { halted := True }
      is(WAIT) { asleep := True; waitMask := write.payload.resized }
    }
  }
  when(write.valid && isAbox) {
    switch(index) {
      import PalIndex.Abox._
      is(CC) { cycleOffset := write.payload(63 downto 32).asUInt }
      is(CC_CTL) { cycles := write.payload(31 downto 0).asUInt; cycling := write.payload(32) }
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
    if (c.translates) {
      mmCsr(3 downto 1) := faultStatus
      when(instruction(31 downto 26) === 0x1b && instruction(13)) { mmCsr(0) := True } // HW_LD
    }
  }
}
