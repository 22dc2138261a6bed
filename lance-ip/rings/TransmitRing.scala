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
  val go, appendFcs, complete = out Bool ()
  val lastBit, underflow, collision = in Bool ()
  val transmitted, noHeartbeat, off = out Bool ()
  val skip = in UInt (NextEvent.width bits)
  val nextEvent = out UInt (NextEvent.width bits)
}

/** Transmit descriptors: finds a frame, feeds the silo, writes the status back.
  *
  * Times are those of facts/lance.md 2; a frame that follows another is looked for at once and pays
  * no `demand`. Collisions (ONE, MORE, RTRY, LCOL) come with half duplex.
  */
class TransmitRing(c: LanceConfig) extends Component {
  val io = TransmitRingIo(c)

  object TxState extends SpinalEnum {
    val idle, status, release, addressLow, length, setup, feed, lookAhead, chain, sent, heartbeat,
        microcode, writeError, writeStatus = newElement()
  }
  val state = Reg(TxState()) init TxState.idle
  val bus = new BusUser(io.bus, io.halt)
  val index = Reg(UInt(7 bits)) init 0
  val flags = Reg(Bits(8 bits)) // TMD1 15:8
  val nextFlags = Reg(Bits(8 bits))
  val nextHigh = Reg(UInt(8 bits))
  val bufferHigh = Reg(UInt(8 bits)) // of the descriptor, for the write-back
  val address = Reg(UInt(24 bits))
  val left = Reg(UInt(13 bits)) // bytes of the buffer not yet fetched
  val due = Reg(Bool()) init False // the poll timer has run out
  val chained = Reg(Bool()) // not the first buffer of its frame
  val started, complete, finished, underflow, bufferError, addFcs = Reg(Bool()) init False
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

  val descriptor = io.ring.descriptor(index)
  val own = io.bus.word(15)
  val endOfPacket = flags(0)
  val error = underflow || bufferError
  val room = U(16, 5 bits) - address(3 downto 0) // to the end of the 16-byte piece
  val bytes = Mux(left < room, left.resize(5), room)
  val roomInSilo = left =/= 0 && io.occupancy <= c.siloBytes - 16

  io.demandTaken := False
  io.flush := False
  io.go := False
  io.appendFcs := !io.noFcs || addFcs
  io.complete := complete
  io.noHeartbeat := False
  io.off := False

  when(io.poll)(due := True)
  when(io.lastBit) {
    finished := True
    underflow := io.underflow
    heartbeatSeen := False
  }
  when(io.collision)(heartbeatSeen := True)

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

  switch(state) {
    is(TxState.idle) {
      when(io.on && (due || demanded))(look())
    }
    is(TxState.status) {
      bus.read(descriptor + 2) {
        flags := io.bus.word(15 downto 8)
        bufferHigh := io.bus.word(7 downto 0).asUInt
        state := TxState.idle
        when(own)(state := Mux(io.bus.word(9), TxState.addressLow(), TxState.release()))
      }
    }
    is(TxState.release) { // owned without STP outside a frame: given back unsent
      bus.write(descriptor + 2, B"0" ## flags(6 downto 0) ## bufferHigh) {
        index := io.ring.next(index)
        state := TxState.status
      }
    }
    is(TxState.addressLow) {
      bus.read(descriptor) {
        address := bufferHigh @@ io.bus.word.asUInt
        state := TxState.length
      }
    }
    is(TxState.length) {
      bus.read(descriptor + 4) {
        val negative = io.bus.word(11 downto 0).asUInt
        left := U(4096, 13 bits) - negative
        state := TxState.feed
        when(!chained) {
          addFcs := flags(5) && Bool(c.cLance)
          started := False
          complete := False
          finished := False
          underflow := False
          bufferError := False
          io.flush := True
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
      when(finished) {
        state := TxState.sent
      } elsewhen (bus.waiting || roomInSilo) {
        bus.burst(BusKind.readBurst, address, bytes) {
          address := address + bytes
          left := left - bytes
          when(left === bytes && endOfPacket)(complete := True)
          when(io.occupancy >= io.timing.transmitThreshold)(start())
          when(left === bytes) {
            state := Mux(endOfPacket, TxState.sent(), TxState.lookAhead())
            when(endOfPacket)(start())
          }
        }
      }
    }
    is(TxState.lookAhead) {
      bus.read(io.ring.descriptor(io.ring.next(index)) + 2) {
        nextFlags := io.bus.word(15 downto 8)
        nextHigh := io.bus.word(7 downto 0).asUInt
        state := Mux(own && !finished, TxState.chain(), TxState.sent())
        when(!own || finished) { // send what is there; the wire runs dry
          bufferError := !own
          start()
        }
      }
    }
    is(TxState.chain) {
      bus.write(descriptor + 2, B"0" ## flags(6 downto 0) ## bufferHigh) {
        index := io.ring.next(index)
        flags := nextFlags
        bufferHigh := nextHigh
        chained := True
        state := TxState.addressLow
      }
    }
    is(TxState.sent) {
      when(finished) {
        work.load(io.timing.heartbeat)
        state := TxState.heartbeat
      }
    }
    is(TxState.heartbeat) {
      when(work.over) {
        io.noHeartbeat := !heartbeatSeen && io.timing.heartbeat =/= 0 // no window, no check
        work.load(io.timing.status)
        state := TxState.microcode
      }
    }
    is(TxState.microcode) {
      when(work.over)(state := Mux(error, TxState.writeError(), TxState.writeStatus()))
    }
    is(TxState.writeError) {
      bus.write(descriptor + 6, bufferError ## underflow ## B(0, 14 bits)) {
        state := TxState.writeStatus
      }
    }
    is(TxState.writeStatus) { // OWN clears last of all, then TINT
      val status = B"0" ## error ## B"0000" ## flags(1 downto 0) ## bufferHigh
      bus.write(descriptor + 2, status) {
        interrupt.load(io.timing.interrupt)
        interruptDue := True
        io.off := error
        index := io.ring.next(index)
        state := TxState.idle
        when(!error)(look())
      }
    }
  }
  // Whether the state moves by itself in this tick, or asks the bus for something.
  val stirs = state.mux(
    TxState.idle -> (io.on && (due || demanded)),
    TxState.setup -> work.over,
    TxState.heartbeat -> work.over,
    TxState.microcode -> work.over,
    TxState.feed -> (finished || (!bus.waiting && roomInSilo)),
    TxState.sent -> finished,
    default -> !bus.waiting
  )
  io.nextEvent := NextEvent.first(
    NextEvent.when(stirs || io.transmitted || io.poll || io.demand =/= demandBefore),
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
