// SPDX-License-Identifier: BSD-2-Clause
package mcpi.lance

import mcpi.bus.NextEvent
import spinal.core._
import spinal.lib._

case class ReceiveRingIo(c: LanceConfig) extends Bundle {
  val timing = in(LanceTiming())
  val halt = in Bool ()
  val restart = in Bool ()
  val on = in Bool () // RXON
  val poll = in Bool ()
  val ring = in(Ring())
  val bus = master(BusClient())
  val committed, read = in UInt (7 bits) // pointers of the silo
  val grows = in Bool () // `committed` moves on by one
  val arriving = in Bool () // the address filter has just taken a frame
  val popSilo = out Bool () // besides the bus master's pops: bytes nobody wants
  val end = slave(Stream(FrameEnd(c)))
  val loopback = c.classifier generate (in Bool ())
  val overflowed = in Bool () // the frame whose end has not come yet has lost bytes
  val received, miss = out Bool ()
  val skip = in UInt (NextEvent.width bits)
  val nextEvent = out UInt (NextEvent.width bits)
}

/** Receive descriptors: empties the silo into buffers, writes length and status back.
  *
  * A descriptor is looked for ahead of time and held; when a frame is accepted and none is held,
  * the ring is read once more, and the frame is missed if the chip owns no buffer.
  */
class ReceiveRing(c: LanceConfig) extends Component {
  val io = ReceiveRingIo(c)

  object RxState extends SpinalEnum {
    val idle, status, addressLow, length, data, lookAhead, chain, drain, microcode, writeCount,
        writeStatus = newElement()
  }
  val state = Reg(RxState()) init RxState.idle
  val index = Reg(UInt(7 bits)) init 0
  val next = io.ring.next(index)
  // The next descriptor where it is looked at, and while this one is given back: then it is
  // `index`.
  val ahead = Bool()
  val descriptor = new DescriptorAddress(io.ring, index, next, ahead)
  val bus = new BusUser(io.bus, io.halt, descriptor.address)
  ahead := state.mux(
    RxState.data -> True,
    RxState.lookAhead -> !bus.waiting,
    RxState.chain -> bus.waiting,
    RxState.writeStatus -> bus.waiting,
    default -> False
  )
  val held = Reg(Bool()) init False
  val due = Reg(Bool()) init False
  val forFrame = Reg(Bool()) // this look decides about a frame that is here
  val chained = Reg(Bool()) init False
  val bufferHigh, nextHigh = Reg(UInt(8 bits))
  val buffer = Reg(UInt(24 bits)) // as in the descriptor: a runt uses it again
  val bufferBytes = Reg(UInt(13 bits))
  val bufferBurst = Reg(UInt(5 bits)) // its first
  val address = Reg(UInt(24 bits))
  val left = Reg(UInt(13 bits)) // room in the buffer
  val wanted = Reg(UInt(5 bits)) // of the next burst, if the silo has so many
  val short = Reg(Bool()) init False // the last burst left room that `left` does not know of
  val bufferError = Reg(Bool()) init False

  val plan =
    new BurstPlan(io.bus.word, state === RxState.length, buffer(3 downto 0), left, wanted)

  val work = new TicksToGo(11, io.skip)
  val interrupt = new TicksToGo(11, io.skip)
  val interruptDue = Reg(Bool()) init False
  io.received := interruptDue && interrupt.over
  when(io.received)(interruptDue := False)

  val own = io.bus.word(15)
  // Once the end is known the silo may already hold the next frame's bytes after it.
  val limit = Mux(io.end.valid, io.end.stop, io.committed)
  val someReady = limit =/= io.read
  val lostBytes = Mux(io.end.valid, io.end.overflow, io.overflowed) // of this frame, so far
  val present = io.committed =/= io.read || io.end.valid || io.arriving
  // How many, while nothing is taken from the silo.
  val ready = Reg(UInt(7 bits)) init 0
  val readyNow = limit - io.read
  val more = io.grows && !io.end.valid
  ready := readyNow + more.asUInt
  // The same with what is wanted, thought out with `ready`: of a burst, none of which runs.
  val wantedNext = Mux(state === RxState.idle, bufferBurst, Mux(bus.waiting, plan.size, wanted))
  val some = RegNext(someReady || more) init False // ready =/= 0
  val room = RegNext(wantedNext =/= 0) init False // wanted =/= 0
  val covers = RegNext(Mux(more, readyNow >= wantedNext - 1, readyNow >= wantedNext)) init False
  val bytes = Mux(covers, wanted, ready.resize(5))
  val enough = room && some && (covers || io.end.valid)

  // RMD3 15:12: the path of a frame that is whole and in one buffer.
  private def path: Bits =
    if (!c.classifier) B"0000"
    else Mux(io.end.crc || chained || io.loopback, B"0000", io.end.path.asBits)

