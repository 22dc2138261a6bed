// SPDX-License-Identifier: BSD-2-Clause
package mcpi.lance

import mcpi.bus.NextEvent
import spinal.core._
import spinal.lib._

case class TransmitRingIo(c: LanceConfig) extends Bundle {
  val timing = in(LanceTiming())
  val halt = in Bool () // stopped, or a memory error
  val restart = in Bool () // a new init block: index 0
  val on = in Bool () // TXON
  val poll = in Bool () // the poll timer
  val demand = in Bool () // TDMD
  val demandTaken = out Bool ()
  val ring = in(Ring())
  val noFcs = in Bool () // MODE DTCR
  val bus = master(BusClient())
  val occupancy = in UInt (log2Up(c.siloBytes + 1) bits)
  val flush = out Bool ()
  val go, appendFcs, complete, mayRetry = out Bool ()
  val lastBit, retry, committed, collision = in Bool ()
  val result = in(SendResult()) // with lastBit
  val heartbeatExpected = in Bool () // not in internal loopback
  val transmitted, noHeartbeat, off = out Bool ()
  val skip = in UInt (NextEvent.width bits)
  val nextEvent = out UInt (NextEvent.width bits)
}

/** Transmit descriptors: finds a frame, feeds the silo, writes the status back.
  *
  * Times: sources/lance.md 2; a frame that follows another is looked for at once and pays
  * no `demand`. After a collision the first buffer is read again, so it is kept until the slot time
  * is over, unless the silo needs the next one: then a collision is the end of the frame.
  */
class TransmitRing(c: LanceConfig) extends Component {
  val io = TransmitRingIo(c)

  object TxState extends SpinalEnum {
    val idle, status, release, addressLow, length, setup, feed, lookAhead, chain, sent, heartbeat,
        microcode, writeError, writeStatus = newElement()
  }
  val state = Reg(TxState()) init TxState.idle
  val index = Reg(UInt(7 bits)) init 0
  val next = io.ring.next(index)
  // The next descriptor where it is looked at, and while this one is given back: then it is
  // `index`.
  val ahead = Bool()
  val descriptor = new DescriptorAddress(io.ring, index, next, ahead)
  val bus = new BusUser(io.bus, io.halt, descriptor.address)
  ahead := state.mux(
    TxState.feed -> True,
    TxState.lookAhead -> !bus.waiting,
    TxState.release -> bus.waiting,
    TxState.chain -> bus.waiting,
    TxState.writeStatus -> bus.waiting,
    default -> False
  )
  val flags = Reg(Bits(8 bits)) // TMD1 15:8
  val nextFlags = Reg(Bits(8 bits))
  val nextHigh = Reg(UInt(8 bits))
  val bufferHigh = Reg(UInt(8 bits)) // of the descriptor, for the write-back
  val address = Reg(UInt(24 bits))
  val left = Reg(UInt(13 bits)) // bytes of the buffer not yet fetched
  val bytes = Reg(UInt(5 bits)) // of the next burst: what is left, but not beyond 16 bytes' border
  val some = Reg(Bool()) // bytes =/= 0
  val lastBurst = Reg(Bool()) // it empties the buffer
  val due = Reg(Bool()) init False // the poll timer has run out
  val chained = Reg(Bool()) // not the first buffer of its frame
  val firstAddress = Reg(UInt(24 bits)) // of the frame, for another attempt
  val firstLength = Reg(UInt(13 bits))
  val firstBytes = Reg(UInt(5 bits))
  val firstIsSome, firstIsLast = Reg(Bool())
  val started, complete, finished, again, bufferError, addFcs = Reg(Bool()) init False
  val result = Reg(SendResult())
  val heartbeatSeen = Reg(Bool()) init False

  val demandTimer = new TicksToGo(11, io.skip)
  val demandBefore = RegNext(io.demand) init False
  when(io.demand && !demandBefore)(demandTimer.load(io.timing.demand))
  val demanded = io.demand && demandBefore && demandTimer.over

  val work = new TicksToGo(11, io.skip) // set-up, heartbeat window, microcode
  val interrupt = new TicksToGo(11, io.skip)
  val interruptDue = Reg(Bool()) init False
  io.transmitted := interruptDue && interrupt.over
  when(io.transmitted)(interruptDue := False)

  val own = io.bus.word(15)
  val endOfPacket = flags(0)
  val error = result.underflow || result.late || result.lostCarrier || result.failed
  val roomInSilo = some && io.occupancy <= c.siloBytes - 16

  io.demandTaken := False
  io.flush := state === TxState.setup
  io.go := False
  io.appendFcs := !io.noFcs || addFcs
  io.complete := complete
  // Not from the tick on in which the first buffer's descriptor goes back.
  io.mayRetry := !chained && !(state === TxState.chain && (bus.waiting || io.bus.cmd.fire))
  io.noHeartbeat := False
  io.off := False

  when(io.poll)(due := True)
  when(io.lastBit) {
    finished := True
    result := io.result
    heartbeatSeen := False
  }
  when(io.collision)(heartbeatSeen := True)
  when(io.retry)(again := True)

  def look(): Unit = {
    due := False
    io.demandTaken := True
    chained := False
    state := TxState.status
  }
  def start(): Unit = when(!started) {
    started := True
    io.go := True
  }
  val plan =
    new BurstPlan(io.bus.word, state === TxState.length, address(3 downto 0), left, bytes)
  def follow(): Unit = {
    left := plan.remain
    bytes := plan.size
    some := plan.some
    lastBurst := plan.last
  }
  def refill(): Unit = {
    address := firstAddress
    left := firstLength
    bytes := firstBytes
    some := firstIsSome
    lastBurst := firstIsLast
    Seq(started, complete, bufferError, again).foreach(_ := False)
    io.flush := True
    state := TxState.feed
  }
  // A frame that is on the wire keeps its first buffer while the silo can do without the next.
  val keeps = started && !io.committed && io.occupancy >= 16

