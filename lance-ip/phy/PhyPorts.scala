// SPDX-License-Identifier: BSD-2-Clause
package mcpi.lance

import spinal.core._
import spinal.lib._

/** Nibbles on their way out, in the transmit clock; they change where the adapter says `step`. */
case class PhyTransmit() extends Bundle with IMasterSlave {
  val step, enable = Bool()
  val data = Bits(4 bits)

  /** Master is the gateway. */
  override def asMaster(): Unit = { in(step); out(enable, data) }
}

/** Nibbles that come in, in the receive clock, one where `step`; a step without `valid` ends the
  * frame.
  */
case class PhyReceive() extends Bundle with IMasterSlave {
  val step, valid, error = Bool()
  val data = Bits(4 bits)

  /** Master is the adapter. */
  override def asMaster(): Unit = out(step, valid, error, data)
}

/** Clocks that a PHY brings, with the node's reset taken over into them. */
object PhyClock {
  def apply(clock: Bool, falling: Boolean = false): ClockDomain = {
    val node = ClockDomain.current
    val edge = ClockDomainConfig(
      clockEdge = if (falling) FALLING else RISING,
      resetKind = ASYNC,
      resetActiveLevel = HIGH
    )
    val bare = ClockDomain(clock, config = edge)
    val reset = ResetCtrl.asyncAssertSyncDeassert(
      input = node.isResetActive,
      clockDomain = bare,
      inputPolarity = HIGH,
      outputPolarity = HIGH
    )
    ClockDomain(clock, reset, config = edge)
  }
}

/** Slots for whole frames. */
object FrameSlots {
  val count = 2
  val lengthBits = 11 // bytes of a slot: 2 to this
  def memory() = Mem(Bits(8 bits), count << lengthBits)
}
