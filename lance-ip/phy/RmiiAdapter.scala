// SPDX-License-Identifier: BSD-2-Clause
package mcpi.lance

import spinal.core._
import spinal.lib._

/** Pins of an RMII PHY besides the reference clock. */
case class RmiiPins() extends Bundle with IMasterSlave {
  val txEn = Bool()
  val txd = Bits(2 bits)
  val crsDv, rxEr = Bool()
  val rxd = Bits(2 bits)
  override def asMaster(): Unit = { out(txEn, txd); in(crsDv, rxEr, rxd) }
}

/** RMII in its reference clock of 50 MHz: dibits, low half of a nibble first; `fast`: 100 Mb/s,
  * else a dibit lasts ten clocks.
  */
class RmiiAdapter(reference: ClockDomain) extends Component {
  val pins = master(RmiiPins())
  val fast = in Bool () // stands still while frames pass
  val transmit = slave(PhyTransmit())
  val receive = master(PhyReceive())

  val clocked = new ClockingArea(reference) {
    val isFast = BufferCC(fast, False)

    // ---- out
    val sendCount = Reg(UInt(4 bits)) init 0
    val sendLast = isFast || sendCount === 9
    val upper = RegInit(False)
    sendCount := sendLast ? U(0) | sendCount + 1
    when(sendLast) { upper := !upper }
    transmit.step := sendLast && upper
    pins.txEn := RegNext(transmit.enable) init False
    pins.txd := RegNext(upper ? transmit.data(3 downto 2) | transmit.data(1 downto 0))

    // ---- in: a dibit where `takes`, in the middle of its ten clocks
    val carrier = RegNext(pins.crsDv) init False
    val wrong = RegNext(pins.rxEr) init False
    val dibit = RegNext(pins.rxd)
    object State extends SpinalEnum {
      val quiet, hunt, low, high = newElement()
    }
    val state = Reg(State()) init State.quiet
    val first = Reg(Bits(2 bits)) // the nibble's low dibit
    val firstCarrier = Reg(Bool())
    val count = Reg(UInt(4 bits)) init 0
    count := (count === 9 || state === State.quiet) ? U(0) | count + 1
    val takes = isFast || count === 4
    receive.step := False
    receive.valid := False
    receive.error := wrong
    receive.data := dibit ## first
    when(state === State.quiet) {
      when(carrier) { state := State.hunt }
    } elsewhen (takes) {
      switch(state) {
        is(State.hunt) { // the start delimiter ends with the first dibit of ones
          when(dibit === 3) {
            receive.step := True
            receive.valid := True
            receive.data := 0xd
            state := State.low
          }
          when(!carrier) { state := State.quiet }
        }
        is(State.low) {
          first := dibit
          firstCarrier := carrier
          state := State.high
        }
        is(State.high) { // carrier may be gone at a low dibit while there is still data
          receive.step := True
          receive.valid := carrier || firstCarrier
          state := (carrier || firstCarrier) ? State.low | State.quiet
        }
      }
    }
  }
}
