// SPDX-License-Identifier: BSD-2-Clause
package mcpi.node

import mcpi.console.HostOpcode
import mcpi.machine.Machine
import spinal.core._

/** Identity of the node, read by host and guest. */
case class Identity() extends Bundle {
  val magic, rtl, machine, node = Bits(64 bits)
}

object Identity {

  /** The bytes 'mCPI' from the lowest address on, version 1 above them. */
  val magic: BigInt = (BigInt(1) << 32) | HostOpcode.greeting

  /** Stands in the generated Verilog where its own digest will be (RtlDigest). */
  val placeholder: BigInt = BigInt("d16e57ed16e57ed1", 16)

  def constants(machine: Machine, node: Bits): Identity = {
    val identity = Identity()
    identity.magic := magic
    identity.rtl := placeholder
    identity.machine := machine.digest
    identity.node := node.resized
    identity
  }
}
