// SPDX-License-Identifier: BSD-2-Clause
package mcpi.lance

import mcpi.bus.NextEvent
import spinal.core._
import spinal.lib._

/** How a frame left, for its descriptor; valid with `lastBit`. */
case class SendResult() extends Bundle {
  val underflow = Bool() // the silo ran dry
  val late = Bool() // a collision after the slot time
  val lostCarrier = Bool() // no carrier at some time after the preamble
  val failed = Bool() // collisions, and no attempt left
  val one, more, deferred = Bool()
  val timeToCollision = UInt(10 bits) // bit times from the first bit of the attempt
}

case class TransmitWireIo() extends Bundle {
  val timing = in(LanceTiming())
  val halt = in Bool ()
  val mode = in(Mode())
  val halfDuplex = in Bool () // listens to `carrier` and `collision`
  val carrier, collision = in Bool ()
  val physical = in Bits (48 bits)
  val reseed = in Bool () // a new init block
  val go = in Bool () // one tick: the threshold is reached
  val appendFcs = in Bool ()
  val complete = in Bool () // every byte of the frame has entered the silo
  val mayRetry = in Bool () // the frame's first byte can be had again
  val silo = slave(Stream(Bits(8 bits)))
  val strobe, enable = out Bool ()
  val nibble = out Bits (4 bits)
  val firstBit, lastBit = out Bool () // lastBit: the tick after the last bit
  val retry = out Bool () // one tick, instead of lastBit: fill the silo again
  val committed = out Bool () // no collision can ask for the frame's start any more
  val result = out(SendResult())
  val babble = out Bool () // one tick: the 1519th byte leaves
  val skip = in UInt (NextEvent.width bits)
  val nextEvent = out UInt (NextEvent.width bits)
}

/** Preamble, frame, FCS: one nibble every 70 ticks, counted from its own start.
  *
  * The strobe runs only while there is something to send, and once more with `enable` low at the
  * end. With half duplex the chip waits for the wire, and a collision ends the attempt: the
  * preamble is finished, 32 bits of jam follow; then it tries again after the backoff, up to 16
  * times, but not after the slot time (sources/lance.md 1.4). COLL forces collisions in internal
  * loopback.
  */
class TransmitWire(c: LanceConfig) extends Component {
  val io = TransmitWireIo()

  object SendState extends SpinalEnum {
    val idle, start, preamble, low, high, fcs, jam, end = newElement()
  }
  val state = Reg(SendState()) init SendState.idle
  val toGo = Reg(UInt(11 bits)) init 0
  val nibbleToGo = Reg(UInt(log2Up(c.ticksPerNibble) bits)) init 0
  val strobe = Reg(Bool()) init False // sending, and no tick to go
  val count = Reg(UInt(4 bits)) init 0 // nibbles left of preamble, FCS or jam, less one
  val byte = Reg(Bits(8 bits))
  val bytes = Reg(UInt(11 bits)) // sent so far, saturating
  val crc = Reg(Bits(32 bits))
  val position = Reg(UInt(8 bits)) init 0 // whole nibbles since the first bit, saturating
  val collided, late, deferred, underflow, lostCarrier = Reg(Bool()) init False
  val cut = Reg(Bool()) init False // STOP or a memory error has ended the frame
  val called = Reg(Bool()) init False // `go` came while such a frame's last nibble was on the wire
  val collisionAt = Reg(UInt(8 bits)) init 0

  val sending = state =/= SendState.idle && state =/= SendState.start
  val over = strobe && state === SendState.end // the last nibble is
  val onWire = sending && state =/= SendState.jam && !over && !cut
  io.strobe := strobe
  io.enable := sending && !over
  // There before its strobe: a nibble's state is two ticks old then, the first one's is `start`.
  val nibble = Reg(Bits(4 bits)) init 0
  nibble := state.mux(
    SendState.start -> B"x5",
    SendState.preamble -> Mux(count === 0, B"xD", B"x5"),
    SendState.low -> byte(3 downto 0),
    SendState.high -> byte(7 downto 4),
    SendState.fcs -> ~crc(3 downto 0),
    SendState.jam -> B"xF",
    default -> B"x0"
  )
  io.nibble := nibble
  io.firstBit := io.strobe && state === SendState.preamble && count === 15
  val byteLeaves = io.strobe &&
    (state === SendState.high || (state === SendState.fcs && !count(0)))
  io.babble := byteLeaves && bytes === 1518
  when(byteLeaves && !bytes.andR)(bytes := bytes + 1)
  io.silo.ready := False

  // Other stations share the wire in half duplex; in internal loopback there is none.
  val shared = io.halfDuplex && !io.mode.internalLoopback
  val forced = io.mode.internalLoopback && io.mode.forceCollision
  // Collisions count after the start of a frame: these two have not changed for long.
  val listens = RegNext(shared) init False
  val collides = RegNext(forced) init False
  val collision = (listens && io.collision) || collides
  val carrier = shared && io.carrier && !sending
  val slotOver = position(7)
  // The jam of a collision in time may last until the slot time is over.
  io.committed := !(listens || collides) || (slotOver && (late || !collided))

