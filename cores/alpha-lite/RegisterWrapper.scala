// SPDX-License-Identifier: BSD-2-Clause
package mcpi.core

import spinal.core._

/** A component between two pins, to measure its speed: every input comes from a register of a
  * serial chain, every output goes into a register, and the exclusive or of those into a pin. So
  * all paths of the component run from register to register, and nothing can be optimised away.
  *
  * @param zero inputs that are 0 instead, by the beginning of their names
  * @param open outputs that nobody reads, likewise
  */
class RegisterWrapper[T <: Component](
    make: => T,
    zero: Set[String] = Set(),
    open: Set[String] = Set()
) extends Component {
  val serial = in Bool ()
  val parity = out Bool ()

  val measured = make
  private def named(port: BaseType, names: Set[String]) =
    names.exists(port.getName().stripPrefix("io_").startsWith)
  private val (inputs, outputs) = measured.getOrdredNodeIo
    .filter(port => port.isOutput || port.dlcIsEmpty) // a reset that is read is driven already
    .filterNot(named(_, open))
    .partition(_.isInput)

  private val (tied, driven) = inputs.partition(named(_, zero))
  for (port <- tied) port.assignFromBits(B(0, port.getBitsWidth bits))
  val chain = Reg(Bits(driven.map(_.getBitsWidth).sum bits))
  chain := chain(chain.high - 1 downto 0) ## serial
  private val offsets = driven.scanLeft(0)(_ + _.getBitsWidth)
  for ((port, offset) <- driven.zip(offsets))
    port.assignFromBits(chain(offset, port.getBitsWidth bits))

  val sampled = RegNext(Cat(outputs.map(_.asBits)))
  parity := sampled.xorR
}
