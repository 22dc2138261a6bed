// SPDX-License-Identifier: BSD-2-Clause
package mcpi.memory

import mcpi.bus.{BackingBus, MemoryStore}
import spinal.core._
import spinal.lib._

/** A store on its way into the backing memory. No tick passes until it is written: memory is always
  * current (docs/explanation/memory.md, Write-back D-cache). A command that was taken in an earlier
  * tick goes before it; one of its own tick, and every later one, after it.
  */
class BackgroundStore(c: MemoryConfig) extends Component {
  val store = slave(Flow(MemoryStore(c.bus)))
  val works = in Bool () // the backing memory has or gets a command of the bus
  val ends = in Bool () // the backing memory has done that command
  val backing = master(BackingBus(c.bus))
  val hold = out Bool () // no tick in the next clock
  val waits = out Bool () // a store waits
  val first = out Bool () // a store waits, and no command goes before it

  val pending = RegInit(False)
  val afterCommand = RegInit(False) // a command of an earlier tick goes first
  val stored = RegNextWhen(store.payload, store.valid)
  private val present = store.address(c.bus.addressWidth - 1 downto c.ramAddressWidth) === 0
  waits := pending
  first := pending && !afterCommand
  when(backing.cmd.fire) { pending := False }
  when(ends) { afterCommand := False }
  when(store.valid && present) {
    pending := True
    afterCommand := works && !ends
  }
  hold := store.valid || (pending && !backing.cmd.fire)
  assert(!(store.valid && pending), "a store meets another one", FAILURE)

  private val quad = stored.address(c.offsetWidth - 1 downto 3)
  private val half = stored.address(2)
  private val data =
    stored.long ? (stored.data(31 downto 0) ## stored.data(31 downto 0)) | stored.data
  private val bytes = ((!stored.long || half) #* 4) ## ((!stored.long || !half) #* 4)
  backing.cmd.valid := first
  backing.cmd.write := True
  backing.cmd.address := (stored.address(c.ramAddressWidth - 1 downto c.offsetWidth) @@
    U(0, c.offsetWidth bits)).resized
  backing.cmd.data := Cat(Seq.fill(c.bus.blockBytes / 8)(data))
  backing.cmd.mask := Cat((0 until c.bus.blockBytes / 8).map(n => bytes & (quad === n) #* 8))
}