  val deferral = new Deferral(c)
  deferral.io.carrier := carrier
  deferral.io.skip := io.skip

  val backoff = new Backoff(c)
  val mayTry = !late && backoff.io.collisions =/= 15 && !io.mode.disableRetry && io.mayRetry
  deferral.io.ended := over
  io.retry := over && collided && mayTry && !io.halt
  io.lastBit := over && !io.retry
  backoff.io.seed := io.physical
  backoff.io.reseed := io.reseed
  backoff.io.step := io.strobe
  backoff.io.collided := io.retry
  backoff.io.forget := io.lastBit || io.halt
  backoff.io.hold := io.mode.modifiedBackoff && carrier
  backoff.io.skip := io.skip

  val retried = !collided // ONE is not valid with LCOL, and RTRY says it all
  io.result.underflow := underflow
  io.result.late := collided && late
  io.result.lostCarrier := lostCarrier
  io.result.failed := collided && !late
  io.result.one := retried && backoff.io.collisions === 1
  io.result.more := retried && backoff.io.collisions > 1
  io.result.deferred := deferred
  io.result.timeToCollision := collisionAt @@ U"00"

  val detected = onWire && collision && !collided
  when(detected) {
    collided := True
    late := slotOver
    collisionAt := position
  }
  val startOver = (toGo >> 1) === 0
  val waits = state === SendState.start && startOver
  val defers = waits && carrier && !deferred
  when(defers)(deferred := True)
  when(io.strobe && !position.andR)(position := position + 1)

  when(sending) {
    nibbleToGo := Mux(strobe, U(c.ticksPerNibble - 1), (nibbleToGo - 1 - io.skip).resized)
    strobe := !strobe && nibbleToGo === (io.skip + 1).resize(nibbleToGo.getWidth)
  }

  def jam(): Unit = {
    count := 7
    nibble := 0xf
    state := SendState.jam
  }
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
  def checkCarrier(): Unit = when(shared && !io.carrier)(lostCarrier := True)

  switch(state) {
    is(SendState.idle) {
      when(io.go || called) {
        called := False
        toGo := io.timing.start
        position := 0
        state := SendState.start
        when(backoff.io.collisions === 0)(deferred := False)
      }
    }
    is(SendState.start) {
      when(!startOver)(toGo := toGo - 1 - io.skip.resized)
      when(startOver && deferral.io.clear && backoff.io.over) {
        count := 15
        nibbleToGo := 0
        strobe := True
        bytes := 0
        crc := Crc32.init
        Seq(underflow, collided, late, lostCarrier, cut).foreach(_ := False)
        collisionAt := 0
        state := SendState.preamble
      }
    }
    is(SendState.preamble) {
      when(io.strobe) {
        when(count === 15)(position := 0)
        count := count - 1
        when(count === 0) {
          when(collided || detected)(jam()).otherwise(nextByte())
        }
      }
    }
    is(SendState.low) {
      when(io.strobe) {
        crc := Crc32.step(crc, io.nibble)
        checkCarrier()
        state := SendState.high
      }
    }
    is(SendState.high) {
      when(io.strobe) {
        crc := Crc32.step(crc, io.nibble)
        checkCarrier()
        nextByte()
      }
    }
    is(SendState.fcs) {
      when(io.strobe) {
        crc := B"xF" ## crc(31 downto 4)
        checkCarrier()
        count := count - 1
        when(count === 0)(state := SendState.end)
      }
    }
    is(SendState.jam) {
      when(io.strobe) {
        count := count - 1
        when(count === 0)(state := SendState.end)
      }
    }
    is(SendState.end) {
      when(io.go)(called := True)
      when(over)(state := SendState.idle)
    }
  }
  when(detected && state =/= SendState.preamble)(jam())
  val starts = waits && deferral.io.clear && backoff.io.over
  val stops = io.halt && state =/= SendState.idle && state =/= SendState.end
  io.nextEvent := NextEvent.first(
    NextEvent.when(io.go || called || starts || stops || detected || defers || io.reseed),
    deferral.io.nextEvent,
    backoff.io.nextEvent,
    (state === SendState.start && !startOver) ? NextEvent.in(toGo - 1) | NextEvent.never,
    sending ? NextEvent.in(nibbleToGo) | NextEvent.never
  )
  when(io.halt) {
    collided := False
    called := False
    cut := sending
    when(state =/= SendState.idle && state =/= SendState.end) { // the wire must see the carrier go
      state := Mux(sending, SendState.end(), SendState.idle())
      when(!sending)(strobe := False)
      nibble := 0
    }
  }
}
