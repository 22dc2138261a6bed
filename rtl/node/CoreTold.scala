// SPDX-License-Identifier: BSD-2-Clause
package mcpi.node

import mcpi.bus.MemoryKind
import mcpi.core.AlphaLiteConfig
import mcpi.counters.RetirePort
import mcpi.memory.{CoherentConfig, PrivateCacheEvents}
import spinal.core._
import spinal.lib._

/** What one core of several tells a simulator of a tick. */
case class CoreTold(c: AlphaLiteConfig, memory: CoherentConfig) extends Bundle {
  val events = c.events
  val retire = RetirePort()
  val halted = Bool()
  val takes = Bool() // the private cache takes a command: kind, conditional, address
  val kind = MemoryKind()
  val conditional = Bool()
  val address = UInt(c.bus.addressWidth bits)
  val ends = Bool() // its command ends
  val decided, stores = Bool() // STx_C is decided: whether it stores
  val cache = PrivateCacheEvents(memory)

  /** Name, first bit, width. */
  def layout: Seq[(String, Int, Int)] = {
    val fields = elements.flatMap { case (name, data) => named(name, data) }
    val ends = fields.scanLeft(0)(_ + _._2)
    fields.zip(ends).map { case ((name, width), at) => (name, at, width) }.toList
  }
  private def named(name: String, data: Data): Seq[(String, Int)] = data match {
    case bundle: MultiData =>
      bundle.elements.toList.flatMap { case (part, inner) => named(s"$name.$part", inner) }
    case _ => Seq(name -> data.getBitsWidth)
  }
}

/** All cores' in one word, since how many there are differs: core k begins at bit `stride` k. */
object CoreTold {
  private val word = 32
  def stride(c: AlphaLiteConfig, memory: CoherentConfig): Int =
    (CoreTold(c, memory).getBitsWidth + word - 1) / word * word
}
