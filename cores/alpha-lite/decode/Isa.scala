// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import mcpi.machine.{InstructionCode, InstructionTable}
import spinal.core._

/** Code of an instruction, and its change of the default control word (everything false, a legal
  * `nop`).
  */
case class Encoding(code: InstructionCode, set: Control => Unit)

/** The control word of each instruction of the EV4 (sources/ev4.md 1.2), by mnemonic; the codes are
  * those of `machines/instructions.toml`.
  */
object Isa {
  import AluOp._
  import Condition._

  private type Meaning = Control => Unit

  private def only(set: Meaning): Meaning = set

  private def memory(load: Boolean)(more: Meaning): Meaning = c => {
    c.kind := (if (load) Kind.load else Kind.store)
    c.displaced := True
    c.readsB := True
    if (load) c.destination := Destination.ra else c.readsA := True
    more(c)
  }

  private def branch(when: Condition.E): Meaning = c => {
    c.kind := Kind.branch
    c.condition := when
    c.readsA := Bool(when != always)
    c.alu := link
    if (when == always) c.destination := Destination.ra
  }

  /** Settings that all functions of an opcode share: decoded without the function, which takes
    * longer. A function that is not there has it too, and traps.
    */
  val shared: Map[Int, Control => Unit] = Map[Int, Kind.E](
    0x10 -> Kind.alu,
    0x11 -> Kind.alu,
    0x12 -> Kind.shift,
    0x13 -> Kind.multiply
  ).map { case (opcode, kind) =>
    opcode -> ((c: Control) => {
      c.kind := kind
      c.readsA := True
      c.readsB := True
      c.destination := Destination.rc
    })
  }

  private def add(
      long: Boolean = false,
      minus: Boolean = false,
      scale: Int = 0,
      overflow: Boolean = false
  ): Meaning = c => {
    c.alu := AluOp.add
    c.long := Bool(long)
    c.subtract := Bool(minus)
    c.scale := scale
    c.overflow := Bool(overflow)
  }

  private def compare(op: AluOp.E, unsigned: Boolean = false): Meaning = c => {
    c.kind := Kind.compare
    c.alu := op
    c.subtract := True
    c.unsigned := Bool(unsigned)
  }

  private def logical(op: AluOp.E, invert: Boolean = false): Meaning = c => {
    c.alu := op
    c.invert := Bool(invert)
  }

  private def cmov(when: Condition.E): Meaning = c => {
    c.kind := Kind.cmov
    c.alu := pass
    c.condition := when
  }

  private def shift(op: ShiftOp.E, high: Boolean = false): Meaning = c => {
    c.shift := op
    c.high := Bool(high)
  }

  private def multiply(
      long: Boolean = false,
      high: Boolean = false,
      overflow: Boolean = false
  ): Meaning = c => {
    c.long := Bool(long)
    c.high := Bool(high)
    c.overflow := Bool(overflow)
  }

  private def misc(kind: Kind.E, toRa: Boolean = false): Meaning = c => {
    c.kind := kind
    if (toRa) c.destination := Destination.ra
  }

  private def pal(more: Meaning): Meaning = c => { c.palOnly := True; more(c) }

  private val lda: Meaning = c => {
    c.kind := Kind.alu
    c.alu := AluOp.add
    c.displaced := True
    c.readsB := True
    c.destination := Destination.ra
  }
  private val conditional: Meaning = c => {
    c.locked := True
    c.destination := Destination.ra
  }
  private val jump: Meaning = c => {
    c.kind := Kind.jump
    c.readsB := True
    c.alu := link
    c.destination := Destination.ra
  }

  private val memoryFormat: Seq[(String, Meaning)] = Seq(
    "lda" -> lda,
    "ldah" -> lda,
    "ldq_u" -> memory(load = true)(_.unaligned := True),
    "stq_u" -> memory(load = false)(_.unaligned := True),
    "ldl" -> memory(load = true)(_.long := True),
    "ldq" -> memory(load = true)(_ => ()),
    "ldl_l" -> memory(load = true) { c => c.long := True; c.locked := True },
    "ldq_l" -> memory(load = true)(_.locked := True),
    "stl" -> memory(load = false)(_.long := True),
    "stq" -> memory(load = false)(_ => ()),
    "stl_c" -> memory(load = false) { c => conditional(c); c.long := True },
    "stq_c" -> memory(load = false)(conditional)
  )

  private val branches: Seq[(String, Meaning)] = Seq(
    "br" -> branch(always),
    "bsr" -> branch(always),
    "blbc" -> branch(lowClear),
    "beq" -> branch(equal),
    "blt" -> branch(less),
    "ble" -> branch(lessEqual),
    "blbs" -> branch(lowSet),
    "bne" -> branch(notEqual),
    "bge" -> branch(greaterEqual),
    "bgt" -> branch(greater)
  ) ++ Seq("jmp", "jsr", "ret", "jsr_coroutine").map(_ -> jump)

