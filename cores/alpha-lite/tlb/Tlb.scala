// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import spinal.core._
import spinal.lib._

/** TLB of one side: its entries in a RAM, searched one a clock while virtual time stands, and a
  * register with the page that was asked for last, which answers at once.
  *
  * {{{
  *   clock     │  tick   │ no tick │ no tick │ no tick │  tick   │
  *   page      ╳ p, not the last one, stands until the next tick ╳
  *   at        0         │    0    │    1    │    2    │
  *   known     ▔▔▔▔\_____________________________/▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔   entry 1 matches p
  * }}}
  *
  * Entries are looked at from the lowest number on, so that of two that match the lower one
  * answers. The answer counts for one page alone, and until the next command: so it never differs
  * from what a search would find.
  */
class Tlb(t: TlbConfig, entries: Int) extends Component {
  private val numberBits = log2Up(entries)
  private def number() = UInt(numberBits bits)

  val asn = in UInt (t.asnBits bits) // of the address space; a change comes with `forget`
  val forget = in Bool ()
  val command = slave(Flow(TlbCommand(t))) // not while `busy`
  val busy = out Bool () // a command goes on
  val ask = in Bool () // is `page` mapped? No tick while the answer is not known
  val page = in UInt (t.pageBits bits)
  val known = out Bool () // the answer is of this page
  val answer = out(PageAnswer(t))
  val used = in Bool () // an access uses the entry of the answer, in a tick

  val ram = Mem(TlbEntry(t), entries)
  val valids, globals = Reg(Bits(entries bits)) init 0
  val pointer = Reg(number()) init 0
  private def following(n: UInt) = (n === entries - 1) ? U(0, numberBits bits) | (n + 1)

  // The last answer.
  val resultValid = RegInit(False)
  val last = Reg(UInt(t.pageBits bits))
  val lastNumber = Reg(number())
  val lastAnswer = Reg(PageAnswer(t))
  answer := lastAnswer
  known := resultValid && last === page

  // The search.
  val searching, clearing = RegInit(False)
  val at = Reg(number()) init 0
  val wanted = Reg(UInt(t.pageBits bits))
  val found = ram.readAsync(at)
  val matches = valids(at) && found.matches(wanted, asn)
  val ends = at === entries - 1
  busy := clearing
  when(!searching && !clearing && ask && !known) {
    searching := True
    wanted := page
  }
  when(searching || clearing) { at := following(at) }
  when(searching && (matches || ends)) {
    searching := False
    at := 0
    resultValid := True
    last := wanted
    lastNumber := at
    lastAnswer.found := matches
    lastAnswer.global := found.global
    lastAnswer.frame := found.physical(wanted)
    lastAnswer.rights := found.rights
  }
  when(clearing) {
    when(matches)(valids(at) := False)
    when(ends)(clearing := False)
  }

  if (t.notLastUsed) when(used && lastNumber === pointer)(pointer := following(pointer))

  // Commands.
  ram.write(pointer, command.entry, command.valid && command.fill)
  when(command.valid || forget) {
    resultValid := False
    searching := False
    at := 0
  }
  when(command.valid) {
    when(command.fill) {
      valids(pointer) := True
      globals(pointer) := command.entry.global
      pointer := following(pointer)
    }
    when(command.empty) {
      valids := 0
      pointer := 0
    }
    when(command.emptyLocal)(valids := valids & globals)
    when(command.emptyPage) {
      clearing := True
      wanted := command.entry.page
    }
  }
}
