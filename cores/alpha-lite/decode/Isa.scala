// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import spinal.core._

/** A row of the instruction table: which bits name the instruction, and what it does.
  *
  * @param function None where the opcode alone decides; else the value of the function field
  * @param set      changes the default control word (everything false, a legal `nop`)
  */
case class Encoding(name: String, opcode: Int, function: Option[Int], set: Control => Unit)

/** The EV4 integer set and its PAL instructions (alpha_ev4_int.csv; sources/ev4.md 1.2). */
object Isa {
  import AluOp._
  import Condition._

  /** Where the function field is: its high and low bit, by opcode. */
  val functionField: Map[Int, (Int, Int)] =
    Map(0x18 -> (15, 0)) ++ Seq(0x10, 0x11, 0x12, 0x13).map(_ -> (11, 5))

  private def memory(name: String, opcode: Int, load: Boolean)(more: Control => Unit) =
    Encoding(
      name,
      opcode,
      None,
      c => {
        c.kind := (if (load) Kind.load else Kind.store)
        c.displaced := True
        c.readsB := True
        if (load) c.destination := Destination.ra else c.readsA := True
        more(c)
      }
    )

  private def branch(name: String, opcode: Int, when: Condition.E) =
    Encoding(
      name,
      opcode,
      None,
      c => {
        c.kind := Kind.branch
        c.condition := when
        c.readsA := Bool(when != always)
        c.alu := link
        if (when == always) c.destination := Destination.ra
      }
    )

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

  private def operate(name: String, opcode: Int, function: Int)(more: Control => Unit) =
    Encoding(name, opcode, Some(function), more)

  private def add(
      name: String,
      function: Int,
      long: Boolean = false,
      minus: Boolean = false,
      scale: Int = 0,
      overflow: Boolean = false
  ) = operate(name, 0x10, function) { c =>
    c.alu := AluOp.add
    c.long := Bool(long)
    c.subtract := Bool(minus)
    c.scale := scale
    c.overflow := Bool(overflow)
  }

  private def compare(name: String, function: Int, op: AluOp.E, unsigned: Boolean = false) =
    operate(name, 0x10, function) { c =>
      c.kind := Kind.compare
      c.alu := op
      c.subtract := True
      c.unsigned := Bool(unsigned)
    }

  private def logical(name: String, function: Int, op: AluOp.E, invert: Boolean = false) =
    operate(name, 0x11, function) { c => c.alu := op; c.invert := Bool(invert) }

  private def cmov(name: String, function: Int, when: Condition.E) =
    operate(name, 0x11, function) { c =>
      c.kind := Kind.cmov
      c.alu := pass
      c.condition := when
    }

  private def shift(name: String, function: Int, op: ShiftOp.E, high: Boolean = false) =
    operate(name, 0x12, function) { c =>
      c.shift := op
      c.high := Bool(high)
    }

  private def multiply(
      name: String,
      function: Int,
      long: Boolean = false,
      high: Boolean = false,
      overflow: Boolean = false
  ) = operate(name, 0x13, function) { c =>
    c.long := Bool(long)
    c.high := Bool(high)
    c.overflow := Bool(overflow)
  }

  private def misc(name: String, function: Int, kind: Kind.E, toRa: Boolean = false) =
    Encoding(
      name,
      0x18,
      Some(function),
      c => {
        c.kind := kind
        if (toRa) c.destination := Destination.ra
      }
    )

  private def pal(name: String, opcode: Int)(more: Control => Unit) =
    Encoding(name, opcode, None, c => { c.palOnly := True; more(c) })

  val memoryFormat: Seq[Encoding] = Seq(
    Encoding("lda", 0x08, None, lda),
    Encoding("ldah", 0x09, None, lda),
    memory("ldq_u", 0x0b, load = true)(_.unaligned := True),
    memory("stq_u", 0x0f, load = false)(_.unaligned := True),
    memory("ldl", 0x28, load = true)(_.long := True),
    memory("ldq", 0x29, load = true)(_ => ()),
    memory("ldl_l", 0x2a, load = true) { c => c.long := True; c.locked := True },
    memory("ldq_l", 0x2b, load = true)(_.locked := True),
    memory("stl", 0x2c, load = false)(_.long := True),
    memory("stq", 0x2d, load = false)(_ => ()),
    memory("stl_c", 0x2e, load = false) { c => conditional(c); c.long := True },
    memory("stq_c", 0x2f, load = false)(conditional)
  )

  private def lda(c: Control): Unit = {
    c.kind := Kind.alu
    c.alu := AluOp.add
    c.displaced := True
    c.readsB := True
    c.destination := Destination.ra
  }
  private def conditional(c: Control): Unit = {
    c.locked := True
    c.destination := Destination.ra
  }

  val branches: Seq[Encoding] = Seq(
    branch("br", 0x30, always),
    branch("bsr", 0x34, always),
    branch("blbc", 0x38, lowClear),
    branch("beq", 0x39, equal),
    branch("blt", 0x3a, less),
    branch("ble", 0x3b, lessEqual),
    branch("blbs", 0x3c, lowSet),
    branch("bne", 0x3d, notEqual),
    branch("bge", 0x3e, greaterEqual),
    branch("bgt", 0x3f, greater),
    Encoding(
      "jmp jsr ret jsr_coroutine",
      0x1a,
      None,
      c => {
        c.kind := Kind.jump
        c.readsB := True
        c.alu := link
        c.destination := Destination.ra
      }
    )
  )

