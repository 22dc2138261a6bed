// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import spinal.core._

/** Stage D: what the instruction is, its operands, the address of its access, and what it has to
  * wait for. Nothing here is a register.
  *
  * {{{
  *   fetched ──┬─► Decoder, Needs ──► control, needs ──────┬──► Issue
  *             ├─► register file ──► Bypass ──► a, b ──┐   │
  *             │      e1, e2, e3, late ──┘             ├──►│ loadStore.next: reads D-tags
  *             ├─► displacement ───────────────────────┘   │
  *             └─► Interlock a, b ──► lockA, lockB ────────┘
  *                    e1, e2, late ──┘
  * }}}
  */
class Decode(p: Pipeline) extends Area {
  import p.{tick, fetched, c, e1, e2, e3, e2Result, e3Result, loadStore, registers, late, execute}
  val decoder = new Decoder
  val instruction = fetched.instruction
  decoder.instruction := instruction
  val control = decoder.control
  val opcode = instruction(31 downto 26).asUInt
  val ra = instruction(25 downto 21).asUInt
  val rb = instruction(20 downto 16).asUInt
  val rc = instruction(4 downto 0).asUInt
  val isLiteral = opcode(5 downto 2) === 4 && instruction(12)
  val inPal = fetched.pc(0)
  val register = control.destination.mux(
    Destination.ra -> ra,
    Destination.rc -> rc,
    default -> U(31, 5 bits)
  )
  val isLoad = control.kind === Kind.load
  val isStore = control.kind === Kind.store
  val needs = Needs()
  needs := fetched.needs
  foreseen()
  val isMemory = needs.memory
  val isMultiply = needs.multiplies
  // MB or WMB takes the whole word to know, and then decides what goes on the memory bus: it has a
  // second clock. So has the instruction before which a cold start is due.
  private def settled(what: Bool) = execute.second.inD(fetched.valid && what)
  val isBarrier = settled(control.kind === Kind.barrier)
  val isCold = settled(fetched.cold)
  execute.second.decodes := fetched.valid && (fetched.settles || fetched.cold)

  // Operands.
  val bypassA, bypassB = new Bypass
  for (
    (bypass, register, port) <- Seq(
      (bypassA, ra, registers.readA),
      (bypassB, rb, registers.readB)
    )
  ) {
    port.register := register
    bypass.register := register
    bypass.file := port.value
    bypass.e1.valid := execute.forwards
    bypass.e1.register := e1.register
    bypass.e1.value := execute.result
    bypass.e2.valid := e2.writes
    bypass.e2.register := e2.register
    bypass.e2.value := e2Result
    bypass.e3.valid := e3.writes
    bypass.e3.register := e3.register
    bypass.e3.value := e3Result
    // A late value and a product are in the file in the tick in which they are there.
    bypass.load.valid := False
    bypass.load.register := late.fromLoad.register
    bypass.load.value := late.fromLoad.value
    bypass.product.valid := False
    bypass.product.payload := late.product.value
  }
  bypassA.literal.valid := False
  bypassA.literal.payload := 0
  bypassB.literal.valid := isLiteral
  bypassB.literal.payload := instruction(20 downto 13)
  val a = bypassA.value
  val b = bypassB.value

  // The address of E1's access: the D-cache reads tags for it now. No instruction in E1 gives an
  // operand to an address; where the machine allows it, the sum comes later.
  val noneFromE1 = c.agenUse == 2 && c.shiftUse == 2 && c.compareUse == 2
  private def operand = (if (noneFromE1) bypassB.older else b).asUInt
  val base = operand.resize(34)
  val fromPal = opcode === 0x1b || opcode === 0x1f // HW_LD, HW_ST: 12 bits
  val offset =
    fromPal ? instruction(11 downto 0).asSInt.resize(16) | instruction(15 downto 0).asSInt
  val isHigh = opcode === 0x09 // LDAH
  val displacement = isHigh ? (offset @@ S(0, 16 bits)) | offset.resize(32)
  val sum = c.translates generate (operand + offset.resize(64).asUInt) // virtual
  loadStore.next := (if (c.translates) sum.resize(34) else base + offset.resize(34).asUInt)

  // Interlocks.
  val older1, older2 = Producer()
  older1.valid := e1.writes // killed or not: after a killed instruction D is empty
  older1.register := e1.register
  older1.load := e1.memory
  older1.shift := execute.control.kind === Kind.shift || execute.control.kind === Kind.cmov
  older1.conditional := execute.control.kind === Kind.cmov
  older1.compare := execute.control.kind === Kind.compare
  older1.multiply := execute.control.kind === Kind.multiply
  older2.valid := e2.writes
  older2.register := e2.register
  older2.load := e2.waits
  older2.shift := False
  older2.conditional := False
  older2.compare := False
  older2.multiply := False
  def interlock(reads: Bool, register: UInt, use: Use.C) = {
    val lock = new Interlock(c)
    lock.reads := reads
    lock.register := register
    lock.use := use
    lock.e1 := older1
    lock.e2 := older2
    lock.loadOwed := late.loadOwed(register)
    lock.multiplyComes := late.multiplyComes(register)
    lock
  }
  val useA = Use()
  useA := Use.general
  when(needs.branches) { useA := Use.branch }
  when(needs.stores) { useA := Use.storeData }
  val useB = Use()
  useB := Use.general
  when(needs.addresses) { useB := Use.address }
  // The interlocks' own copy of the register numbers: those of the register file go far.
  private def source(high: Int, number: UInt) =
    ~fetched.sources(high downto high - 4).asUInt
  val lockA = interlock(needs.readsA, source(9, ra), useA)
  val lockB = interlock(needs.readsB, source(4, rb), useB)
  // A register whose value is to come late cannot be written before. Of both registers that it
  // could be, as the decoder says late which it is.
  val settledRa = settled( // RPCC, RC, RS
    fetched.settles && control.destination === Destination.ra
  )
  private def writesRa = needs.writesRa || settledRa
  private def written(is: UInt => Bool) =
    (writesRa && is(ra)) || (needs.writesRc && is(rc))
  val meetsE1 = e1.writes && written(_ === e1.register)
  val overtakesLoad = written(late.loadOwed) // unless that ends in this tick
  val overtakesMultiply = written(late.multiplyStays) || (execute.mayMultiply && meetsE1)
  val meetsProduct = written(late.multiplyEnds) // it ends now, unless a load does

  /** Asserts that what was known before D is right of every legal instruction. */
  private def foreseen(): Unit = {
    val whole = Needs().allowOverride()
    whole.of(instruction, control)
    when(fetched.settles) { whole.writesRa := False }
    when(!whole.readsB) { whole.addresses := needs.addresses }
    val right = !control.legal || needs.asBits === whole.asBits
    assert(!(tick && fetched.valid) || right, "an instruction needs something else", FAILURE)
  }
}
