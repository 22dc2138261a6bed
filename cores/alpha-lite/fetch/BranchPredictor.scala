// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import spinal.core._
import spinal.lib._

/** The chip's bits that choose what predicts, in ICCSR (sources/ev4.md 1.2, 2.1). */
case class PredictionControl() extends Bundle {
  val branches = Bool() // BPE; else a conditional branch is taken for not taken
  val jumps = Bool() // JSE: return stack and jump hints
  val history = Bool() // BHE; else the sign of the displacement
}

/** Prediction for the instruction in stage D. */
case class Prediction(c: AlphaLiteConfig) extends Bundle {
  val taken = Bool() // fetching goes on at `target`
  val target = UInt(c.pcBits - 2 bits) // longword; a branch's own also when supposed not taken
}

/** History that goes with an instruction from F2 to D. */
case class BranchHistory(c: AlphaLiteConfig) extends Bundle {
  val bits = Bits(c.blockWords bits) // of its whole block
  val mode = PredictionControl() // as it entered, since ICCSR may change under it
}

/** EV4's prediction: one history bit per instruction of the I-cache, a return stack of four.
  *
  * It predicts in D from registers alone, so F1 can be at the target in the same tick. A filled
  * block's history is the sign of each displacement; a bit changes when E1 finds it wrong, which
  * flushes every younger instruction, so the copy in flight is never out of date. The stack
  * changes when its instruction leaves D, and back if that is killed, while D is void.
  */
class BranchPredictor(c: AlphaLiteConfig) extends Component {
  private val indexBits = log2Up(c.iSets)
  private val wordBits = log2Up(c.blockWords)
  private val longwordBits = c.pcBits - 2

  val tick = in Bool ()
  val enabled = in Bool () // ev4 mode
  val control = in(PredictionControl())
  val read = slave(Flow(UInt(indexBits bits))) // F1
  val history = out(BranchHistory(c)) // F2's instruction's
  val fetched = in(Fetched(c)) // D
  val next = in UInt (longwordBits bits) // after it
  val departs = in Bool () // D's instruction leaves it, in ticks
  val killed = in Bool () // the instruction that left D in the last tick was killed
  val prediction = out(Prediction(c))
  val wrong = in Bool () // E1's instruction went another way than predicted, in ticks
  val fill = slave(Flow(new Bundle {
    val index = UInt(indexBits bits)
    val block = Bits(c.bus.blockBits bits)
  }))
  val fillWay = c.hasWays generate (in Bits (c.iWays bits)) // where it goes, one-hot
  val hits = c.hasWays generate (in Bits (c.iWays bits)) // where F2's instruction is, likewise

  // F1 and F2. What is read while its bit is turned is flushed.
  private def ram = Mem(Bits(c.blockWords bits), c.iSets).addAttribute("no_rw_check")
  val table = ram
  val read2 = table.readSync(read.payload, read.valid)
  val tables = c.hasWays generate Seq.fill(c.iWays - 1)(ram) // of the other ways
  val reads = c.hasWays generate tables.map(_.readSync(read.payload, read.valid))
  history.bits := (if (c.hasWays) MuxOH(hits, read2 +: reads) else read2)
  history.mode := control

  // D: which way?
  val instruction = fetched.instruction
  val mode = fetched.history.mode
  val opcode = instruction(31 downto 26)
  val isConditional = opcode(5 downto 3) === 7
  val isCall = opcode === 0x34
  val isBranch = opcode === 0x30 || isCall
  val isJump = opcode === 0x1a
  val pushes = isCall || (isJump && instruction(14)) // BSR, JSR, JSR_COROUTINE
  val pops = isJump && instruction(15) // RET, JSR_COROUTINE

  // An instruction that leaves D is entered a tick later: `top` moves, the address is written; or,
  // if it was killed, nothing is: nothing is in D then.
  val stack = new Area {
    val entries = Mem(UInt(longwordBits bits), 4)
    val written = Reg(Bits(4 bits)) init 0
    val last = Reg(UInt(2 bits)) init 0 // before that
    val pushing, popping = RegInit(False)
    val pushed = Reg(UInt(longwordBits bits))
    val followsJumps = enabled && mode.jumps
    val top = last + pushing.asUInt - popping.asUInt
    pushing := departs && followsJumps && pushes
    popping := departs && followsJumps && pops
    pushed := next
    when(!killed) { last := top }
    val writes = pushing && !killed
    when(writes) { written(top) := True }
    entries.write(top, pushed, writes)
    val known = written(top) || pushing
    val value = pushing ? pushed | entries.readAsync(top)
  }

  val hint = instruction(13 downto 0).asSInt.resize(longwordBits)
  val displacement = instruction(20 downto 0).asSInt.resize(longwordBits)
  private val longword = fetched.pc(c.pcBits - 1 downto 2)
  val historyBit = fetched.history.bits(longword(0, wordBits bits))
  val sum = longword + (isJump ? hint | displacement).asUInt + 1
  prediction.target := pops ? stack.value | sum
  prediction.taken := enabled && (isBranch ||
    (isConditional && mode.branches && (mode.history ? historyBit | instruction(20))) ||
    (isJump && mode.jumps && (!pops || stack.known)))

  // E1: a wrong bit is turned round.
  val learns = RegInit(False) // a conditional branch that was predicted by its bit
  val index = Reg(UInt(indexBits bits))
  val turned = Reg(Bits(c.blockWords bits))
  when(tick) {
    learns := departs && enabled && isConditional && mode.branches && mode.history
    index := longword(wordBits, indexBits bits)
    turned := fetched.history.bits ^ UIntToOh(longword(0, wordBits bits), c.blockWords)
  }
  val signs = Cat((0 until c.blockWords).map(n => fill.block(32 * n + 20)))
  val learnt = c.hasWays generate RegNextWhen(fetched.way, tick)
  private def write(table: Mem[Bits], fills: Bool, learns: Bool): Unit = table.write(
    address = fill.valid ? fill.index | index,
    data = fill.valid ? signs | turned,
    enable = fills || learns
  )
  private def turns = learns && wrong
  if (!c.hasWays) write(table, fill.valid, turns)
  else
    for ((table, way) <- (table +: tables).zipWithIndex)
      write(table, fill.valid && fillWay(way), turns && learnt === way)
}