  switch(state) {
    is(TxState.idle) {
      when(io.on && (due || demanded))(look())
    }
    is(TxState.status) {
      bus.read(2) {
        flags := io.bus.word(15 downto 8)
        bufferHigh := io.bus.word(7 downto 0).asUInt
        state := TxState.idle
        when(own)(state := Mux(io.bus.word(9), TxState.addressLow(), TxState.release()))
      }
    }
    is(TxState.release) { // owned without STP outside a frame: given back unsent
      bus.write(2, B"0" ## flags(6 downto 0) ## bufferHigh) {
        index := next
        state := TxState.status
      }
    }
    is(TxState.addressLow) {
      bus.read(0) {
        address := bufferHigh @@ io.bus.word.asUInt
        state := TxState.length
      }
    }
    is(TxState.length) {
      bus.read(4) {
        follow()
        state := TxState.feed
        when(!chained) {
          addFcs := flags(5) && Bool(c.cLance)
          firstAddress := address
          firstLength := plan.remain
          firstBytes := plan.size
          firstIsSome := plan.some
          firstIsLast := plan.last
          Seq(started, complete, finished, again, bufferError).foreach(_ := False)
          work.load(io.timing.setup)
          state := TxState.setup
        }
      }
    }
    is(TxState.setup) {
      when(work.over)(state := TxState.feed)
    }
    is(TxState.feed) {
      // A burst when sixteen bytes are free; the preamble when the threshold is in.
      bus.burst(BusKind.readBurst, address, bytes)
      when(again && !bus.waiting) {
        refill()
      } elsewhen (finished && !bus.waiting) {
        bufferError := result.underflow && !endOfPacket // before the next TMD1 was read
        state := TxState.sent
      } elsewhen (bus.waiting || roomInSilo) {
        bus.start {
          address := (address(23 downto 4) + 1) @@ U"0000"
          follow()
          when(lastBurst && endOfPacket)(complete := True)
          when(io.occupancy >= io.timing.transmitThreshold)(start())
          when(lastBurst) {
            state := Mux(endOfPacket, TxState.sent(), TxState.lookAhead())
            when(endOfPacket)(start())
          }
        }
      } elsewhen (some) {
        start() // full, although pieces of a buffer may leave it below the threshold
      }
    }
    is(TxState.lookAhead) {
      bus.read(2) {
        nextFlags := io.bus.word(15 downto 8)
        nextHigh := io.bus.word(7 downto 0).asUInt
        val another = own && !io.ring.single
        state := Mux(another && !finished, TxState.chain(), TxState.sent())
        when(!another || finished) { // send what is there; the wire runs dry
          bufferError := !another || result.underflow
          start()
        }
      }
    }
    is(TxState.chain) {
      when(again && !bus.waiting)(refill())
        .elsewhen(finished && !bus.waiting)(state := TxState.sent)
        .elsewhen(bus.waiting || !keeps) {
          bus.write(2, B"0" ## flags(6 downto 0) ## bufferHigh) {
            index := next
            flags := nextFlags
            bufferHigh := nextHigh
            chained := True
            state := TxState.addressLow
          }
        }
    }
    is(TxState.sent) {
      when(again)(refill()) elsewhen (finished) {
        work.load(io.timing.heartbeat)
        state := TxState.heartbeat
      }
    }
    is(TxState.heartbeat) {
      when(work.over) {
        // no window, no check
        io.noHeartbeat := !heartbeatSeen && io.heartbeatExpected && io.timing.heartbeat =/= 0
        work.load(io.timing.status)
        state := TxState.microcode
      }
    }
    is(TxState.microcode) {
      when(work.over)(state := Mux(error, TxState.writeError(), TxState.writeStatus()))
    }
    is(TxState.writeError) {
      val errors = (bufferError && result.underflow) ## result.underflow ## B"0" ##
        result.late ## result.lostCarrier ## result.failed
      bus.write(6, errors ## result.timeToCollision) {
        state := TxState.writeStatus
      }
    }
    is(TxState.writeStatus) { // OWN clears last of all, then TINT
      val status = B"0" ## error ## B"0" ## result.more ## result.one ## result.deferred ##
        flags(1 downto 0) ## bufferHigh
      bus.write(2, status) {
        interrupt.load(io.timing.interrupt)
        interruptDue := True
        io.off := result.underflow // TXON goes 0
        index := next
        state := TxState.idle
        when(!result.underflow)(look())
      }
    }
  }
  // True if the state moves by itself in this tick, or asks the bus for something.
  val working = state.mux(
    TxState.idle -> (io.on && (due || demanded)),
    TxState.setup -> work.over,
    TxState.heartbeat -> work.over,
    TxState.microcode -> work.over,
    TxState.feed -> (!bus.waiting && (finished || again || roomInSilo || !started)),
    TxState.chain -> (!bus.waiting && (finished || again || !keeps)),
    TxState.sent -> (finished || again),
    default -> !bus.waiting
  )
  io.nextEvent := NextEvent.first(
    NextEvent.when(working || io.transmitted || io.retry || io.poll || io.demand =/= demandBefore),
    NextEvent.when(io.halt && (state =/= TxState.idle || due || interruptDue)),
    demandTimer.nextEvent,
    work.nextEvent,
    interrupt.nextEvent
  )
  when(io.halt) {
    state := TxState.idle
    due := False
    interruptDue := False
  }
  when(io.restart)(index := 0)
}
