// SPDX-License-Identifier: BSD-2-Clause
package mcpi.lance

import mcpi.bus.NextEvent
import spinal.core._
import spinal.lib._

/** Kinds of request of an engine to the bus. Words are descriptor and init-block accesses, one per
  * ownership; bursts move `bytes` between memory and a silo and stay inside an aligned 16-byte
  * piece.
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
  val byteSwap = in Bool () // CSR3 BSWP: silo data only (sources/lance.md 1.1)
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
  * One ownership takes `arbitration` + words * `word` + `gap` ticks (its sheet, 2). The time of
  * the wiring runs inside `arbitration` for a read, inside `gap` for a write; what exceeds them is
  * added. What a burst moves lies in `piece`, four longwords: filled by the wiring and emptied into
  * the silo byte by byte, or the other way.
  */
class BusMaster(c: LanceConfig, clients: Int) extends Component {
  val io = BusMasterIo(clients)

  object OwnershipState extends SpinalEnum {
    val idle, arbitrate, move, gap = newElement()
  }
  val state = Reg(OwnershipState()) init OwnershipState.idle
  val client = Reg(UInt(log2Up(clients) bits))
  val command = Reg(BusCommand())
  val toGo = Reg(UInt(11 bits)) init 0 // this tick included; zero is as good as one
  val over = Reg(Bool()) init True // the last tick
  val beforeLast = Reg(Bool()) init False
  val requesting = Reg(Bool()) init False // a read from `arbitrate` on, a write from `gap` on
  val readyToGo = Reg(UInt(log2Up(c.memoryErrorTicks + 1) bits)) init 0
  val readyOver = Reg(Bool()) init False // there is none to go
  val piece = Mem(Bits(32 bits), 4).addAttribute(AnyRam)
  val word = Reg(Bits(16 bits)) // of a single access, either way
  val lane = Reg(UInt(4 bits)) // byte of the piece that moves next
  val left = Reg(UInt(5 bits)) // bytes still to move

  val isWrite = command.kind === BusKind.writeWord || command.kind === BusKind.writeBurst
  val isBurst = command.kind === BusKind.readBurst || command.kind === BusKind.writeBurst
  val memoryOver = !requesting || io.memory.done
  val moving = state === OwnershipState.move

  val at = Mux(moving, lane(3 downto 2), io.memory.lane)
  val longword = piece.readAsync(at)
  io.memory.request := requesting
  io.memory.write := isWrite
  io.memory.single := !isBurst
  io.memory.swapped := isBurst && io.byteSwap
  io.memory.address := command.address
  io.memory.last := (command.address(3 downto 0) + command.bytes - 1).resize(4)
  io.memory.writeData := Mux(isBurst, longword, B(0, 16 bits) ## word)
  io.memoryError := requesting && readyOver && !io.memory.done

  val swapped = lane(1 downto 0) ^ io.byteSwap.asUInt.resize(2)
  val moveByte = moving && isBurst && (beforeLast || (over && left =/= 0))
  io.toSilo.valid := moveByte && !isWrite
  io.toSilo.payload := longword.subdivideIn(8 bits)(swapped)
  io.popSilo := moveByte && isWrite
  when(moveByte) {
    lane := lane + 1
    left := left - 1
  }
  val arrives = requesting && !isWrite && io.memory.readValid
  piece.write(
    at,
    Mux(moving, Cat(Seq.fill(4)(io.fromSilo)), io.memory.readData),
    enable = io.popSilo || arrives,
    mask = Mux(moving, UIntToOh(swapped, 4), B"1111")
  )
  when(arrives && !isBurst)(word := io.memory.readData(15 downto 0))

  val requests = io.clients.map(_.cmd.valid).asBits()
  val first = OHMasking.first(requests)
  val chosen = OHToUInt(first)
  val offered = MuxOH(first, io.clients.map(_.cmd.payload))
  for ((p, i) <- io.clients.zipWithIndex) {
    p.cmd.ready := state === OwnershipState.idle && first(i) && !io.halt
    p.done := state === OwnershipState.gap && over && client === i && memoryOver
    p.word := word
  }

  private def isRead(c: BusCommand): Bool =
    c.kind === BusKind.readWord || c.kind === BusKind.readBurst

  // In `move` bytes move in the last two ticks of a word.
  val pure = Mux(moving, Mux(toGo >= 2, toGo - 2, U(0)), Mux(over, U(0), toGo - 1))
  io.nextEvent := (state === OwnershipState.idle) ? NextEvent.when(requests.orR) | NextEvent.in(
    pure
  )
  when(requesting || io.halt && state =/= OwnershipState.idle)(io.nextEvent := NextEvent.now)

  readyOver := requesting && readyToGo === 1
  when(requesting) {
    readyToGo := readyToGo - 1
    when(io.memory.done)(requesting := False)
  }

  // A word takes two ticks at least, for its two bytes.
  val wordTicks = Mux((io.timing.word >> 1) === 0, U(2, 11 bits), io.timing.word)

  def lasts(ticks: UInt): Unit = {
    toGo := ticks
    over := (ticks >> 1) === 0
    beforeLast := ticks === 2
  }
  private def count(): Unit = lasts(toGo - 1 - io.skip.resized)

  switch(state) {
    is(OwnershipState.idle) {
      requesting := requests.orR && isRead(offered)
      readyToGo := c.memoryErrorTicks - 1
      lasts(io.timing.arbitration)
      client := chosen
      command := offered
      word := offered.word
      lane := offered.address(3 downto 0)
      left := offered.bytes
      when(requests.orR)(state := OwnershipState.arbitrate)
    }
    is(OwnershipState.arbitrate) {
      when(!over)(count())
      when(over && memoryOver) {
        lasts(wordTicks)
        state := OwnershipState.move
      }
    }
    is(OwnershipState.move) {
      count()
      when(over) {
        when(isBurst && left > 1) {
          lasts(wordTicks)
        } otherwise {
          lasts(io.timing.gap)
          readyToGo := c.memoryErrorTicks - 1
          requesting := isWrite
          state := OwnershipState.gap
        }
      }
    }
    is(OwnershipState.gap) {
      when(!over)(count())
      when(over && memoryOver)(state := OwnershipState.idle)
    }
  }
  when(io.memoryError || io.halt) {
    requesting := False
    state := OwnershipState.idle
  }
}
