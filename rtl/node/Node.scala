// SPDX-License-Identifier: BSD-2-Clause
package mcpi.node

import mcpi.bus._
import mcpi.console.{GuestConsole, HostLink, HostRegisterBus}
import mcpi.core.{AlphaLite, AlphaLiteConfig}
import mcpi.counters._
import mcpi.lance.LanceCard
import mcpi.machine.Machine
import mcpi.memory.{BackingMerge, Governor, MemoryConfig, MemorySystem}
import spinal.core._
import spinal.lib._

/** Bytes of the host link. */
case class HostBytes() extends Bundle with IMasterSlave {
  val fromHost, toHost = Stream(Bits(8 bits))
  override def asMaster(): Unit = { master(fromHost); slave(toHost) }
}

/** Ports of a node, of one core or of several, that a board uses. */
trait NodePorts {
  val pause, tick: Bool
  val host: HostBytes
  val backing: BackingBus
  val mii: Mii
  val board: HostRegisterBus
}

/** A node as a board sees it. */
trait OnBoard {
  val io: NodePorts
  val registers: HostRegisters
  val gate: ControlGate
  val lance: LanceCard
  def passed: Bits // comparators whose instruction issued, a clock late
}

case class NodeIo(c: MemoryBusConfig, core: AlphaLiteConfig) extends Bundle with NodePorts {
  val pause = in Bool () // no tick in this clock: for whoever keeps several nodes in step
  val tick = out Bool () // this clock is a tick
  val skip = in UInt (NextEvent.width bits) // ticks it stands for besides itself; 0 in hardware
  val nextEvent = out UInt (NextEvent.width bits) // ticks, this one on, that `skip` may leave out
  val host = slave(HostBytes())
  val backing = master(BackingBus(c))
  val mii = master(Mii())
  val board = master(HostRegisterBus()) // host registers 1000 hex up (docs/reference/boards.md)
  // `CoreTrace` of a tick; what `CoreEvents` tells late stands in the clock after. On an FPGA
  // nobody looks.
  val trace = out Bits (CoreTrace(core).getBitsWidth bits)
}

/** A complete machine.
  *
  * All that lives in virtual time is in reset while the host has `run` at 0, so that every run
  * starts from the same state at tick 0, on a board as in simulation. The host link, the host
  * registers and the counters live on in clocks.
  *
  * @param onFpga the counters are packed into block RAM, and the write buffer's data lie in LUTs;
  *   `skip` must be 0 then
  */
class Node(machine: Machine, onFpga: Boolean = false) extends Component with Traced with OnBoard {
  private val coreConfig = Node.core(machine, onFpga)
  private val memoryConfig = MemoryConfig(machine)
  val io = NodeIo(memoryConfig.bus, coreConfig)

  val link = new HostLink(memoryConfig.bus)
  val registers = new HostRegisters(machine, events = onFpga)
  private val parameters = registers.io.parameters
  val counters = new Counters(Node.counters(machine, onFpga))
  val gate = new ControlGate
  val merge = new BackingMerge(memoryConfig.bus)
  val console = new GuestConsole
  val ram = new BackingSwitch(memoryConfig.bus)

  // The switch of ideal memory stands while the machine runs. Core and memory each have a register
  // of the switch, which a placer puts near them; the host's register lies at the host's link.
  private val ideal = Bool()
  parameters.drive(ideal, "memory.ideal")
  val idealOfCore = RegNext(ideal) init False
  val idealOfMemory = RegNext(idealOfCore) init False

  private val tick = Bool()
  io.tick := tick
  private val running = registers.io.run
  val virtualReset = clockDomain.readResetWire || !running
  private val virtualDomain = clockDomain.copy(reset = virtualReset)
  val core = virtualDomain(new AlphaLite(coreConfig))
  val memory = virtualDomain(new MemorySystem(memoryConfig))
  val decoder = virtualDomain(new IoDecoder(machine))
  val turbochannel = virtualDomain(
    new TcHost(TcHostConfig(machine).copy(masks = LanceCard.isDense(machine)))
  )
  val lance = virtualDomain(LanceCard(machine))
  val system = virtualDomain(new SystemRegisters(machine))
  val timer = virtualDomain(new Timer(Timer.period(machine)))
  val cold = virtualDomain(new ColdTrigger(coreConfig.events))
  val measure = virtualDomain(new MeasureTrigger)

  val governor = new Governor(7)
  governor.io.holds := Seq(
    !registers.io.run,
    memory.io.hold,
    counters.io.hold,
    gate.io.hold,
    console.io.hold,
    core.hold,
    io.pause
  ).asBits()
  tick := governor.io.tick
  memory.io.pause := counters.io.hold || gate.io.stops
  assert(!(tick && core.hold), "a tick that the core holds", FAILURE)
  core.tick := tick
  Seq(memory.io.tick, lance.io.tick, decoder.io.tick, turbochannel.io.tick, system.io.tick)
    .foreach(_ := tick)
  Seq(timer.io.tick, console.io.tick, counters.io.tick, measure.io.tick, cold.io.tick)
    .foreach(_ := tick)

