// SPDX-License-Identifier: BSD-2-Clause
package mcpi.lance

import spinal.core._
import spinal.lib._

/** A bus ownership of the chip as one to four transfers of a longword, one after the other.
  *
  * After an error, or `c.memoryErrorTicks` clocks without an answer, the chip hears nothing and
  * finds MERR by itself. When the chip lets go, the transfer under way ends as it would, and is
  * forgotten.
  */
class PartDma(c: LanceConfig) extends Component {
  val base = in Bits (8 bits) // address bits 31:24
  val chip = slave(LanceMemory())
  val memory = master(PartMemory())
  val failed, silent = out Bool () // one clock: an error; no answer
  val active = out Bool ()

  val valid, unanswered, forgotten = RegInit(False)
  val write = Reg(Bool())
  val address = Reg(UInt(30 bits))
  val more = Reg(UInt(2 bits))
  val mask = Reg(Bits(4 bits))
  val data = Reg(Bits(32 bits))
  val waited = Reg(UInt(log2Up(c.memoryErrorTicks) bits)) init 0

  memory.valid := valid
  memory.write := write
  memory.address := address
  memory.more := more
  memory.mask := mask
  memory.writeData := data
  active := valid || memory.busy

  private val lane = address(1 downto 0)
  val next = valid ? (lane + 1) | chip.address(3 downto 2)
  val last = more === 0
  val ends = valid && memory.ready
  val wanted = chip.request && !forgotten
  val good = ends && !memory.error
  val goesOn = good && wanted && !last
  val begins = !valid && !forgotten && !unanswered && chip.request

  chip.lane := (write && valid || chip.write && !valid) ? next | lane
  chip.readValid := good && wanted && !write
  chip.readData := chip.fromLongword(memory.readData)
  chip.done := good && wanted && last

  val meant = new BytesMeant(chip, next)
  when(begins || goesOn) {
    write := chip.write
    address := (base ## chip.address(23 downto 4) ## next).asUInt
    mask := meant.mask
    data := chip.longword
    more := chip.last(3 downto 2) - next
  }
  waited := (valid && !memory.ready) ? (waited + 1) | U(0)
  silent := valid && !memory.ready && waited === c.memoryErrorTicks - 1
  failed := ends && memory.error
  when(begins)(valid := True)
  when(ends && !goesOn || silent)(valid := False)
  when(failed || silent)(unanswered := True)
  when(!chip.request)(unanswered := False)
  when(valid && !chip.request)(forgotten := True)
  when(!valid)(forgotten := False)
}
