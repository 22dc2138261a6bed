// SPDX-License-Identifier: BSD-2-Clause
package mcpi.lance

import mcpi.bus.NextEvent
import spinal.core._
import spinal.lib._

case class TransmitWireIo() extends Bundle {
  val timing = in(LanceTiming())
  val halt = in Bool ()
  val go = in Bool () // one tick: the threshold is reached
  val appendFcs = in Bool ()
  val complete = in Bool () // every byte of the frame has entered the silo
  val silo = slave(Stream(Bits(8 bits)))
  val strobe, enable = out Bool ()
  val nibble = out Bits (4 bits)
  val firstBit, lastBit = out Bool () // lastBit: the tick after the last bit
  val underflow = out Bool () // with lastBit: the silo ran dry
  val babble = out Bool () // one tick: the 1519th byte leaves
  val skip = in UInt (NextEvent.width bits)
  val nextEvent = out UInt (NextEvent.width bits)
}

/** Preamble, frame, FCS: one nibble every 70 ticks, counted from its own start.
  *
  * The strobe runs only while there is something to send, and once more with `enable` low at the
  * end. Full duplex: the only deferral is the spacing behind the frame before. Half duplex
  * (carrier, collisions, backoff) belongs here and is not there yet.
  */
class TransmitWire(c: LanceConfig) extends Component {
  val io = TransmitWireIo()

  object SendState extends SpinalEnum {
    val idle, start, preamble, low, high, fcs, end = newElement()
  }
  val state = Reg(SendState()) init SendState.idle
  val toGo = Reg(UInt(11 bits)) init 0
  val spacing = Reg(UInt(log2Up(c.interframeTicks + 1) bits)) init 0
  val nibbleToGo = Reg(UInt(log2Up(c.ticksPerNibble) bits)) init 0
  val count = Reg(UInt(4 bits)) init 0 // nibbles left of preamble or FCS, less one
  val byte = Reg(Bits(8 bits))
  val bytes = Reg(UInt(11 bits)) // sent so far, saturating
  val crc = Reg(Bits(32 bits))
  val underflow = Reg(Bool()) init False

  val sending = state =/= SendState.idle && state =/= SendState.start
  io.strobe := sending && nibbleToGo === 0
  io.enable := sending && state =/= SendState.end
  io.nibble := state.mux(
    SendState.preamble -> Mux(count === 0, B"xD", B"x5"),
    SendState.low -> byte(3 downto 0),
    SendState.high -> byte(7 downto 4),
    SendState.fcs -> ~crc(3 downto 0),
    default -> B"x0"
  )
  io.firstBit := io.strobe && state === SendState.preamble && count === 15
  io.lastBit := io.strobe && state === SendState.end
  io.underflow := underflow
  val byteLeaves = io.strobe &&
    (state === SendState.high || (state === SendState.fcs && !count(0)))
  io.babble := byteLeaves && bytes === 1518
  when(byteLeaves && !bytes.andR)(bytes := bytes + 1)
  io.silo.ready := False

  when(spacing =/= 0)(spacing := (spacing - 1 - io.skip).resized)
  when(sending)(
    nibbleToGo := Mux(io.strobe, U(c.ticksPerNibble - 1), (nibbleToGo - 1 - io.skip).resized)
  )

  def nextByte(): Unit = {
    when(io.silo.valid) {
      io.silo.ready := True
      byte := io.silo.payload
      state := SendState.low
    } otherwise {
      underflow := !io.complete
      count := 7
      state := Mux(io.complete && io.appendFcs, SendState.fcs(), SendState.end())
    }
  }

  switch(state) {
    is(SendState.idle) {
      when(io.go) {
        toGo := Mux(io.timing.start === 0, U(0), io.timing.start - 1)
        state := SendState.start
      }
    }
    is(SendState.start) {
      when(toGo =/= 0)(toGo := toGo - 1 - io.skip.resized)
      when(toGo === 0 && spacing === 0) {
        count := 15
        nibbleToGo := 0
        bytes := 0
        crc := Crc32.init
        underflow := False
        state := SendState.preamble
      }
    }
    is(SendState.preamble) {
      when(io.strobe) {
        count := count - 1
        when(count === 0)(nextByte())
      }
    }
    is(SendState.low) {
      when(io.strobe) {
        crc := Crc32.step(crc, io.nibble)
        state := SendState.high
      }
    }
    is(SendState.high) {
      when(io.strobe) {
        crc := Crc32.step(crc, io.nibble)
        nextByte()
      }
    }
    is(SendState.fcs) {
      when(io.strobe) {
        crc := B"xF" ## crc(31 downto 4)
        count := count - 1
        when(count === 0)(state := SendState.end)
      }
    }
    is(SendState.end) {
      when(io.strobe) {
        spacing := c.interframeTicks - 2 // a tick for each of the two states to the first bit
        state := SendState.idle
      }
    }
  }
  val starts = state === SendState.start && toGo === 0 && spacing === 0
  val stops = io.halt && state =/= SendState.idle && state =/= SendState.end
  io.nextEvent := NextEvent.first(
    NextEvent.when(io.go || starts || stops),
    NextEvent.counter(spacing),
    (state === SendState.start) ? NextEvent.counter(toGo) | NextEvent.never,
    sending ? NextEvent.in(nibbleToGo) | NextEvent.never
  )
  when(io.halt && state =/= SendState.idle) {
    state := Mux(sending, SendState.end(), SendState.idle()) // the wire must see the carrier go
  }
}