  io.popSilo := False
  io.end.ready := False
  io.miss := False
  when(io.poll)(due := True)

  def look(decides: Bool): Unit = {
    due := False
    forFrame := decides
    chained := False
    state := RxState.status
  }
  def announce(): Unit = {
    interrupt.load(io.timing.interrupt)
    interruptDue := True
  }
  def take(at: UInt, room: UInt, burst: UInt): Unit = {
    address := at
    left := room
    wanted := burst
  }
  def status(error: Bool, framing: Bool, overflow: Bool, crc: Bool, last: Bool): Bits =
    B"0" ## error ## framing ## overflow ## crc ## bufferError ## !chained ## last ## bufferHigh

  switch(state) {
    is(RxState.idle) {
      bufferError := False
      short := False
      chained := False // a runt may have been
      take(buffer, bufferBytes, bufferBurst)
      when(io.on) {
        when(present && held)(state := RxState.data)
          .elsewhen(!held && (present || due))(look(present))
        when(held)(due := False)
      }
    }
    is(RxState.status) {
      bus.read(2) {
        bufferHigh := io.bus.word(7 downto 0).asUInt
        state := RxState.idle
        when(own)(state := RxState.addressLow)
        when(!own && forFrame) {
          io.miss := True
          state := RxState.drain
        }
      }
    }
    is(RxState.addressLow) {
      bus.read(0) {
        buffer := bufferHigh @@ io.bus.word.asUInt
        state := RxState.length
      }
    }
    is(RxState.length) {
      bus.read(4) {
        bufferBytes := plan.remain
        bufferBurst := plan.size
        held := True
        take(buffer, plan.remain, plan.size)
        state := Mux(chained, RxState.data(), RxState.idle())
      }
    }
    is(RxState.data) {
      bus.burst(BusKind.writeBurst, address, bytes)
      when(io.bus.cmd.fire)(short := !covers)
      when(bus.waiting || enough) {
        bus.start {
          take((address(23 downto 4) + 1) @@ U"0000", plan.remain, plan.size)
        }
      } elsewhen (io.end.valid && !some) {
        when(io.end.runt) {
          io.end.ready := True
          state := RxState.idle
        } otherwise {
          bufferError := io.end.overflow && !room && !short // it went on beyond the buffer
          work.load(io.timing.status)
          state := RxState.microcode
        }
      } elsewhen (!room && some) {
        state := RxState.lookAhead
      }
    }
    is(RxState.lookAhead) {
      bus.read(2) {
        nextHigh := io.bus.word(7 downto 0).asUInt
        bufferError := !own || io.ring.single || lostBytes
        state := RxState.chain
      }
    }
    is(RxState.chain) { // this buffer is full: release it, with BUFF when there is no other
      bus.write(2, status(bufferError, False, bufferError && lostBytes, False, False)) {
        index := next
        bufferHigh := nextHigh
        chained := True
        state := RxState.addressLow
        when(bufferError) {
          announce()
          held := False
          state := RxState.drain
        }
      }
    }
    is(RxState.drain) {
      io.popSilo := someReady
      when(io.end.valid && !someReady) {
        io.end.ready := True
        state := RxState.idle
      }
    }
    is(RxState.microcode) {
      when(work.over) {
        state := Mux(io.end.overflow, RxState.writeStatus(), RxState.writeCount())
      }
    }
    is(RxState.writeCount) { // RMD3 before RMD1: safe for every driver (sources/lance.md 1.3)
      bus.write(6, path ## io.end.length) {
        state := RxState.writeStatus
      }
    }
    is(RxState.writeStatus) {
      val whole = !io.end.overflow // CRC and FRAM are valid only then
      val error = io.end.overflow || io.end.crc
      bus.write(
        2,
        status(error, io.end.framing && whole, io.end.overflow, io.end.crc && whole, whole)
      ) {
        io.end.ready := True
        announce()
        held := False
        index := next
        look(decides = False) // `present` still speaks of the frame that is done
      }
    }
  }
  // True if the state moves by itself in this tick, or asks the bus for something.
  val frameOver = io.end.valid && !some
  val working = state.mux(
    RxState.idle -> (io.on && ((present && held) || (!held && (present || due)))),
    RxState.data -> (!bus.waiting && (enough || frameOver || (!room && some))),
    RxState.drain -> (someReady || io.end.valid),
    RxState.microcode -> work.over,
    default -> !bus.waiting
  )
  io.nextEvent := NextEvent.first(
    NextEvent.when(working || io.received || io.poll || ready =/= readyNow),
    NextEvent.when(io.halt && (state =/= RxState.idle || held || due || interruptDue)),
    work.nextEvent,
    interrupt.nextEvent
  )
  when(io.halt) {
    state := RxState.idle
    held := False
    due := False
    interruptDue := False
  }
  when(io.restart) {
    index := 0
    held := False
  }
}
