// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import mcpi.bus.EveryClock
import spinal.core._
import spinal.lib._

/** Translation's state as the front end gets it. */
case class FetchSpace(t: TlbConfig) extends Bundle with IMasterSlave {
  val user = Bool() // the mode of a fetch outside PAL mode
  val asn = UInt(t.asnBits bits)
  val forget = Bool() // `asn` changes
  val command = Flow(TlbCommand(t))
  val flushLocal = Bool() // FLUSH_IC_ASM, in ticks

  private def isPal(pc: UInt) = pc(0)
  def isUser(pc: UInt): Bool = user && !isPal(pc)
  def maps(pc: UInt): Bool = !pc.msb && !isPal(pc) // other addresses are physical or in KSEG

  override def asMaster(): Unit = { master(command); out(user, asn, forget, flushLocal) }
}

/** The registers of translation that software writes, and what a write makes the TLBs do.
  *
  * A write acts while virtual time stands, in the clock after the tick that brought it into E1: so
  * an access in stage D finds it done.
  */
class TlbRegisters(p: Pipeline) extends Area {
  import p.{c, e1, pal}
  private val t = c.tlb.get
  private val clockEnabled = EveryClock.clockEnabled // a tick, however long it is thought
  private val value = pal.write.payload
  private val index = e1.instruction(4 downto 0).asUInt
  private def ibox(n: Int) = e1.instruction(5) && index === n
  private def abox(n: Int) = e1.instruction(6) && index === n

  import PalIndex.{Abox, Ibox}
  private val itbWrites = Seq(Ibox.ITB_PTE, Ibox.ITBZAP, Ibox.ITBASM, Ibox.ITBIS).map(ibox)
  private val dtbWrites = Seq(Abox.DTB_PTE, Abox.DTBZAP, Abox.DTBASM, Abox.DTBIS).map(abox)
  private val others =
    Seq(ibox(Ibox.TB_TAG), ibox(Ibox.ICCSR), abox(Abox.TB_CTL), abox(Abox.ALT_MODE))
  val writes = pal.write.valid && (itbWrites ++ dtbWrites ++ others).orR
  val acted = EveryClock(RegInit(False))
  acted := writes && !clockEnabled
  val acts = writes && !acted

  val tag = EveryClock(Reg(UInt(t.pageBits bits)) init 0)
  val hint = EveryClock(Reg(UInt(2 bits)) init 0)
  val asn = EveryClock(Reg(UInt(t.asnBits bits)) init 0)
  val alternateUser = EveryClock(RegInit(False))
  private def pageOf(word: Bits) = word(ProgramCounter.physicalBits - 1 downto t.offsetBits).asUInt
  val forgets = acts && ibox(Ibox.ICCSR)
  when(acts) {
    when(ibox(Ibox.TB_TAG))(tag := pageOf(value))
    if (t.granularity) when(abox(Abox.TB_CTL))(hint := value(6 downto 5).asUInt)
    if (t.asn) when(ibox(Ibox.ICCSR))(asn := value(52 downto 47).asUInt)
    when(abox(Abox.ALT_MODE))(alternateUser := value(4 downto 3) =/= 0)
  }

  private def command(which: Seq[Bool]) = {
    val command = Flow(TlbCommand(t))
    command.valid := acts && which.orR
    command.fill := which(0)
    command.empty := which(1)
    command.emptyLocal := which(2)
    command.emptyPage := which(3) && !value(63 downto 34).orR // another address has no entry
    command.entry.page := which(3) ? pageOf(value) | tag
    command.entry.frame := value(32, t.pageBits bits).asUInt
    command.entry.asn := asn
    command.entry.global := value(4)
    command.entry.hint := hint
    command.entry.rights.fromPte(value)
    command
  }
  val itb = command(itbWrites)
  val dtb = command(dtbWrites)
}
