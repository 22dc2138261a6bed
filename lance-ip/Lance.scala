// SPDX-License-Identifier: BSD-2-Clause
package mcpi.lance

import mcpi.bus.{Mii, NextEvent}
import spinal.core._
import spinal.lib._

case class LanceIo(c: LanceConfig) extends Bundle {
  val reset = in Bool () // RESET pin
  val registers = slave(RegisterPort())
  val memory = master(LanceMemory())
  val entries = c.classifier generate slave(Flow(EntryWrite()))
  val mii = master(Mii())
  val collision = in Bool () // CLSN: SQE test, and collisions with half duplex
  val halfDuplex = in Bool () // carrier and collisions mean something
  val timing = in(LanceTiming())
  val pollPhase = in UInt (21 bits)
  val interrupt = out Bool ()
  val csr0Selected = out Bool () // RAP is 0
  val firstBit, lastBit, received = out Bool ()
  val begins, ends = out Bool () // a bus ownership
  val skip = in UInt (NextEvent.width bits)
  val nextEvent = out UInt (NextEvent.width bits)
}

/** The Am7990: registers, rings, bus master, silos and wire. Runs under an enable, in ticks. */
class Lance(c: LanceConfig) extends Component {
  val io = LanceIo(c)

  val registers = new Registers(c)
  val init = new InitBlock(c)
  val transmit = new TransmitRing(c)
  val receive = new ReceiveRing(c)
  val bus = new BusMaster(c, clients = 3)
  val transmitSilo = new SendSilo(c.siloBytes)
  val transmitWire = new TransmitWire(c)
  val receiveSilo = new Silo(c.receiveSiloBytes)
  val receiveWire = new ReceiveWire(c)
  // An end waits while its bytes do, and runts come faster than slow memory takes their bytes.
  val frameEnds = StreamFifo(FrameEnd(c), 16)

  val stopped = registers.io.stopped
  val halt = stopped || bus.io.memoryError
  // The silos are not read in the tick after the rings and the wire have halted.
  val halted = RegNext(halt) init False

  registers.io.port <> io.registers
  registers.io.reset := io.reset
  registers.io.mode := init.io.mode
  registers.io.initDone := init.io.done
  registers.io.demandTaken := transmit.io.demandTaken
  io.interrupt := registers.io.interrupt
  io.csr0Selected := registers.io.csr0Selected

  val flags = registers.io.flags
  flags.babble := transmitWire.io.babble
  flags.noHeartbeat := transmit.io.noHeartbeat
  flags.miss := receive.io.miss || receiveWire.io.lost
  flags.memoryError := bus.io.memoryError
  flags.received := receive.io.received
  flags.transmitted := transmit.io.transmitted
  flags.transmitterOff := transmit.io.off

  init.io.address := registers.io.initAddress
  init.io.run := registers.io.initRun
  init.io.stopped := stopped

  // Ring polls: the first `pollPhase` ticks after STRT, then every `poll` ticks.
  val on = registers.io.rxOn || registers.io.txOn
  val pollToGo = Reg(UInt(21 bits)) init 0
  val poll = on && pollToGo === 0
  when(on)(pollToGo := Mux(poll, io.timing.poll, pollToGo - 1 - io.skip))
  when(registers.io.started)(pollToGo := io.pollPhase)

  bus.io.timing := io.timing
  bus.io.halt := stopped && !registers.io.initRun
  bus.io.byteSwap := registers.io.byteSwap
  bus.io.clients(0) <> init.io.bus
  bus.io.clients(1) <> receive.io.bus
  bus.io.clients(2) <> transmit.io.bus
  bus.io.memory <> io.memory

  transmit.io.timing := io.timing
  transmit.io.halt := halt
  transmit.io.restart := init.io.done
  transmit.io.on := registers.io.txOn
  transmit.io.poll := poll
  transmit.io.demand := registers.io.demand
  transmit.io.ring := init.io.transmit
  transmit.io.noFcs := init.io.mode.noFcs
  transmit.io.occupancy := transmitSilo.io.occupancy.resized
  transmit.io.lastBit := transmitWire.io.lastBit
  transmit.io.retry := transmitWire.io.retry
  transmit.io.committed := transmitWire.io.committed
  transmit.io.result := transmitWire.io.result
  transmit.io.heartbeatExpected := !init.io.mode.internalLoopback
  transmit.io.collision := io.collision
  transmitSilo.io.push << bus.io.toSilo
  transmitSilo.io.flush := transmit.io.flush || halted

