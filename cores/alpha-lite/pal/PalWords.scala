// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import mcpi.bus.EveryClock
import spinal.core._

/** The words of `PalRegisters` that only software reads: PAL_TEMPs, and the registers that are
  * `kept` for it.
  */
abstract class PalWords(p: PalRegisters) extends Area {
  def temps: Mem[Bits]

  /** HW_MFPR's value: `others`, or one of these words. */
  def read(others: Bits, isTemp: Bool): Bits

  /** HW_MTPR. */
  def write(): Unit
  protected def gated(select: Bool, word: Bits): Bits = word & (select #* 64)
}

/** Two RAMs that answer at once. */
class PalWordsByGates(p: PalRegisters) extends PalWords(p) {
  import p.{index, isTemp, kept, write => command}
  val temps = Mem(Bits(64 bits), 32)
  val words = Mem(Bits(64 bits), 16).setName("kept_words")

  def read(others: Bits, isTemp: Bool): Bits =
    others | gated(kept.readable, words.readAsync(kept.at)) |
      gated(isTemp, temps.readAsync(index))

  def write(): Unit = {
    words.write(kept.at, command.payload, command.valid && kept.selected)
    temps.write(index, command.payload, command.valid && isTemp)
  }
}

/** A block RAM, which answers in HW_MFPR's two clocks without a tick (`SecondClock`). HW_MTPR
  * writes what is kept in its clock without a tick; it does not read.
  */
class PalWordsInRam(p: PalRegisters) extends PalWords(p) {
  import p.{index, isTemp => namesTemp, kept, tick, write => command}
  val temps = Mem(Bits(64 bits), 64)

  def read(others: Bits, isTemp: Bool): Bits = {
    val isInRam = isTemp || kept.readable
    val at = kept.selected ? (U"10" @@ kept.at) | (U"0" @@ index)
    EveryClock(RegNext(others)) |
      gated(EveryClock(RegNext(isInRam)).setName("wasInRam"), EveryClock(temps.readSync(at)))
  }

  def write(): Unit = {
    temps.addAttribute("no_rw_check").addAttribute("ram_style", "block")
    EveryClock {
      temps.write(
        tick ? (U"0" @@ index) | (U"10" @@ kept.at),
        command.payload,
        command.valid && (tick ? namesTemp | kept.selected)
      )
    }
  }
}
