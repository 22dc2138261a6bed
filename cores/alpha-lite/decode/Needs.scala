// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import spinal.core._

/** Facts that stage D must know of its instruction to decide whether it waits.
  *
  * They are decoded before D, after the I-cache's data, and come with the
  * instruction: so D's consent begins at registers (`late`).
  */
case class Needs() extends Bundle {
  val readsA, readsB = Bool() // registers ra and rb are sources
  val branches, stores, addresses =
    Bool() // use of ra, rb: a condition; store data (ra); an address (rb)
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

  /** The same in few gates, as the word comes late in its clock: by the opcode alone, of those that
    * there are. What is illegal is killed, however long it waits. That RPCC, RC and RS write ra
    * takes more bits to know: stage D finds out (`SecondClock.inD`).
    */
  def late(word: Bits): Unit = {
    val o = word(31 downto 26)
    val isNothing = word(25 downto 21).andR.addAttribute("keep")
    val isMemory = o(5) ? !o(4) | (o(3) && o(1) && o(0)) // 0b, 0f, 1b, 1f; 28 to 2f
    val isOperate = !o(5) && o(4) && !o(3) // 10 to 13
    val isJump = o(5 downto 3) === 3 && !o(2) && o(1) && !o(0) // 1a
    val named = o(5 downto 3).mux( // rb, but of operates
      1 -> True, // 08, 09, 0b, 0f
      3 -> (o(2) ? o(0) | o(1)), // 1a, 1b, 1d, 1f; not 18, 19, 1e
      5 -> True, // 28 to 2f
      default -> False
    )
    readsA := (isMemory && o(2)) || isOperate || o(5 downto 3) === 7
    readsB := (named && !(isMemory && !o(2) && isNothing)) || (isOperate && !word(12))
    branches := o(5) && o(4)
    stores := isMemory && o(2)
    memory := isMemory && (o(2) || !isNothing)
    addresses := isMemory || isJump // if it reads rb
    multiplies := isOperate && o(1) && o(0)
    writesRa := o(5 downto 3).mux(
      1 -> !o(2), // 08, 09, 0b
      3 -> (!o(2) && (o(1) || o(0))), // 19, 1a, 1b
      5 -> (!o(2) || o(1)), // 28 to 2b, 2e, 2f
      6 -> True, // 30, 34
      default -> False
    )
    writesRc := isOperate
  }
}
