// SPDX-License-Identifier: BSD-2-Clause
package mcpi.boards

import mcpi.lance.PhyGateway
import spinal.core._
import spinal.lib._

/** Lets ticks pass up to the other's promise, or some before, because a tick is known a clock later
  * and a decision acts two clocks later; ends the wait with an error. `now`: the tick of the clock
  * before, if `ticked`.
  */
class ExactPace(c: ExactConfig) extends Component {
  import ExactMessage.timeBits
  val io = new Bundle {
    val tick = in Bool ()
    val allowed = in UInt (timeBits bits)
    val full, heard, broken = in Bool ()
    val counts = in Bool () // clocks in which waits count
    val ticked = out Bool () // the clock before was a tick
    val now, after, ahead = out UInt (timeBits bits) // a tick, the next one, the one after
    val decided = out Bool () // the next clock is a pause
    val pause = out Bool ()
    val waits = out UInt (48 bits) // clocks in which a node waited for the other
    val faults = out(ExactFaults())
  }
  val ticked = RegNext(io.tick) init False
  private def from(first: Int) = Reg(UInt(timeBits bits)) init first
  val (now, after, ahead) = (from(0), from(1), from(2))
  when(ticked) {
    now := after
    after := ahead
    ahead := ahead + 1
  }
  val faults = Reg(ExactFaults())
  faults.flatten.foreach(_.init(False))
  private val left = io.allowed -^ after
  val atLimit = left.msb || left < 3 // three ticks may still pass
  val decided = RegNext(atLimit || io.full || faults.asBits.orR || io.broken) init True
  val pause = RegNext(decided) init True

  val begun = RegInit(False) // a message came in this run
  val waited = Reg(UInt(c.first + 1 bits)) init 0 // since the last tick
  val quiet = Reg(UInt(c.patience + 1 bits)) init 0 // since then, or since a message
  val waits = Reg(UInt(48 bits)) init 0
  when(ticked) {
    waited := 0
  } elsewhen (pause) {
    waited := waited + 1
    when(begun)(quiet := quiet + 1)
  }
  when(io.heard) {
    begun := True
    when(!begun)(waited := 0)
  }
  when(io.heard || ticked)(quiet := 0)
  when(pause && io.counts)(waits := waits + 1)
  // A node that waits for its host sends messages all the same, so only silence ends a run soon.
  val over = pause && !faults.asBits.orR
  when(over && (begun ? quiet(c.patience) | waited(c.first)))(faults.silent := True)
  when(over && begun && waited(c.first))(faults.stalled := True)
  when(io.broken)(faults.broken := True)
  io.now := now
  io.after := after
  io.ahead := ahead
  io.ticked := ticked
  io.decided := decided
  io.pause := pause
  io.waits := waits
  io.faults := faults
}

/** The host's settings; `phase`: of the strobes of the other node. The host writes them before it
  * sets `run`, while the node is in reset (`exact_time.begin`). No gate refuses a later write.
  */
case class ExactControl(c: ExactConfig) extends Bundle with IMasterSlave {
  val on, records = Bool()
  val session = Bits(16 bits)
  val phase = UInt(log2Up(c.nibble) bits)
  val faults = ExactFaults()
  val foreign = Bool() // a message of another session came
  val waits, recordWaits = UInt(48 bits)
  val overflow = Bool() // an entry of the record was lost
  val read = Flow(Bool()) // the host reads an entry with an even number, or an odd one
  val entry = Bits(64 bits) // that entry, in the clock of `read`; zero if there is none
  override def asMaster(): Unit = {
    out(on, records, session, phase, read)
    in(faults, foreign, waits, recordWaits, overflow, entry)
  }
}

/** A gateway that also keeps two boards in one exact time over a cable (exact-time.md), where
  * `exact.on`; its stores then hold messages. The node passes no tick in clocks with `pause`; `run`
  * low forgets everything.
  */
class ExactGateway(transmitClock: ClockDomain, receiveClock: ClockDomain, c: ExactConfig)
    extends PhyGateway(transmitClock, receiveClock, c.nibble, lends = true) {
  val run = in Bool ()
  val exact = slave(ExactControl(c))
  val outlook = in UInt (SendOutlook.width bits)
  val passed = in Bits (ExactRecord.comparators bits) // that fired, a clock late
  val pause = out Bool ()

  private val forgets = RegNext(clockDomain.readResetWire || !run || !exact.on) init True
  private val domain = clockDomain.copy(reset = forgets)
  val virtual = new ClockingArea(domain) {
    val pace = new ExactPace(c)
    val stream = new ExactStream(c)
    val send = new ExactSend
    val take = new ExactTake
    val player = new ExactPlayer(c)
    val record = new ExactRecord

    pace.io.tick := tick
    pace.io.allowed := player.io.allowed
    pace.io.full := stream.io.full || record.io.full
    pace.io.heard := take.io.heard
    pace.io.broken := player.io.broken
    pace.io.counts := measures && !record.io.waits

    stream.io.ticked := pace.io.ticked
    stream.io.now := pace.io.now
    stream.io.phase := exact.phase
    stream.io.strobe := mii.txStrobe
    stream.io.enable := mii.txEn
    stream.io.nibble := mii.txd
    stream.io.outlook := outlook
    stream.io.acknowledged := take.io.acknowledged
    stream.io.place := send.io.place

    send.io.session := exact.session
    send.io.taken := take.io.taken
    send.io.acknowledged := take.io.acknowledged
    send.io.head := stream.io.head
    send.io.promise := stream.io.promise
    send.io.settled := stream.io.settled
    send.io.byte := stream.io.byte
    send.io.left := outward.left

    take.io.session := exact.session
    take.io.strobe := inward.strobe
    take.io.valid := inward.valid
    take.io.error := inward.error
    take.io.nibble := inward.nibble
    take.io.read := player.io.read

    player.io.ticked := pace.io.ticked
    player.io.now := pace.io.now
    player.io.after := pace.io.after
    player.io.ahead := pace.io.ahead
    player.io.write.valid := take.io.write.valid
    player.io.write.payload.assignFromBits(take.io.write.payload.asBits)
    player.io.taken := take.io.taken
    player.io.limit := take.io.limit

    record.io.on := exact.records
    record.io.ticked := pace.io.ticked
    record.io.now := pace.io.now
    record.io.passed := passed
    record.io.strobe := mii.txStrobe
    record.io.enable := mii.txEn
    record.io.nibble := mii.txd
    record.io.read := exact.read
    record.io.counts := measures && pace.io.pause

    val foreign = RegInit(False) setWhen (take.io.foreign)
  }
  inward.brisk := exact.on
  when(exact.on) {
    outward.strobe := True
    outward.enable := virtual.send.io.enable
    outward.nibble := virtual.send.io.nibble
    inward.tick := True
    mii.rxStrobe := virtual.player.io.strobe
    mii.rxDv := virtual.player.io.valid
    mii.rxEr := False
    mii.rxd := virtual.player.io.nibble
  }
  // A register for the way to the node alone, so that its place is near the node. Proofs exact_pace
  // and exact_wait look at its twin, ExactPace's.
  pause := RegNext(virtual.pace.io.decided && exact.on) init False
  assert(forgets || pause === virtual.pace.io.pause, "not the pause of the proofs", FAILURE)
  exact.faults := virtual.pace.io.faults
  exact.waits := virtual.pace.io.waits
  exact.recordWaits := virtual.record.io.clocks
  exact.overflow := virtual.record.io.overflow
  exact.entry := virtual.record.io.entry
  exact.foreign := virtual.foreign
}
