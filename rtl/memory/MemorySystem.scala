// SPDX-License-Identifier: BSD-2-Clause
package mcpi.memory

import mcpi.bus._
import spinal.core._
import spinal.lib._

/** A memory bus shared by the core and DMA, one transaction at a time; memory.md.
  *
  * A command taken in tick t is answered in tick t + its bus time, whatever the latency of the
  * backing memory: early data waits, late data makes `hold` withhold ticks. The next command can
  * be taken in the tick of the answer. When both want the bus, the one not served last gets it.
  *
  * An answer, and whether a command would be taken, do not contain the tick: both stand from the
  * clock in which they are known until their tick, and whoever takes them asks for it.
  *
  * With ideal memory the core's transactions move in clocks and take no bus time; DMA keeps its
  * own.
  */
class MemorySystem(c: MemoryConfig) extends Component {
  val io = new Bundle {
    val tick = in Bool ()
    val hold = out Bool () // no tick, please
    val memory = slave(MemoryBus(c.bus))
    val dma = slave(DmaBus())
    val backing = master(BackingBus(c.bus))
    val timing = in(MemoryTiming())
    val events = out(MemoryEvents(c.bus.writeBack))
    val idle = out Bool () // nothing is going on
    val pause = in Bool () // no command now, and no tick
    val emptyTags = in Bool () // while no tick passes and no transaction of the core is under way
    val walking = out Bool () // the tags are being emptied
    // With ideal memory: the core's registers move in this clock, though it may be no tick.
    val coreMoves = in Bool ()
    val nextEvent = out UInt (NextEvent.width bits)
  }
  private val ideal = io.timing.ideal
  private val lanes = c.bus.blockBytes / 16

  val tags = new BCacheTags(c)
  val core = new Transaction(if (c.bus.writeBack) 9 else 8, io.tick)
  val dma = new Transaction(8, io.tick)
  val lastWasDma = RegInit(False)

  // The request being worked on, in clocks: tag lookup and access of the backing memory.
  val forDma = Reg(Bool())
  val isWrite = Reg(Bool())
  val present = Reg(Bool())
  val kind = Reg(MemoryKind())
  val address = Reg(UInt(34 bits)) // of the block; dmaLane says which 16 bytes of it
  val writeData = Reg(Bits(c.bus.blockBits bits))
  val mask = Reg(Bits(c.bus.blockBytes bits)) // bytes that are written, or wanted
  val dmaLane = Reg(UInt(log2Up(lanes) max 1 bits))
  val commanding = RegInit(False)
  val awaiting = RegInit(False)
  val readData = Reg(Bits(c.bus.blockBits bits))
  val coreError, dmaError = Reg(Bool())
  val dmaWrites = Reg(Bool())
  val dmaBlock = Reg(UInt(34 bits))
  // A clock after the tags' answer, which comes late in its own: it decides when a read of the
  // core is due.
  val judges = RegNext(tags.io.answer) init False
  val judgedHit = RegNext(tags.io.hit)
  private val judging = tags.io.answer || judges
  val engineFree = !commanding && !awaiting && !judging && !tags.io.walking && !io.pause
  tags.io.empty := io.emptyTags
  io.walking := tags.io.walking

  // Registers move: DMA's in a tick, with ideal memory the core's between two as well.
  private val advances = io.tick || ideal && io.coreMoves

  val coreAnswered = core.answers && (ideal || core.reached)
  val dmaAnswered = dma.answers && dma.reached

  // The next user of the bus.
  val coreFree = !core.busy || coreAnswered
  val dmaFree = !dma.busy || dmaAnswered
  val busFree = coreFree && dmaFree && engineFree
  val dmaTurn = io.dma.cmd.valid && (!io.memory.cmd.valid || !lastWasDma)
  // With ideal memory DMA has the tick, and the core the clocks before it: turn by turn, so that
  // the core need not ask whether this clock is a tick.
  val dmaSlot = RegInit(False)
  dmaSlot := !dmaSlot
  val dmaMay = ideal ? (dmaFree && engineFree && dmaSlot) | (busFree && dmaTurn)
  // Said as if the core asked, so that its ready does not wait for its own late command.
  val dmaFirst = io.dma.cmd.valid && !lastWasDma
  val coreMay = ideal ? (coreFree && engineFree && !dmaSlot) |
    (busFree && !dmaFirst)

