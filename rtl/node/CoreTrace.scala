// SPDX-License-Identifier: BSD-2-Clause
package mcpi.node

import mcpi.bus.MemoryKind
import mcpi.core.AlphaLiteConfig
import mcpi.counters.RetirePort
import mcpi.lance.LanceSteps
import mcpi.memory.{CoherentConfig, MemoryEvents, PrivateCacheEvents}
import spinal.core._
import spinal.lib._

/** The trace of one core for a simulator: what it does in each tick.
  *
  * @param coherent the core has a private b-cache among others
  */
case class CoreTrace(c: AlphaLiteConfig, coherent: Option[CoherentConfig] = None) extends Bundle {
  private val isPrivate = coherent.isDefined
  val events = c.events
  val retire = RetirePort()
  val memory = !isPrivate generate MemoryEvents(c.writeBack) // a clock after their tick
  val lance = !isPrivate generate LanceSteps()
  val halted = isPrivate generate Bool()
  val takes = isPrivate generate Bool() // the private cache takes: kind, conditional, address
  val kind = isPrivate generate MemoryKind()
  val conditional = isPrivate generate Bool()
  val address = isPrivate generate UInt(c.bus.addressWidth bits)
  val ends = isPrivate generate Bool() // its command ends
  val decided, stores = isPrivate generate Bool() // STx_C is decided: whether it stores
  val cache = isPrivate generate PrivateCacheEvents(coherent.get)

  /** Name, first bit and width of each field, for `Node.json`. */
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

/** Traces of all cores in one word, since their number differs: core k begins at bit `stride` k. */
object CoreTrace {
  private val word = 32
  def stride(trace: CoreTrace): Int = (trace.getBitsWidth + word - 1) / word * word
}

/** A node with a trace of its cores, whose layout `Node.json` has. */
trait Traced {
  def layout: Seq[(String, Int, Int)]
}
