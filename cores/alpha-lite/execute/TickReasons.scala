// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import mcpi.counters.Owner
import spinal.core._

/** Why the instruction in stage D issues in this tick, or why it does not: a bit for each reason,
  * and the owners of those that have several. The first reason that holds owns the tick
  * (sources/ev4.md 4.3).
  *
  * The reasons come at the end of the tick. Whoever counts owners reads them a tick later, from
  * registers, so the choice among them lengthens no path.
  */
case class TickReasons(translates: Boolean = false) extends Bundle {
  val awake = Bool() // neither halted nor waiting for an interrupt
  val mispredicted = Bool() // E1 redirects
  val redirectOwner = Owner()
  val dValid = Bool() // D has an instruction
  val emptyOwner = Owner() // if it has none
  val excepted, multiplierTraps, exceptional, cold = Bool()
  val blocksAll, blockedByIo, blockedByLock = Bool()
  val blockedA, byLoadA, blockedB, byLoadB = Bool() // by an operand; by the load in E1
  val ownerA, ownerB = Owner()
  val missed = Bool() // the load in E1 misses
  val overtakesLoad, meetsE1 = Bool() // the register it writes has a late load to come, or may
  val multiply = Bool()
  val isMemory, isBarrier, filling, undrained = Bool()
  val misplaced = Bool() // its access traps
  val awaitsFloor = translates generate Bool() // it ends a refill too early

  def owner: Owner.C = {
    val who = Owner()
    val fillGoesOn = filling || missed
    when(!awake) {
      who := Owner.idle
    } elsewhen (mispredicted) {
      who := redirectOwner
    } elsewhen (!dValid) {
      who := emptyOwner
    } elsewhen (excepted) {
      who := Owner.exception
    } elsewhen (multiplierTraps) {
      who := Owner.multiply
    } elsewhen (exceptional) {
      who := Owner.exception
    } elsewhen (cold) {
      who := Owner.barrier
    } elsewhen (blocksAll) {
      who := blockedByIo ? Owner.io | (blockedByLock ? Owner.barrier | Owner.writeBufferFull)
    } elsewhen (blockedA) {
      who := (byLoadA && missed) ? Owner.dMiss | ownerA
    } elsewhen (blockedB) {
      who := (byLoadB && missed) ? Owner.dMiss | ownerB
    } elsewhen (overtakesLoad || (missed && meetsE1)) {
      who := Owner.dMiss
    } elsewhen (multiply) {
      who := Owner.multiply
    } elsewhen (isMemory && fillGoesOn) {
      who := Owner.memoryPort
    } elsewhen (isBarrier && (fillGoesOn || undrained)) {
      who := Owner.barrier
    } elsewhen (misplaced) {
      who := Owner.exception
    } otherwise {
      who := Owner.issue
      if (translates) when(awaitsFloor) { who := Owner.translation }
    }
    who
  }
}
