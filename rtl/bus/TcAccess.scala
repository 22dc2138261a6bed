// SPDX-License-Identifier: BSD-2-Clause
package mcpi.bus

import spinal.core._
import spinal.lib._

/** The option's side of programmed I/O (turbochannel.md): takes the address beat, lets the
  * card look, answers with `rdy` a cycle after the card was ready.
  *
  * In a tick with `selected` the access is at the card's door: `offset`, `write`, `mask` and
  * `slot.adHost` (write data) are valid. The card answers by `ready`, in any such tick, and puts
  * what is read on `answer` then. While `dmaWaits`, a new access is answered with `conflict`, once:
  * the host serves the DMA and comes again.
  * An access that is answered at once has `sel` for three cycles.
  */
class TcAccess(slot: TcSlot, dmaWaits: Bool) extends Area {
  object AccessState extends SpinalEnum {
    val idle, access, done = newElement()
  }
  val state = Reg(AccessState()) init AccessState.idle
  val address = Reg(UInt(29 bits))
  val mask = Reg(Bits(4 bits)) // 1: write this byte
  val rdy, conflict, conflicted = Reg(Bool()) init False
  val data = Reg(Bits(32 bits)) init 0

  val here = state === AccessState.access
  val selected = slot.cycle && here
  val ready = Bool()
  val answer = B(0, 32 bits) // assign it in a `when`
  val reads = selected && ready && !slot.write
  val writes = selected && ready && slot.write
  val working = state =/= AccessState.idle || slot.sel || rdy || conflict

  slot.rdy := rdy
  slot.conflict := conflict

  /** Writes the bytes that the mask names. */
  def merge(register: Bits): Unit = for (i <- 0 until 4)
    when(mask(i))(register.subdivideIn(8 bits)(i) := slot.adHost.subdivideIn(8 bits)(i))

  when(slot.cycle) {
    rdy := False
    conflict := False
    switch(state) {
      is(AccessState.idle) {
        when(slot.sel) {
          address := TcBeat.ioAddress(slot.adHost)
          mask := TcBeat.ioMask(slot.adHost)
          conflicted := False
          state := AccessState.access
          when(dmaWaits && !conflicted) {
            conflicted := True
            conflict := True
            state := AccessState.done
          }
        }
      }
      is(AccessState.access) {
        when(ready) {
          rdy := True
          data := answer
          state := AccessState.done
        }
      }
      is(AccessState.done) {
        when(!slot.sel)(state := AccessState.idle)
      }
    }
  }
  when(slot.reset)(state := AccessState.idle)
}