  val coreAnswers = coreAnswered && advances
  val dmaAnswers = dmaAnswered && io.tick
  val coreReady = coreMay && advances
  val dmaReady = dmaMay && io.tick
  io.memory.cmd.ready := coreMay
  io.dma.cmd.ready := dmaMay
  // The user whose command it would be, then whether it is one, which comes last in its clock.
  val coreChosen = io.memory.cmd.valid && coreMay
  val dmaChosen = io.dma.cmd.valid && dmaMay
  val coreTaken = io.memory.cmd.valid && coreReady
  val dmaTaken = io.dma.cmd.valid && dmaReady
  private val taken = coreTaken || dmaTaken

  val coreWrites = io.memory.cmd.kind === MemoryKind.write
  val leastRead = io.timing.bcacheRead.resize(8) min io.timing.memoryRead
  private def more(dirty: Bool) = dirty ? U(c.dirtyTicks, 9 bits) | U(0, 9 bits)
  private def victims(ticks: UInt, dirty: => Bool) =
    if (c.bus.writeBack) ticks + more(dirty) else ticks
  val coreLeast = coreWrites ? io.timing.write.resize(8) | leastRead
  val dmaLeast = io.timing.dma.resize(8)

  val nextAddress = dmaChosen ? io.dma.cmd.address | io.memory.cmd.address
  val nextPresent = nextAddress(33 downto c.ramAddressWidth) === 0
  tags.io.lookup.valid := taken
  tags.io.lookup.address := nextAddress.resized
  tags.io.lookup.present := nextPresent
  tags.io.lookup.write := dmaChosen ? io.dma.cmd.write | coreWrites
  tags.io.lookup.allocate := !dmaChosen && io.timing.bcache

  when(coreAnswers)(core.finish())
  when(dmaAnswers)(dma.finish())
  when(taken) {
    forDma := dmaChosen
    lastWasDma := dmaChosen
    present := nextPresent
    commanding := nextPresent
    address := nextAddress
    address(c.offsetWidth - 1 downto 0) := 0
  }
  val dirty = c.bus.writeBack generate Reg(Bool()) // the victim of the core's transaction
  when(coreChosen)(core.take(victims(coreLeast, io.memory.cmd.dirty), coreTaken))
  when(coreTaken) {
    coreError := !nextPresent
    isWrite := coreWrites
    kind := io.memory.cmd.kind
    if (c.bus.writeBack) dirty := io.memory.cmd.dirty
    writeData := io.memory.cmd.data
    mask := coreWrites ? io.memory.cmd.mask | io.memory.cmd.mask.getAllTrue
  }
  private val lane = // which 16 bytes of the block
    if (lanes == 1) U(0, 1 bits) else io.dma.cmd.address(4, log2Up(lanes) bits)
  when(dmaChosen)(dma.take(dmaLeast, dmaTaken))
  when(dmaTaken) {
    dmaError := !nextPresent
    isWrite := io.dma.cmd.write
    dmaWrites := io.dma.cmd.write
    dmaBlock := io.dma.cmd.address
    dmaBlock(c.offsetWidth - 1 downto 0) := 0
    dmaLane := lane
    writeData := Vec(Seq.fill(lanes)(io.dma.cmd.data)).asBits
    val bytes = io.dma.cmd.write ? io.dma.cmd.mask | io.dma.cmd.mask.getAllTrue
    mask := (bytes.resize(c.bus.blockBytes) |<< (lane << 4))
  }

  // Now the due time is known.
  when(judges && !forDma && !isWrite) {
    core.dueAfter(
      victims(judgedHit ? io.timing.bcacheRead.resize(8) | io.timing.memoryRead, dirty)
    )
  }
  // Nothing to fetch: an error, in the tick a miss would be due.
  private val finishes = CombInit(judges && !present)