  transmitWire.io.timing := io.timing
  transmitWire.io.halt := halt
  transmitWire.io.go := transmit.io.go
  transmitWire.io.appendFcs := transmit.io.appendFcs
  transmitWire.io.complete := transmit.io.complete
  transmitWire.io.mode := init.io.mode
  transmitWire.io.halfDuplex := io.halfDuplex
  transmitWire.io.carrier := io.mii.crs
  transmitWire.io.collision := io.collision
  transmitWire.io.physical := init.io.physical
  transmitWire.io.reseed := init.io.done
  transmitWire.io.mayRetry := transmit.io.mayRetry
  transmitWire.io.silo << transmitSilo.io.pop

  // Internal loopback: nothing leaves the chip, and nothing comes in. It begins and ends between
  // two frames of the transmitter. A frame from outside that is under way then is not received: the
  // receiver is off while INIT reads the other eleven words, which takes longer than a nibble.
  val inside = Reg(Bool()) init False
  val turns = inside =/= init.io.mode.internalLoopback &&
    !transmitWire.io.enable && !transmitWire.io.strobe
  when(turns)(inside := !inside)
  io.mii.txStrobe := transmitWire.io.strobe && !inside
  io.mii.txEn := transmitWire.io.enable && !inside
  io.mii.txEr := False
  io.mii.txd := transmitWire.io.nibble

  // Half duplex: what comes in while the chip sends is its own frame.
  val own = io.halfDuplex && transmitWire.io.enable && !init.io.mode.loopback
  receiveWire.io.enabled := registers.io.rxOn && !own
  receiveWire.io.halt := halt
  receiveWire.io.strobe := Mux(inside, transmitWire.io.strobe, io.mii.rxStrobe)
  receiveWire.io.dataValid := Mux(inside, transmitWire.io.enable, io.mii.rxDv)
  receiveWire.io.error := !inside && io.mii.rxEr
  receiveWire.io.nibble := Mux(inside, transmitWire.io.nibble, io.mii.rxd)
  receiveWire.io.turns := turns
  receiveWire.io.mode := init.io.mode
  receiveWire.io.physical := init.io.physical
  receiveWire.io.logical := init.io.logical
  receiveWire.io.full := receiveSilo.io.full
  receiveWire.io.committed := receiveSilo.io.committed

  if (c.classifier) {
    receiveWire.io.entries << io.entries
    receive.io.loopback := init.io.mode.loopback
  }

  receiveSilo.io.push << receiveWire.io.push
  receiveSilo.io.commit := receiveWire.io.commit
  receiveSilo.io.rollback := receiveWire.io.rollback
  receiveSilo.io.flush := halted
  receiveSilo.io.pop := bus.io.popSilo || receive.io.popSilo
  bus.io.fromSilo := receiveSilo.io.head

  receiveWire.io.endHasRoom := frameEnds.io.push.ready
  frameEnds.io.push.valid := receiveWire.io.end.valid
  frameEnds.io.push.payload := receiveWire.io.end.payload
  frameEnds.io.flush := halted

  receive.io.timing := io.timing
  receive.io.halt := halt
  receive.io.restart := init.io.done
  receive.io.on := registers.io.rxOn
  receive.io.poll := poll
  receive.io.ring := init.io.receive
  receive.io.committed := receiveSilo.io.committed
  receive.io.grows := receiveSilo.io.grows
  receive.io.arriving := receiveWire.io.arriving
  receive.io.read := receiveSilo.io.read
  receive.io.end << frameEnds.io.pop
  receive.io.overflowed := receiveWire.io.overflowed

  io.firstBit := transmitWire.io.firstBit
  io.lastBit := transmitWire.io.lastBit && !transmitWire.io.halt
  io.received := receiveWire.io.end.valid
  io.begins := bus.io.clients.map(_.cmd.fire).orR
  io.ends := bus.io.clients.map(_.done).orR

  // Nibbles that arrive are an event of whoever drives the MII.
  Seq(transmit.io.skip, receive.io.skip, bus.io.skip, transmitWire.io.skip).foreach(_ := io.skip)
  val stirring =
    registers.io.started || !settled(transmitSilo.io.occupancy, transmitSilo.io.pop.valid) ||
      !settled(frameEnds.io.occupancy, frameEnds.io.pop.valid) ||
      (halt && receiveWire.io.busy) || receiveWire.io.deciding || turns
  io.nextEvent := NextEvent.first(
    NextEvent.when(stirring),
    on ? NextEvent.in(pollToGo) | NextEvent.never,
    transmit.io.nextEvent,
    receive.io.nextEvent,
    bus.io.nextEvent,
    transmitWire.io.nextEvent
  )

  /** True if all pushed bytes have reached the other end. */
  private def settled(occupancy: UInt, shown: Bool): Bool = (occupancy =/= 0) === shown
}
