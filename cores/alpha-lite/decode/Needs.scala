// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import spinal.core._

/** What stage D must know of its instruction to say whether it waits.
  *
  * On an FPGA it is decoded before D, behind the I-cache's data, and comes with the instruction: so
  * D's consent begins at registers.
  */
case class Needs() extends Bundle {
  val readsA, readsB = Bool() // registers ra and rb are sources
  val branches, stores, addresses =
    Bool() // what for: a condition; store data (ra); an address (rb)
  val memory = Bool() // a load or store; not a load to r31
  val multiplies = Bool()
  val writesRa, writesRc = Bool()

  def of(instruction: Bits, control: Control): Unit = {
    def is(kind: Kind.E) = control.kind === kind
    val isNothing = is(Kind.load) && instruction(25 downto 21).andR
    val isLiteral = instruction(31 downto 28) === 4 && instruction(12)
    readsA := control.readsA
    readsB := control.readsB && !isLiteral && !isNothing
    branches := is(Kind.branch)
    stores := is(Kind.store)
    memory := is(Kind.store) || (is(Kind.load) && !isNothing)
    addresses := memory || is(Kind.jump)
    multiplies := is(Kind.multiply)
    writesRa := control.destination === Destination.ra
    writesRc := control.destination === Destination.rc
  }
}
