// SPDX-License-Identifier: BSD-2-Clause
package mcpi.boards

import mcpi.bus.Mii
import mcpi.lance.{PhyReceive, PhyTransmit, ReceiveStore, TransmitStore}
import spinal.core._
import spinal.lib._

/** Lets ticks pass up to the other's promise; ends the wait with an error. `after` is the tick
  * after this clock.
  */
class ExactPace(c: ExactConfig) extends Component {
  import ExactMessage.timeBits
  val io = new Bundle {
    val tick = in Bool ()
    val allowed = in UInt (timeBits bits)
    val full, heard, broken = in Bool ()
    val now, after = out UInt (timeBits bits)
    val pause = out Bool ()
    val waits = out UInt (48 bits) // clocks in which a node waited for the other
    val faults = out(ExactFaults())
  }
  val now = Reg(UInt(timeBits bits)) init 0
  val after = Reg(UInt(timeBits bits)) init 1
  when(io.tick) {
    now := after
    after := after + 1
  }
  val faults = Reg(ExactFaults())
  faults.flatten.foreach(_.init(False))
  val pause = RegInit(True)
  val atLimit = io.tick ? (after === io.allowed) | (now === io.allowed)
  pause := atLimit || io.full || faults.asBits.orR || io.broken

  val begun, heard = RegInit(False) // a message came in this run; since the last tick
  val waited = Reg(UInt(c.first + 1 bits)) init 0
  val waits = Reg(UInt(48 bits)) init 0
  when(io.tick) {
    waited := 0
    heard := False
  } elsewhen (pause) {
    waited := waited + 1
    when(io.heard)(heard := True)
  }
  when(io.heard) {
    begun := True
    when(!begun)(waited := 0)
  }
  when(pause && begun)(waits := waits + 1)
  val over = (begun ? waited(c.patience) | waited(c.first)) && pause && !faults.asBits.orR
  when(over && !heard)(faults.silent := True)
  when(over && heard)(faults.stalled := True)
  when(io.broken)(faults.broken := True)
  io.now := now
  io.after := after
  io.pause := pause
  io.waits := waits
  io.faults := faults
}

/** Two boards' exact time over a cable, instead of a `PhyGateway` (ExactMessage.scala). The node
  * passes no tick in clocks with `pause`; `run` low forgets everything.
  */
class ExactGateway(transmitClock: ClockDomain, receiveClock: ClockDomain, c: ExactConfig)
    extends Component {
  val run, tick = in Bool ()
  val session = in Bits (16 bits)
  val phase = in UInt (log2Up(c.nibble) bits)
  val outlook = in UInt (SendOutlook.width bits)
  val mii = slave(Mii())
  val transmit = master(PhyTransmit())
  val receive = slave(PhyReceive())
  val pause = out Bool ()
  val faults = out(ExactFaults())
  val waits = out UInt (48 bits)
  val foreign = out Bool ()

  val outward = new TransmitStore(transmitClock)
  outward.strobe := True
  outward.wire <> transmit
  val inward = new ReceiveStore(receiveClock, 2)
  inward.tick := True
  inward.wire <> receive

  private val domain =
    clockDomain.copy(reset = RegNext(clockDomain.readResetWire || !run) init True)
  val virtual = new ClockingArea(domain) {
    val pace = new ExactPace(c)
    val stream = new ExactStream(c)
    val send = new ExactSend
    val take = new ExactTake
    val player = new ExactPlayer(c)

    pace.io.tick := tick
    pace.io.allowed := player.io.allowed
    pace.io.full := stream.io.full
    pace.io.heard := take.io.heard
    pace.io.broken := player.io.broken

    stream.io.tick := tick
    stream.io.now := pace.io.now
    stream.io.phase := phase
    stream.io.strobe := mii.txStrobe
    stream.io.enable := mii.txEn
    stream.io.nibble := mii.txd
    stream.io.outlook := outlook
    stream.io.acknowledged := take.io.acknowledged
    stream.io.place := send.io.place

    send.io.session := session
    send.io.taken := take.io.taken
    send.io.acknowledged := take.io.acknowledged
    send.io.head := stream.io.head
    send.io.promise := stream.io.promise
    send.io.settled := stream.io.settled
    send.io.byte := stream.io.byte
    send.io.left := outward.left
    outward.enable := send.io.enable
    outward.nibble := send.io.nibble

    take.io.session := session
    take.io.strobe := inward.strobe
    take.io.valid := inward.valid
    take.io.error := inward.error
    take.io.nibble := inward.nibble
    take.io.read := player.io.read

    player.io.tick := tick
    player.io.now := pace.io.now
    player.io.after := pace.io.after
    player.io.write.valid := take.io.write.valid
    player.io.write.payload.assignFromBits(take.io.write.payload.asBits)
    player.io.taken := take.io.taken
    player.io.limit := take.io.limit
    mii.rxStrobe := player.io.strobe
    mii.rxDv := player.io.valid
    mii.rxd := player.io.nibble
    pause := pace.io.pause
    faults := pace.io.faults
    waits := pace.io.waits
    foreign := take.io.foreign
  }
  mii.rxEr := False
  mii.crs := False
  mii.col := False
}
