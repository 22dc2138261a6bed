// SPDX-License-Identifier: BSD-2-Clause
package mcpi.lance

import mcpi.bus.NextEvent
import spinal.core._
import spinal.lib._

/** What an engine asks of the bus. Words are descriptor and init-block accesses, one per ownership;
  * bursts move `bytes` between memory and a silo and stay inside an aligned 16-byte piece.
  */
object BusKind extends SpinalEnum {
  val readWord, writeWord, readBurst, writeBurst = newElement()
}

case class BusCommand() extends Bundle {
  val kind = BusKind()
  val address = UInt(24 bits)
  val bytes = UInt(5 bits) // of a burst, 1 to 16
  val word = Bits(16 bits) // to write
}

/** `done` comes once per command, after the gap; `word` is valid with it. */
case class BusClient() extends Bundle with IMasterSlave {
  val cmd = Stream(BusCommand())
  val done = Bool()
  val word = Bits(16 bits)
  override def asMaster(): Unit = { master(cmd); in(done, word) }
}

case class BusMasterIo(clientCount: Int) extends Bundle {
  val timing = in(LanceTiming())
  val halt = in Bool () // STOP: forget everything
  val byteSwap = in Bool () // CSR3 BSWP: silo data only (facts/lance.md 1.1)
  val clients = Vec(slave(BusClient()), clientCount)
  val memory = master(LanceMemory())
  val toSilo = master(Flow(Bits(8 bits)))
  val fromSilo = in Bits (8 bits)
  val popSilo = out Bool ()
  val memoryError = out Bool () // one tick: READY stayed away
  val skip = in UInt (NextEvent.width bits)
  val nextEvent = out UInt (NextEvent.width bits)
}

/** Bus ownerships, one after another; the first client goes first.
  *
  * One ownership takes `arbitration` + words * `word` + `gap` ticks (facts/lance.md 2). The time of
  * the wiring runs inside `arbitration` for a read, inside `gap` for a write; what exceeds them is
  * added. Counters hold ticks to go.
  */
class BusMaster(c: LanceConfig, clients: Int) extends Component {
  val io = BusMasterIo(clients)

  object OwnershipState extends SpinalEnum {
    val idle, arbitrate, move, gap = newElement()
  }
  val state = Reg(OwnershipState()) init OwnershipState.idle
  val client = Reg(UInt(log2Up(clients) bits))
  val command = Reg(BusCommand())
  val toGo = Reg(UInt(11 bits)) init 0
  val memoryDone = Reg(Bool())
  val readyToGo = Reg(UInt(log2Up(c.memoryErrorTicks + 1) bits)) init 0
  val piece = Reg(Bits(128 bits))
  val mask = Reg(Bits(16 bits))
  val lane = Reg(UInt(4 bits)) // byte of the piece that moves next
  val left = Reg(UInt(5 bits)) // bytes still to move

  /** Ticks to go after this one. */
  def after(ticks: UInt, least: Int = 1): UInt =
    Mux(ticks < least, U(least - 1, 11 bits), ticks - 1)

  val isWrite = command.kind === BusKind.writeWord || command.kind === BusKind.writeBurst
  val isBurst = command.kind === BusKind.readBurst || command.kind === BusKind.writeBurst
  val requesting = !memoryDone &&
    Mux(isWrite, state === OwnershipState.gap, state === OwnershipState.arbitrate)

  io.memory.request := requesting
  io.memory.write := isWrite
  io.memory.single := !isBurst
  io.memory.address := command.address
  io.memory.writeData := piece
  io.memory.mask := mask
  io.memoryError := requesting && readyToGo === 0 && !io.memory.done

  val swapped = lane ^ io.byteSwap.asUInt.resize(4)
  io.toSilo.valid := False
  io.toSilo.payload := piece.subdivideIn(8 bits)(swapped)
  io.popSilo := False
  io.clients.foreach { p =>
    p.done := False
    p.word := piece(15 downto 0)
  }

  val wants = io.clients.map(_.cmd.valid).asBits()
  val first = OHMasking.first(wants)
  val chosen = OHToUInt(first)
  val offered = io.clients(chosen).cmd.payload
  val ones = ((U(1, 17 bits) |<< offered.bytes) - 1).resize(16).asBits
  for ((p, i) <- io.clients.zipWithIndex) {
    p.cmd.ready := state === OwnershipState.idle && first(i) && !io.halt
  }

  // In `move` bytes move when one tick is left, and when none is.
  val moving = state === OwnershipState.move
  val pure = (moving && toGo =/= 0) ? (toGo - 1) | toGo // ticks that only count
  io.nextEvent := (state === OwnershipState.idle) ? NextEvent.when(wants.orR) | NextEvent.in(pure)
  when(requesting || io.halt && state =/= OwnershipState.idle)(io.nextEvent := NextEvent.now)

  def moveByte(): Unit = when(isBurst) {
    io.toSilo.valid := !isWrite
    when(isWrite) {
      io.popSilo := True
      piece.subdivideIn(8 bits)(swapped) := io.fromSilo
    }
    lane := lane + 1
    left := left - 1
  }

  when(requesting) {
    readyToGo := readyToGo - 1
    when(io.memory.done) {
      memoryDone := True
      when(!isWrite)(piece := io.memory.readData)
    }
  }

  switch(state) {
    is(OwnershipState.idle) {
      memoryDone := False
      readyToGo := c.memoryErrorTicks - 1
      toGo := after(io.timing.arbitration)
      when(wants.orR) {
        client := chosen
        command := offered
        lane := offered.address(3 downto 0)
        left := offered.bytes
        piece(15 downto 0) := offered.word
        mask := ones |<< offered.address(3 downto 0)
        state := OwnershipState.arbitrate
      }
    }
    is(OwnershipState.arbitrate) {
      when(toGo =/= 0)(toGo := toGo - 1 - io.skip.resized)
      when(toGo === 0 && (isWrite || memoryDone || io.memory.done)) {
        toGo := after(io.timing.word, least = 2)
        state := OwnershipState.move
      }
    }
    is(OwnershipState.move) { // a word's two bytes reach or leave the silo in its last two ticks
      toGo := toGo - 1 - io.skip.resized
      when(toGo === 1)(moveByte())
      when(toGo === 0) {
        when(left =/= 0)(moveByte())
        when(isBurst && left > 1) {
          toGo := after(io.timing.word, least = 2)
        } otherwise {
          toGo := after(io.timing.gap)
          readyToGo := c.memoryErrorTicks - 1
          state := OwnershipState.gap
        }
      }
    }
    is(OwnershipState.gap) {
      when(toGo =/= 0)(toGo := toGo - 1 - io.skip.resized)
      when(toGo === 0 && (!isWrite || memoryDone || io.memory.done)) {
        state := OwnershipState.idle
        for ((p, i) <- io.clients.zipWithIndex) (p.done := client === i)
      }
    }
  }
  when(io.memoryError || io.halt)(state := OwnershipState.idle)
}