  io.backing.cmd.valid := commanding
  io.backing.cmd.write := isWrite
  io.backing.cmd.address := address.resized
  io.backing.cmd.data := writeData
  io.backing.cmd.mask := mask
  val background = c.bus.writeBack generate new BackgroundStore(c)
  private def busSends =
    if (c.bus.writeBack) !background.first && io.backing.cmd.fire else io.backing.cmd.fire
  if (c.bus.writeBack) {
    background.store << io.memory.store
    background.works := commanding || awaiting
    background.ends := (busSends && isWrite) || io.backing.rsp.valid
    background.backing.cmd.ready := io.backing.cmd.ready
    background.backing.rsp.setIdle()
    when(background.first) {
      io.backing.cmd.valid := True
      io.backing.cmd.payload := background.backing.cmd.payload
    }
  }
  when(busSends) {
    commanding := False
    awaiting := !isWrite
    when(isWrite)(finishes := True)
  }
  when(io.backing.rsp.valid) {
    awaiting := False
    readData := io.backing.rsp.payload
    finishes := True
  }
  when(finishes) {
    when(forDma)(dma.done := True).otherwise(core.done := True)
  }

  // In ideal mode a fill may overtake a waiting DMA answer, so DMA keeps its own 16 bytes.
  val dmaData = Reg(Bits(128 bits))
  when(io.backing.rsp.valid && forDma) {
    dmaData := io.backing.rsp.payload.subdivideIn(128 bits)(dmaLane.resize(log2Up(lanes)))
  }

  io.memory.rsp.valid := coreAnswered
  io.memory.rsp.data := readData
  io.memory.rsp.error := coreError
  io.dma.rsp.valid := dmaAnswered
  io.dma.rsp.data := dmaData
  io.dma.rsp.error := dmaError
  io.memory.invalidate.valid := dmaAnswered && dmaWrites && !dmaError
  io.memory.invalidate.payload := dmaBlock

  // A due time of one tick leaves no clock in between: the command itself holds.
  val holding = RegInit(True)
  private def hurries(taken: Bool, least: UInt) = taken && least <= 1
  val coreHolds = core.late || hurries(coreTaken, coreLeast)
  val dmaHolds = dma.late || hurries(dmaTaken, dmaLeast)
  private def withStores(holds: Bool) = if (c.bus.writeBack) holds || background.hold else holds
  // A core looks ahead at who gets the bus: the bus changes hands before a tick,
  // not in the tick.
  holding := withStores(tags.io.walking || !ideal && coreHolds || dmaHolds) || io.pause
  io.hold := holding || (ideal && !dmaSlot)

  io.events.access := tags.io.answer && !forDma
  io.events.kind := kind
  io.events.miss := tags.io.answer && !forDma && !tags.io.hit
  io.events.victim := tags.io.victim
  io.events.dma := tags.io.answer && forDma
  io.events.write := isWrite
  io.events.address := address
  // Ideal memory is at work between ticks, in as many clocks as the RAM wants.
  val coreWorks = !ideal && (coreTaken || core.busy && !coreAnswers)
  val coreBusyTick = RegNext(io.tick && coreWorks) init False
  val dmaBusyTick = RegNext(io.tick && (dmaTaken || dma.busy && !dmaAnswers)) init False
  io.events.coreBusy := coreBusyTick
  io.events.dmaBusy := dmaBusyTick
  if (c.bus.writeBack) {
    io.events.dirtyMiss := io.events.access && dirty && kind === MemoryKind.load
    io.events.coreWaits := RegNext(
      io.tick && io.memory.wants && (dmaTaken || dma.busy && !dmaAnswers)
    ) init False
  }
  io.idle := !core.busy && !dma.busy && !tags.io.walking
  if (c.bus.writeBack) when(background.waits) { io.idle := False }
  io.nextEvent := NextEvent.when(
    core.busy || dma.busy || !engineFree || holding || io.memory.cmd.valid || io.dma.cmd.valid
  )
}
