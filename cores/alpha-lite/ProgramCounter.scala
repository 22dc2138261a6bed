// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import spinal.core._

/** A program counter inside the core: 34 bits of a physical address, and on top of them bit 63 of
  * the address, which tells the kernel's segment: bits 63 to 42, FFFFFC00 00000000 hex. Other bits
  * have no meaning and are dropped; bit 0 is PAL mode.
  */
object ProgramCounter {
  val physicalBits = 34
  val bits: Int = physicalBits + 1
  val longwordBits: Int = bits - 2

  /** Program counter from a register's 64 bits. */
  def narrow(word: Bits): UInt = (word(63) ## word(physicalBits - 1 downto 0)).asUInt

  /** Program counter as 64 bits. */
  def widen(pc: UInt): UInt =
    ((pc.msb #* 22) ## B(0, 8 bits) ## pc(physicalBits - 1 downto 0)).asUInt

  def physical(pc: UInt): UInt = pc(physicalBits - 1 downto 0)
}
