// SPDX-License-Identifier: BSD-2-Clause
package mcpi.lance

import spinal.core._
import spinal.lib._

/** How an accepted frame ended: `length` bytes are in the silo, FCS included. */
case class FrameEnd(c: LanceConfig) extends Bundle {
  val length = UInt(12 bits)
  val stop = UInt(7 bits) // the silo's write pointer after them
  val crc = Bool()
  val framing = Bool() // CRC error and a last byte that was not whole
  val overflow = Bool() // the silo was full; what came later is lost
  val runt = Bool() // below 64 bytes: no status, the descriptor is used again
  val path = c.classifier generate UInt(4 bits)
}

case class ReceiveWireIo(c: LanceConfig) extends Bundle {
  val enabled = in Bool () // RXON
  val halt = in Bool ()
  val strobe, dataValid, error = in Bool ()
  val turns = in Bool () // the receiver hears another wire from the next tick on
  val endHasRoom = in Bool () // a frame that is taken now may end
  val nibble = in Bits (4 bits)
  val mode = in(Mode())
  val physical = in Bits (48 bits)
  val logical = in Bits (64 bits)
  val push = master(Flow(Bits(8 bits)))
  val full = in Bool ()
  val committed = in UInt (7 bits) // the silo's write pointer
  val commit, rollback = out Bool ()
  val end = master(Flow(FrameEnd(c)))
  val overflowed = out Bool () // the frame that is coming in has lost bytes
  val busy = out Bool ()
  val deciding = out Bool () // the address filter speaks in this tick
  val arriving = out Bool () // and takes the frame
  val lost = out Bool () // or would, if its end had room
  val entries = c.classifier generate slave(Flow(EntryWrite()))
}

/** Hunts for the start delimiter, checks address and FCS, fills the silo.
  *
  * A frame's bytes enter the silo from the first on; the address decides, a tick after the sixth,
  * whether they stay. The end of a frame is a strobe without `dataValid`; `error` spoils the FCS.
  *
  * In loopback the transmitter has the CRC circuit unless DTCR leaves it to the receiver: then the
  * FCS is not checked and no group address found (sources/lance.md 1.7). Short frames are taken.
  */
class ReceiveWire(c: LanceConfig) extends Component {
  val io = ReceiveWireIo(c)

  object HuntState extends SpinalEnum {
    val idle, hunt, frame, skip = newElement()
  }
  val state = Reg(HuntState()) init HuntState.idle
  val odd = Reg(Bool()) // one nibble of a byte is here
  val low = Reg(Bits(4 bits))
  val crc = Reg(Bits(32 bits)) // over all nibbles
  val wholeCrc = Reg(Bits(32 bits)) // over whole bytes
  val destination = Reg(Bits(48 bits))
  val length = Reg(UInt(12 bits)) // bytes received, saturating
  val stored = Reg(UInt(12 bits)) // bytes in the silo
  val accepted, overflow, spoilt = Reg(Bool()) init False
  // The tick after the address's last nibble; without room for the frame's end the other one.
  val deciding, refusing = Reg(Bool()) init False

  val byte = io.nibble ## low
  val crcNext = Crc32.step(crc, io.nibble)
  val ownCrc = !io.mode.loopback || io.mode.noFcs
  val filter = new AddressFilter(
    destination,
    byte,
    crc,
    crcNext,
    ownCrc,
    io.mode.promiscuous,
    io.physical,
    io.logical
  )
  val accepts = filter.accepts
  val bad = ownCrc && (spoilt || wholeCrc =/= B(Crc32.residue, 32 bits))

  val classifier = c.classifier generate new Classifier
  if (c.classifier) {
    classifier.io.write << io.entries
    classifier.io.begins := False
    classifier.io.byte << io.push
    io.end.path := classifier.io.path
  }

  io.push.valid := False
  io.push.payload := byte
  io.commit := False
  io.rollback := False
  io.end.valid := False
  io.end.length := stored
  io.end.stop := io.committed
  io.end.crc := bad
  io.end.framing := bad && odd
  io.end.overflow := overflow
  io.end.runt := length < 64 && !io.mode.loopback
  io.overflowed := overflow
  io.busy := state =/= HuntState.idle
  io.deciding := deciding || refusing
  io.arriving := deciding && accepts
  io.lost := refusing && accepts
  deciding := False
  refusing := False

  when(io.strobe) {
    switch(state) {
      is(HuntState.idle) {
        when(io.dataValid)(state := Mux(io.enabled, HuntState.hunt(), HuntState.skip()))
        when(io.dataValid && io.enabled && io.nibble === 0xd)(state := HuntState.frame)
        begin()
      }
      is(HuntState.hunt) {
        when(!io.dataValid)(state := HuntState.idle)
          .elsewhen(io.nibble === 0xd)(state := HuntState.frame)
        begin()
      }
      is(HuntState.frame) {
        when(io.dataValid) {
          odd := !odd
          low := io.nibble
          crc := crcNext
          when(io.error)(spoilt := True)
          when(odd)(wholeByte())
        } otherwise {
          state := HuntState.idle
          io.end.valid := accepted
          io.rollback := !accepted
        }
      }
      is(HuntState.skip) {
        when(!io.dataValid)(state := HuntState.idle)
      }
    }
  }
  when(deciding) {
    accepted := accepts
    io.commit := accepts
    io.rollback := !accepts
    when(!accepts)(state := HuntState.skip)
  }
  when(refusing) {
    io.rollback := True
    state := HuntState.skip
  }
  // A frame that comes while the chip stops is not received to its end, but its end must be seen.
  val ends = io.strobe && !io.dataValid
  when(io.halt && state =/= HuntState.idle && !ends)(state := HuntState.skip)
  when(io.turns)(state := HuntState.idle)

  private def begin(): Unit = {
    if (c.classifier) classifier.io.begins := True
    odd := False
    crc := Crc32.init
    length := 0
    stored := 0
    accepted := False
    overflow := False
    spoilt := False
  }

  private def wholeByte(): Unit = {
    wholeCrc := crcNext
    when(!length.andR)(length := length + 1)
    when(length < 6)(destination := byte ## destination(47 downto 8))
    when(io.full || overflow) {
      overflow := True
    } otherwise {
      io.push.valid := True
      io.commit := accepted
      stored := stored + 1
    }
    deciding := length === 5 && io.endHasRoom
    refusing := length === 5 && !io.endHasRoom
  }
}
