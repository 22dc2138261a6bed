// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import spinal.core._

/** The rows of `Isa` as logic: one instruction word in, its control word out. */
class Decoder extends Component {
  val instruction = in Bits (32 bits)
  val control = out(Control())

  control.allowOverride() // rows lay their settings over the defaults
  control.assignFromBits(B(0, widthOf(control) bits))
  control.kind := Kind.nop

  private def apply(row: Encoding): Unit = {
    control.legal := True
    row.set(control)
  }

  switch(instruction(31 downto 26)) {
    for ((opcode, rows) <- Isa.all.groupBy(_.code.opcode).toSeq.sortBy(_._1)) is(opcode) {
      rows.head.code.field match {
        case None => apply(rows.head)
        case Some(field) =>
          Isa.shared.get(opcode).foreach(_(control))
          switch(instruction(field.high downto field.low)) {
            for (row <- rows.sortBy(_.code.function)) is(row.code.function) { apply(row) }
          }
      }
    }
    for (opcode <- Isa.floating) is(opcode) { control.floating := True }
  }
  // HW_LD and HW_ST keep their size in bit 12 of the instruction.
  when(instruction(31 downto 26) === 0x1b || instruction(31 downto 26) === 0x1f) {
    control.long := !instruction(12)
  }
}
