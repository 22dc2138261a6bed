// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import spinal.core._

/** A component between two pins, to measure its speed: every input comes from a register of a
  * serial chain, every output goes into a register, and the exclusive or of those into a pin. So
  * all paths of the component run from register to register, and nothing can be optimised away.
  */
class BetweenPins[T <: Component](make: => T) extends Component {
  val serial = in Bool ()
  val parity = out Bool ()

  val measured = make
  private val (inputs, outputs) = measured.getOrdredNodeIo
    .filter(port => port.isOutput || port.dlcIsEmpty) // a reset that is read is driven already
    .partition(_.isInput)

  val chain = Reg(Bits(inputs.map(_.getBitsWidth).sum bits))
  chain := chain(chain.high - 1 downto 0) ## serial
  private val offsets = inputs.scanLeft(0)(_ + _.getBitsWidth)
  for ((port, offset) <- inputs.zip(offsets))
    port.assignFromBits(chain(offset, port.getBitsWidth bits))

  val sampled = RegNext(Cat(outputs.map(_.asBits)))
  parity := sampled.xorR
}
