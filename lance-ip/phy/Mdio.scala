// SPDX-License-Identifier: BSD-2-Clause
package mcpi.lance

import spinal.core._
import spinal.lib._

/** An access to a register of a PHY. */
case class MdioCommand() extends Bundle {
  val write = Bool()
  val phy, register = UInt(5 bits)
  val data = Bits(16 bits)
}

/** MDC, and MDIO as a pin that is driven where `drive`. */
case class MdioPins() extends Bundle with IMasterSlave {
  val mdc, drive, write = Bool()
  val read = Bool()
  override def asMaster(): Unit = { out(mdc, drive, write); in(read) }
}

/** MDIO management, IEEE 802.3 clause 22.
  *
  * `half`: clocks of half a period of MDC (which may have 2.5 MHz). `rsp` answers each command, for
  * a read with `data`; `missing` says that nobody drove the turn-around low.
  */
class Mdio(half: Int) extends Component {
  val cmd = slave(Stream(MdioCommand()))
  val rsp = master(Flow(new Bundle { val data = Bits(16 bits); val missing = Bool() }))
  val pins = master(MdioPins())

  val counter = Reg(UInt(log2Up(half) bits)) init 0
  val mdc = RegInit(False)
  val edge = counter === half - 1
  counter := edge ? U(0) | counter + 1
  when(edge) { mdc := !mdc }
  val falls = edge && mdc // a bit begins
  val rises = edge && !mdc

  // 32 bits of preamble, start 01, operation, addresses, turn-around, data. Of a read, the PHY
  // drives from the turn-around's second bit on: after MDC rises, for the next rise.
  val bits = Reg(Bits(64 bits))
  val left = Reg(UInt(7 bits)) init 0 // bits yet to begin
  val isWrite = Reg(Bool())
  val active, drive, value = RegInit(False)
  val sampled = Reg(Bits(17 bits)) // bits that the last rises found
  val pin = BufferCC(pins.read, True)
  val ends = active && falls && left === 0
  cmd.ready := !active
  when(cmd.fire) {
    active := True
    isWrite := cmd.write
    left := 64
    bits := B"32'xffffffff" ## B"01" ## (cmd.write ? B"01" | B"10") ## cmd.phy ## cmd.register ##
      B"10" ## cmd.data
  }
  when(active && falls) {
    value := bits.msb
    bits := bits |<< 1
    left := left - 1
    drive := isWrite || left > 18
  }
  when(active && rises) { sampled := sampled(15 downto 0) ## pin }
  when(ends) {
    active := False
    drive := False
  }
  rsp.valid := ends
  rsp.data := sampled(15 downto 0)
  rsp.missing := sampled(16)
  pins.mdc := mdc
  pins.drive := drive
  pins.write := value
}