  // Idle skipping (docs/reference/contracts.md 3)
  Seq(turbochannel.io.skip, lance.io.skip, timer.io.skip, counters.io.skip, core.skip)
    .foreach(_ := io.skip)
  io.nextEvent := NextEvent.first(
    core.nextEvent,
    memory.io.nextEvent,
    decoder.io.nextEvent,
    system.io.nextEvent,
    turbochannel.io.nextEvent,
    lance.io.nextEvent,
    timer.io.nextEvent,
    measure.io.nextEvent,
    console.io.nextEvent
  )
  assert(!tick || io.skip === 0 || io.skip < io.nextEvent, "a skip over an event", FAILURE)

  // Core
  core.run := running
  NodeWiring.core(core, parameters)
  core.ideal := idealOfCore
  if (coreConfig.translates) parameters.drive(core.refillFloor, "tlb.refill_floor")

  // Memory
  memory.io.memory <> core.memory
  memory.io.coreMoves := core.idealActive
  memory.io.dma <> turbochannel.io.dma
  memory.io.backing <> ram.io.memory
  parameters.drive(memory.io.timing.bcacheRead, "bcache.read_ticks")
  parameters.drive(memory.io.timing.memoryRead, "memory.read_ticks")
  parameters.drive(memory.io.timing.write, "write_buffer.write_ticks")
  parameters.drive(memory.io.timing.dma, "bcache.dma_ticks")
  parameters.drive(memory.io.timing.bcache, "bcache.enable")
  memory.io.timing.ideal := idealOfMemory
  ram.io.run := running
  ram.io.host <> link.io.backing
  merge.io.first <> ram.io.ram
  merge.io.second <> counters.io.backing
  merge.io.backing <> io.backing
  memory.io.emptyTags := gate.io.coldStart

  // Input and output
  decoder.io.core <> core.io
  NodeWiring.devices(
    machine,
    registers,
    decoder,
    turbochannel,
    lance,
    system,
    timer,
    console
  )
  lance.io.mii <> io.mii

  val pending = B(0, 64 bits)
  NodeWiring.interrupts(machine, pending, turbochannel, console, timer)
  system.io.pending := pending
  core.interrupts := pending.resized

  // The host's side, in clocks
  NodeWiring.host(io.host, io.board, link, registers, console)
  link.io.held := ram.io.hostOwns && !running
  registers.io.halted := core.halted
  registers.io.exit.valid := system.io.exit.valid && tick
  registers.io.exit.payload := system.io.exit.payload
  registers.io.ownersError := counters.io.ownersError

  counters.io.core := core.events
  if (coreConfig.hasWays) counters.io.iWay := core.iWay
  counters.io.memory := memory.io.events
  counters.io.control := gate.io.control
  counters.io.coldStart := gate.io.coldStart
  counters.io.held := !running
  counters.io.gated := gate.io.hold
  counters.io.idealActive := core.idealActive
  counters.io.codeWindow := registers.io.codeWindow
  gate.io.request.assignFromBits(registers.io.control.asBits | measure.io.control.asBits)
  gate.io.cold := core.events.coldStart && tick
  gate.io.idealActive := core.idealActive
  gate.io.busy := counters.io.busy || memory.io.walking
  registers.io.countersBusy := gate.io.hold || counters.io.busy
  NodeWiring.measure(measure, registers, counters)
  cold.io.core := core.events
  cold.io.address := registers.io.coldAddress
  cold.io.number := registers.io.coldNumber
  cold.io.idealActive := core.idealActive
  core.coldPc << cold.io.coldPc
  counters.io.comparators := registers.io.comparators
  counters.io.autosnapshot := registers.io.autosnapshot
  counters.io.snapshot <> registers.io.snapshot
  counters.io.cells := registers.io.cells

  private val trace = CoreTrace(coreConfig)
  trace.events := core.events
  trace.retire.retired << core.retire.retired
  trace.retire.trapped << core.retire.trapped
  trace.memory := memory.io.events
  trace.lance := lance.io.steps
  io.trace := trace.asBits
  def layout: Seq[(String, Int, Int)] = trace.layout
  def passed: Bits = counters.windows.passed.pull()

  require(parameters.idle.isEmpty, s"run-time parameters drive nothing: ${parameters.idle}")
}

/** Its parts' configurations, for whoever measures one alone (`Measured`). */
object Node {
  def core(machine: Machine, onFpga: Boolean): AlphaLiteConfig =
    AlphaLiteConfig(machine).copy(fewBlocks = onFpga)
  def counters(machine: Machine, onFpga: Boolean): CountersConfig =
    CountersConfig(machine).copy(packed = onFpga)
}