  private val arithmetic: Seq[(String, Meaning)] = Seq(
    "addl" -> add(long = true),
    "s4addl" -> add(long = true, scale = 2),
    "subl" -> add(long = true, minus = true),
    "s4subl" -> add(long = true, minus = true, scale = 2),
    "s8addl" -> add(long = true, scale = 3),
    "s8subl" -> add(long = true, minus = true, scale = 3),
    "addq" -> add(),
    "s4addq" -> add(scale = 2),
    "subq" -> add(minus = true),
    "s4subq" -> add(minus = true, scale = 2),
    "s8addq" -> add(scale = 3),
    "s8subq" -> add(minus = true, scale = 3),
    "addl/v" -> add(long = true, overflow = true),
    "subl/v" -> add(long = true, minus = true, overflow = true),
    "addq/v" -> add(overflow = true),
    "subq/v" -> add(minus = true, overflow = true),
    "cmpbge" -> compare(compareBytes),
    "cmpult" -> compare(compareLess, unsigned = true),
    "cmpeq" -> compare(compareEqual),
    "cmpule" -> compare(compareLessEqual, unsigned = true),
    "cmplt" -> compare(compareLess),
    "cmple" -> compare(compareLessEqual)
  )

  private val logicals: Seq[(String, Meaning)] = Seq(
    "and" -> logical(and),
    "bic" -> logical(and, invert = true),
    "bis" -> logical(or),
    "ornot" -> logical(or, invert = true),
    "xor" -> logical(xor),
    "eqv" -> logical(xor, invert = true),
    "cmovlbs" -> cmov(lowSet),
    "cmovlbc" -> cmov(lowClear),
    "cmoveq" -> cmov(equal),
    "cmovne" -> cmov(notEqual),
    "cmovlt" -> cmov(less),
    "cmovge" -> cmov(greaterEqual),
    "cmovle" -> cmov(lessEqual),
    "cmovgt" -> cmov(greater),
    "amask" -> only(_.alu := pass),
    "implver" -> only(_.alu := zero)
  )

  /** Byte manipulation keeps the size in function bits 5:4, so the unit reads it there. */
  private val shifts: Seq[(String, Meaning)] =
    Seq(
      "srl" -> shift(ShiftOp.rightLogical),
      "sll" -> shift(ShiftOp.left),
      "sra" -> shift(ShiftOp.rightArithmetic),
      "zap" -> shift(ShiftOp.zap),
      "zapnot" -> shift(ShiftOp.zapNot)
    ) ++
      Seq("b", "w", "l", "q").flatMap { size =>
        Seq(
          s"msk${size}l" -> shift(ShiftOp.mask),
          s"ext${size}l" -> shift(ShiftOp.extract),
          s"ins${size}l" -> shift(ShiftOp.insert)
        )
      } ++
      Seq("w", "l", "q").flatMap { size =>
        Seq(
          s"msk${size}h" -> shift(ShiftOp.mask, high = true),
          s"ins${size}h" -> shift(ShiftOp.insert, high = true),
          s"ext${size}h" -> shift(ShiftOp.extract, high = true)
        )
      }

  private val multiplies: Seq[(String, Meaning)] = Seq(
    "mull" -> multiply(long = true),
    "mulq" -> multiply(),
    "umulh" -> multiply(high = true),
    "mull/v" -> multiply(long = true, overflow = true),
    "mulq/v" -> multiply(overflow = true)
  )

  private val miscellaneous: Seq[(String, Meaning)] = Seq(
    "trapb" -> misc(Kind.nop),
    "excb" -> misc(Kind.nop),
    "mb" -> misc(Kind.barrier),
    "wmb" -> misc(Kind.barrier),
    "fetch" -> misc(Kind.nop),
    "fetch_m" -> misc(Kind.nop),
    "rpcc" -> misc(Kind.cycles, toRa = true),
    "rc" -> misc(Kind.flag, toRa = true),
    "rs" -> misc(Kind.flag, toRa = true)
  )

  private val palInstructions: Seq[(String, Meaning)] = Seq(
    "call_pal" -> only(_.kind := Kind.callPal),
    "hw_mfpr" -> pal { c => c.kind := Kind.palRead; c.destination := Destination.ra },
    "hw_mtpr" -> pal { c => c.kind := Kind.palWrite; c.readsB := True },
    "hw_rei" -> pal(_.kind := Kind.palReturn),
    "hw_ld" -> pal { c =>
      c.kind := Kind.load
      c.displaced := True
      c.readsB := True
      c.destination := Destination.ra
    },
    "hw_st" -> pal { c =>
      c.kind := Kind.store
      c.displaced := True
      c.readsB := True
      c.readsA := True
    }
  )

  /** Opcodes of floating point: the FEN trap. */
  lazy val floating: Seq[Int] = InstructionTable().floating

  /** Control words by mnemonic. */
  val meanings: Map[String, Control => Unit] =
    (memoryFormat ++ branches ++ arithmetic ++ logicals ++ shifts ++ multiplies ++ miscellaneous ++
      palInstructions).toMap

  /** Every row of the table with its control word. An elaboration stops where either is missing. */
  lazy val all: Seq[Encoding] = {
    val rows = InstructionTable().rows
    for (name <- meanings.keySet -- rows.map(_.name))
      sys.error(s"machines/instructions.toml has no row '$name', which Isa.scala has")
    for (row <- rows)
      yield Encoding(
        row,
        meanings.getOrElse(row.name, sys.error(s"Isa.scala has no control word of '${row.name}'"))
      )
  }
}
