// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import mcpi.bus.EveryClock
import spinal.core._

/** The words of `PalRegisters` that only software reads: PAL_TEMPs, and the registers that are
  * `kept` for it. A block RAM has them, which answers in HW_MFPR's two clocks without a tick
  * (`SecondClock`). HW_MTPR writes what is kept in its clock without a tick; it does not read.
  */
class PalWords(p: PalRegisters) extends Area {
  import p.{index, isTemp => namesTemp, kept, tick, write => command}
  val temps = Mem(Bits(64 bits), 64)
  private def gated(select: Bool, word: Bits): Bits = word & (select #* 64)

  /** HW_MFPR's value: `others`, or one of these words. */
  def read(others: Bits, isTemp: Bool): Bits = {
    val isInRam = isTemp || kept.readable
    val at = kept.selected ? (U"10" @@ kept.at) | (U"0" @@ index)
    EveryClock(RegNext(others)) |
      gated(EveryClock(RegNext(isInRam)).setName("wasInRam"), EveryClock(temps.readSync(at)))
  }

  /** HW_MTPR. */
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
