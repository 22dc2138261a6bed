// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import spinal.core._
import spinal.lib._

/** The registers of the multiplies under way, which end in order, by name: so of 32 bits none is
  * chosen.
  */
class NamedMultiplies(late: LateResults) extends Area {
  import late.{begins, ends, multiplies, p, product}
  import p.e1
  val first, second = Reg(Flow(UInt(5 bits)))
  Seq(first, second).foreach(_.valid init False)
  change()

  private def change(): Unit = {
    val writesBack = ends && product.register =/= 31
    val one = Flow(UInt(5 bits))
    one.valid := True
    one.payload := e1.register
    when(writesBack) {
      first := second
      second.valid := False
    }
    when(begins) {
      when(second.valid || (first.valid && !writesBack)) { second := one } otherwise {
        first := one
      }
    }
  }

  def contains(register: UInt): Bool = {
    val named = Seq(first, second).map(m => m.valid && m.payload === register).reduce(_ || _)
    assert(named === multiplies(register), "another multiply is under way", FAILURE)
    named
  }
}
