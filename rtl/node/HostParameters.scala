// SPDX-License-Identifier: BSD-2-Clause
package mcpi.node

import mcpi.machine.Machine
import spinal.core._

import scala.collection.mutable

/** The run-time parameters from their host registers, each as wide as its range needs. */
case class HostParameters(machine: Machine) extends Bundle {
  val values = Vec(machine.runParameters.map { key =>
    UInt((machine.registerMost(key).bitLength max 1) bits)
  })
  private val driving = mutable.Set[String]()

  /** Lets parameter `key` set `target`, which must be wide enough for all of its range. */
  def drive(target: Data, key: String): Unit = {
    require(machine.runParameters.contains(key), s"$key is no run-time parameter")
    val value = values(machine.runParameters.indexOf(key))
    val width = target.getBitsWidth
    require(
      width >= value.getWidth,
      s"$key goes up to ${machine.registerMost(key)}, which $width bits do not hold: " +
        "widen what it drives, or narrow its range in machines/parameters.toml"
    )
    target.assignFromBits(value.resize(width).asBits)
    driving += key
  }

  /** Parameter `key` has one value in this machine, which no register holds. */
  def fixed(key: String): Unit = driving += key

  /** Parameters that drive nothing. */
  def idle: Seq[String] = machine.runParameters.filterNot(driving)
}