  val arithmetic: Seq[Encoding] = Seq(
    add("addl", 0x00, long = true),
    add("s4addl", 0x02, long = true, scale = 2),
    add("subl", 0x09, long = true, minus = true),
    add("s4subl", 0x0b, long = true, minus = true, scale = 2),
    add("s8addl", 0x12, long = true, scale = 3),
    add("s8subl", 0x1b, long = true, minus = true, scale = 3),
    add("addq", 0x20),
    add("s4addq", 0x22, scale = 2),
    add("subq", 0x29, minus = true),
    add("s4subq", 0x2b, minus = true, scale = 2),
    add("s8addq", 0x32, scale = 3),
    add("s8subq", 0x3b, minus = true, scale = 3),
    add("addl/v", 0x40, long = true, overflow = true),
    add("subl/v", 0x49, long = true, minus = true, overflow = true),
    add("addq/v", 0x60, overflow = true),
    add("subq/v", 0x69, minus = true, overflow = true),
    compare("cmpbge", 0x0f, compareBytes),
    compare("cmpult", 0x1d, compareLess, unsigned = true),
    compare("cmpeq", 0x2d, compareEqual),
    compare("cmpule", 0x3d, compareLessEqual, unsigned = true),
    compare("cmplt", 0x4d, compareLess),
    compare("cmple", 0x6d, compareLessEqual)
  )

  val logicals: Seq[Encoding] = Seq(
    logical("and", 0x00, and),
    logical("bic", 0x08, and, invert = true),
    logical("bis", 0x20, or),
    logical("ornot", 0x28, or, invert = true),
    logical("xor", 0x40, xor),
    logical("eqv", 0x48, xor, invert = true),
    cmov("cmovlbs", 0x14, lowSet),
    cmov("cmovlbc", 0x16, lowClear),
    cmov("cmoveq", 0x24, equal),
    cmov("cmovne", 0x26, notEqual),
    cmov("cmovlt", 0x44, less),
    cmov("cmovge", 0x46, greaterEqual),
    cmov("cmovle", 0x64, lessEqual),
    cmov("cmovgt", 0x66, greater),
    operate("amask", 0x11, 0x61)(_.alu := pass),
    operate("implver", 0x11, 0x6c)(_.alu := zero)
  )

  /** Byte manipulation keeps the size in function bits 5:4, so the unit reads it there. */
  val shifts: Seq[Encoding] =
    Seq(
      shift("srl", 0x34, ShiftOp.rightLogical),
      shift("sll", 0x39, ShiftOp.left),
      shift("sra", 0x3c, ShiftOp.rightArithmetic),
      shift("zap", 0x30, ShiftOp.zap),
      shift("zapnot", 0x31, ShiftOp.zapNot)
    ) ++
      Seq("b", "w", "l", "q").zipWithIndex.flatMap { case (size, n) =>
        Seq(
          shift(s"msk${size}l", 0x02 + 16 * n, ShiftOp.mask),
          shift(s"ext${size}l", 0x06 + 16 * n, ShiftOp.extract),
          shift(s"ins${size}l", 0x0b + 16 * n, ShiftOp.insert)
        )
      } ++
      Seq("w", "l", "q").zipWithIndex.flatMap { case (size, n) =>
        Seq(
          shift(s"msk${size}h", 0x52 + 16 * n, ShiftOp.mask, high = true),
          shift(s"ins${size}h", 0x57 + 16 * n, ShiftOp.insert, high = true),
          shift(s"ext${size}h", 0x5a + 16 * n, ShiftOp.extract, high = true)
        )
      }

  val multiplies: Seq[Encoding] = Seq(
    multiply("mull", 0x00, long = true),
    multiply("mulq", 0x20),
    multiply("umulh", 0x30, high = true),
    multiply("mull/v", 0x40, long = true, overflow = true),
    multiply("mulq/v", 0x60, overflow = true)
  )

  val miscellaneous: Seq[Encoding] = Seq(
    misc("trapb", 0x0000, Kind.nop),
    misc("excb", 0x0400, Kind.nop),
    misc("mb", 0x4000, Kind.barrier),
    misc("wmb", 0x4400, Kind.barrier),
    misc("fetch", 0x8000, Kind.nop),
    misc("fetch_m", 0xa000, Kind.nop),
    misc("rpcc", 0xc000, Kind.cycles, toRa = true),
    misc("rc", 0xe000, Kind.flag, toRa = true),
    misc("rs", 0xf000, Kind.flag, toRa = true)
  )

  val palInstructions: Seq[Encoding] = Seq(
    Encoding("call_pal", 0x00, None, _.kind := Kind.callPal),
    pal("hw_mfpr", 0x19) { c => c.kind := Kind.palRead; c.destination := Destination.ra },
    pal("hw_mtpr", 0x1d) { c => c.kind := Kind.palWrite; c.readsB := True },
    pal("hw_rei", 0x1e)(_.kind := Kind.palReturn),
    pal("hw_ld", 0x1b) { c =>
      c.kind := Kind.load
      c.displaced := True
      c.readsB := True
      c.destination := Destination.ra
    },
    pal("hw_st", 0x1f) { c =>
      c.kind := Kind.store
      c.displaced := True
      c.readsB := True
      c.readsA := True
    }
  )

  /** Opcodes that take the FEN trap: floating point loads, stores, operates and branches. */
  val floating: Seq[Int] = (0x14 to 0x17) ++ (0x20 to 0x27) ++ (0x31 to 0x33) ++ (0x35 to 0x37)

  val all: Seq[Encoding] = memoryFormat ++ branches ++ arithmetic ++ logicals ++ shifts ++
    multiplies ++ miscellaneous ++ palInstructions
}
