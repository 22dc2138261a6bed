// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import mcpi.bus.{EveryClock, Timing}
import spinal.core._

/** The register file's port in clocks without a tick: a late value is written there before. */
class EarlyWrites(f: RegisterFile) extends Area {
  import f._
  val owes = EveryClock(RegInit(False)) // the product is there, and not yet in the file
  owes := tick ? productComes | (product.valid && places)
  hold := owes
  val word = places ? load.payload | product.payload
  EveryClock {
    bank.write(
      tick ? write.register | word.register,
      tick ? write.value | word.value,
      tick ? write.valid | (places || product.valid)
    )
  }

  /** Asserts that in its tick a late value is in the file, and that nothing older comes later. */
  def check(): Unit = {
    def isThere(valid: Bool, late: RegisterWrite): Unit = Timing.agree(
      tick && valid,
      bank.readAsync(late.register),
      late.value,
      "a late value is not in the file"
    )
    isThere(load.valid && load.register =/= 31, load.payload)
    isThere(product.valid, product.payload)
    def clobbers(late: Bool, is: UInt) = late && write.valid && write.register === is
    val clobbered = clobbers(load.valid, load.register) || clobbers(product.valid, product.register)
    assert(!(tick && clobbered), "an older write comes after a late value", FAILURE)
  }
}
