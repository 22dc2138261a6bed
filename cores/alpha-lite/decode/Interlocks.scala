// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import mcpi.counters.Owner
import spinal.core._

/** Facts that stage D must know of an older instruction. */
case class Producer() extends Bundle {
  val valid = Bool() // it will write `register`, as far as is known in D
  val register = UInt(5 bits)
  val load = Bool() // also STx_C, whose flag takes the same way
  val shift = Bool() // also conditional moves
  val conditional = Bool() // a conditional move: it may leave the register to an older producer
  val compare, multiply = Bool()
}

/** How stage D uses a source register. */
object Use extends SpinalEnum(binarySequential) {
  val general, address, branch, storeData = newElement()
}

/** A source operand of the instruction in D: may it be read in this tick, and if not, why?
  *
  * The youngest producer decides; distances are sources/ev4.md 2.1.
  */
class Interlock(c: AlphaLiteConfig) extends Component {
  val reads = in Bool ()
  val register = in UInt (5 bits)
  val use = in(Use())
  val e1, e2 = in(Producer())
  val loadOwed = in Bool () // its value comes late from a load; perhaps in this tick
  val multiplyComes = in Bool () // its value is late, and not there in this tick
  val blocked = out Bool ()
  val awaits = out Bool () // blocked, unless the late load ends in this tick
  val owner = out(Owner())
  val byLoad = out Bool () // the load in E1 blocks; if it misses, the owner is dMiss
  val takeFromE2 = out Bool () // store data that will be ready one tick later

  blocked := False
  awaits := False
  owner := Owner.loadUse
  byLoad := False
  takeFromE2 := False
  private def block(who: Owner.E): Unit = { blocked := True; owner := who }

  when(reads && register =/= 31) {
    when(e1.valid && e1.register === register) {
      when(e1.load) {
        block(Owner.loadUse)
        byLoad := True
      }
      when(e1.multiply) { block(Owner.multiply) }
      val olderLoad = e1.conditional && e2.valid && e2.register === register && e2.load
      if (c.shiftUse == 1) when(olderLoad) { block(Owner.loadUse) }
      if (c.shiftUse == 2) when(e1.shift) {
        when(use =/= Use.storeData) { block(Owner.shift) } elsewhen (olderLoad) {
          block(Owner.loadUse)
        } otherwise { takeFromE2 := True }
      }
      if (c.compareUse == 2) when(e1.compare && use =/= Use.branch && use =/= Use.storeData) {
        block(Owner.compare)
      }
      if (c.agenUse == 2)
        when(
          use === Use.address && !e1.load && !e1.multiply && !e1.shift && !e1.compare
        ) { block(Owner.agen) }
    } elsewhen (e2.valid && e2.register === register) {
      when(e2.load) { block(Owner.loadUse) }
    } elsewhen (loadOwed) {
      awaits := True
      owner := Owner.dMiss
    } elsewhen (multiplyComes) {
      block(Owner.multiply)
    }
  }
}
