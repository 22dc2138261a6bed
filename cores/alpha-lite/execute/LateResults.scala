// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import spinal.core._
import spinal.lib._

/** Values that come after their instruction has left the pipeline: of one load, and of up to two
  * multiplies; who still waits for which register, and what is written now.
  *
  * {{{
  *   loadStore.lateLoad ──┬──────────────────────────────► registers.load     (never waits)
  *   multiplier.rsp ──────│──┬───────────────────────────► registers.product  (waits for the port)
  *                        ▼  ▼
  *   e1: one begins ──► load, multiplies ──► loadOwed, multiplyComes, … of a register: D waits
  * }}}
  */
class LateResults(val p: Pipeline) extends Area {
  import p.{c, e1, e3, loadStore, multiplier, registers}
  val fromLoad = loadStore.lateLoad
  val product = multiplier.rsp
  registers.load.valid := fromLoad.valid
  registers.load.register := fromLoad.register
  registers.load.value := fromLoad.value
  registers.places := loadStore.places
  registers.product.valid := product.valid
  registers.product.register := product.register
  registers.product.value := product.value
  registers.productComes := multiplier.comes
  multiplier.taken := registers.product.ready
  val ends = product.valid && multiplier.taken
  val write = Flow(RegisterWrite()) // the late write that counts from this tick on
  write.valid := fromLoad.valid || ends
  write.register := fromLoad.valid ? fromLoad.register | product.register
  write.value := fromLoad.valid ? fromLoad.value | product.value
  val slot = fromLoad.valid ? fromLoad.slot | product.slot

  // Values to come: of the one load, and of up to two multiplies.
  val load = RegInit(False)
  val multiplies = Reg(Bits(32 bits)) init 0
  val begins = Bool() // E1 has a multiply that writes
  when(fromLoad.valid) { load := False }
  when(ends) { multiplies(product.register) := False }
  when(begins) { multiplies(e1.register) := True }

  val named = new NamedMultiplies(this)
  private def multiplied(register: UInt) = named.contains(register)

  /** Perhaps in this tick: whether the load ends is known late. */
  def loadOwed(register: UInt) = load && fromLoad.register === register

  def namesProduct(register: UInt) = product.register === register && register =/= 31

  /** Not even in this tick. */
  def multiplyComes(register: UInt) =
    multiplied(register) && !(product.valid && product.register === register)

  /** Nor written yet: a younger write would come too early. A load that ends goes first, which
    * is known late.
    */
  val mayEnd = product.valid && !e3.writes && !registers.holds
  def multiplyStays(register: UInt) =
    multiplied(register) && !(mayEnd && product.register === register)
  def multiplyEnds(register: UInt) = mayEnd && namesProduct(register)
}
