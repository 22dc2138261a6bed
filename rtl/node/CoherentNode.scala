// SPDX-License-Identifier: BSD-2-Clause
package mcpi.node

import mcpi.bus._
import mcpi.console.{GuestConsole, HostLink, HostRegisterBus}
import mcpi.core.{AlphaLite, AlphaLiteConfig}
import mcpi.counters._
import mcpi.lance.LanceCard
import mcpi.machine.Machine
import mcpi.memory._
import spinal.core._
import spinal.lib._

case class CoherentNodeIo(machine: Machine) extends Bundle with NodePorts {
  private val memory = CoherentConfig(machine)
  private val core = CoherentNode.core(machine, onFpga = false)
  val pause = in Bool () // no tick in this clock
  val tick = out Bool () // this clock is a tick
  val host = slave(HostBytes())
  val backing = master(BackingBus(memory.bus))
  val mii = master(Mii())
  val board = master(HostRegisterBus()) // host registers 1000 hex to 1FFF
  // For a simulator: `exit` in its tick, all else in the clock after it.
  val trace = out Bits (memory.cores * CoreTrace.stride(CoreTrace(core, Some(memory))) bits)
  val order = master Flow (SnoopOrder(memory))
  val answer = out(SnoopAnswer())
  val exit = master Flow Bits(8 bits)
}

/** A machine of several coherent cores: docs/explanation/multiprocessor.md. It is to the outside
  * what `Node` is, but that no tick stands for several.
  *
  * @param onFpga the counters are packed into block RAM, and the write buffers' data lie in LUTs
  */
class CoherentNode(machine: Machine, onFpga: Boolean = false)
    extends Component
    with Traced
    with OnBoard {
  private val memoryConfig = CoherentConfig(machine)
  private val coreConfig = CoherentNode.core(machine, onFpga)
  private val n = memoryConfig.cores
  private val reads = memoryConfig.places + n // of RAM and of each core's table of blocks
  val io = CoherentNodeIo(machine)

  val link = new HostLink(memoryConfig.bus)
  val registers = new HostRegisters(machine, events = onFpga)
  private val parameters = registers.io.parameters
  val counters = Seq.fill(n)(new Counters(Node.counters(machine, onFpga)))
  val snoops = new SnoopCounters
  val gate = new ControlGate
  val console = new GuestConsole
  val ram = new BackingSwitch(memoryConfig.bus, reads)
  private val tick = Bool()
  io.tick := tick

  private val running = registers.io.run
  private def virtual(run: Bool) = clockDomain.copy(reset = clockDomain.readResetWire || !run)
  private val virtualDomain = virtual(running)
  val cores = Seq.fill(n)(virtualDomain(new AlphaLite(coreConfig)))
  val memory = virtualDomain(new CoherentMemory(memoryConfig))
  val arbiter = virtualDomain(new IoArbiter(n))
  private val syncs = machine.bool("sync.bus")
  val sync = syncs generate virtualDomain(new SyncBus(machine))
  val decoder = virtualDomain(new IoDecoder(machine))
  val turbochannel = virtualDomain(
    new TcHost(TcHostConfig(machine).copy(masks = LanceCard.isDense(machine)))
  )
  val lance = virtualDomain(LanceCard(machine))
  val system = virtualDomain(new SystemRegisters(machine))
  val timer = virtualDomain(new Timer(Timer.period(machine)))
  val measure = virtualDomain(new MeasureTrigger)

  private val holds = Seq(!registers.io.run, io.pause, memory.io.hold, gate.io.hold) ++
    Seq(console.io.hold) ++ cores.map(_.hold) ++ counters.map(_.io.hold)
  val governor = new Governor(holds.size)
  governor.io.holds := holds.asBits()
  tick := governor.io.tick
  for (core <- cores) assert(!(tick && core.hold), "a tick that a core holds", FAILURE)
  for (
    ticked <- Seq(memory.io.tick, arbiter.io.tick, decoder.io.tick, turbochannel.io.tick) ++
      Seq(lance.io.tick, system.io.tick, timer.io.tick, measure.io.tick, console.io.tick)
  ) ticked := tick
  for (skip <- Seq(turbochannel.io.skip, lance.io.skip, timer.io.skip)) skip := 0

  // The cores.
  parameters.drive(memory.io.timing.bcacheRead, "bcache.read_ticks")
  parameters.drive(memory.io.timing.write, "write_buffer.write_ticks")
  parameters.drive(memory.io.timing.dma, "bcache.dma_ticks")
  parameters.drive(memory.io.timing.request, "bus.request_ticks")
  parameters.drive(memory.io.timing.data, "bus.data_ticks")
  parameters.drive(memory.io.timing.miss, "bus.miss_ticks")
  parameters.drive(memory.io.timing.remote, "bus.remote_ticks")
  parameters.drive(memory.io.timing.upgrade, "bus.upgrade_ticks")
  private val first = UInt(3 bits)
  parameters.drive(first, "bus.arbiter_first")
  memory.io.timing.first := (first % memoryConfig.places).resized
  parameters.fixed("bcache.enable") // on
  parameters.fixed("memory.ideal") // off
  for ((core, k) <- cores.zipWithIndex) {
    core.tick := tick
    core.run := running && registers.io.runMask(k)
    NodeWiring.core(core, parameters)
    core.ideal := False
    core.coldPc.valid := False
    core.coldPc.payload := 0
    (if (syncs) sync.io.cores(k) else arbiter.io.cores(k)) <> core.io
    val port = memory.io.ports(k)
    port.memory <> core.memory
    port.locks <> core.locks
    core.busWaits := memory.io.events(k).waits
  }

  if (syncs) {
    sync.io.tick := tick
    parameters.drive(sync.io.ticks, "sync.ticks")
    for ((core, k) <- sync.io.others.zipWithIndex) core <> arbiter.io.cores(k)
  }

  // Memory
  memory.io.dma <> turbochannel.io.dma
  memory.io.backing <> ram.io.memory
  ram.io.run := running
  ram.io.host <> link.io.backing
  // RAM goes before the tables of blocks, and core 0's before the others'.
  private val users = ram.io.ram +: counters.map(_.io.backing)
  io.backing <> users.reduceRight { (first, second) =>
    val merge = new BackingMerge(memoryConfig.bus, reads + 1)
    merge.io.first <> first
    merge.io.second <> second
    merge.io.backing
  }

  // Input and output
  decoder.io.core <> arbiter.io.bus
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
  system.io.cores.reader := arbiter.io.reader

  /** Interrupts of core `k`: devices interrupt core 0 alone. */
  private val pending = Vec((0 until n).map { k =>
    val lines = B(0, 64 bits)
    if (k == 0) NodeWiring.interrupts(machine, lines, turbochannel, console, timer)
    lines(machine.interruptBit("interprocessor")) := system.io.cores.called(k)
    lines
  })
  system.io.pending := (if (n == 1) pending(0) else pending(arbiter.io.reader))
  for ((core, lines) <- cores.zip(pending)) core.interrupts := lines.resized

  // The host's side, in clocks
  NodeWiring.host(io.host, io.board, link, registers, console)
  link.io.held := ram.io.hostOwns && !running
  registers.io.halted := cores.zipWithIndex.map { case (core, k) =>
    core.halted || !registers.io.runMask(k)
  }.andR
  io.exit.valid := system.io.exit.valid && tick
  io.exit.payload := system.io.exit.payload
  registers.io.exit.valid := io.exit.valid
  registers.io.exit.payload := io.exit.payload

  // Counters: the host's words reach those of all cores.
  for ((one, k) <- counters.zipWithIndex) {
    one.io.tick := tick
    one.io.skip := 0
    one.io.core := cores(k).events
    if (coreConfig.hasWays) one.io.iWay := cores(k).iWay
    one.io.cache := memory.io.events(k)
    one.io.place := k
    one.io.control := gate.io.control
    one.io.coldStart := False
    one.io.held := !running
    one.io.gated := gate.io.hold
    one.io.idealActive := False
    one.io.codeWindow := registers.io.codeWindow
    one.io.comparators := registers.io.comparators
    one.io.copies := (if (k == 0) False else counters(0).io.copied)
    one.io.autosnapshot := (if (k == 0) registers.io.autosnapshot else U(0))
    one.io.snapshot.index := registers.io.snapshot.index
    one.io.snapshot.window := registers.io.snapshot.window
    one.io.snapshot.enable := registers.io.snapshot.enable
    one.io.cells := registers.io.cells
  }
  private val values = Vec(counters.map(_.io.snapshot.value))
  registers.io.snapshot.value := (if (n == 1) values(0) else values(registers.io.core.resized))
  gate.io.request.assignFromBits(registers.io.control.asBits | measure.io.control.asBits)
  gate.io.cold := False
  gate.io.idealActive := False
  gate.io.busy := counters.map(_.io.busy).orR
  registers.io.countersBusy := gate.io.hold || counters.map(_.io.busy).orR
  registers.io.ownersError := counters.map(_.io.ownersError).orR
  NodeWiring.measure(measure, registers, counters(0))

  snoops.io.tick := tick
  snoops.io.bus := memory.io.bus
  snoops.io.control := gate.io.control
  snoops.io.copy := counters(0).io.copied
  registers.io.machineCounters := snoops.io.values

  // Ports for a simulator, in step with the core's events, which are late.
  private def late[T <: Data](what: T) = RegNextWhen(what, tick)
  io.order << late(memory.io.order)
  io.answer := late(memory.io.answer)
  private val words = cores.zipWithIndex.map { case (core, k) =>
    val trace = CoreTrace(coreConfig, Some(memoryConfig))
    val port = memory.io.ports(k)
    trace.events := core.events
    trace.events.allowOverride()
    trace.events.issuePc := late(core.events.issuePc)
    trace.retire.retired << late(core.retire.retired)
    trace.retire.trapped << late(core.retire.trapped)
    trace.halted := late(core.halted)
    trace.takes := late(core.memory.cmd.fire)
    trace.kind := late(core.memory.cmd.kind)
    trace.conditional := late(port.locks.conditional)
    trace.address := late(core.memory.cmd.address)
    trace.ends := late(core.memory.rsp.valid)
    trace.decided := late(port.locks.decided.valid)
    trace.stores := late(port.locks.decided.payload)
    trace.cache := late(memory.io.events(k))
    (trace.asBits.resize(CoreTrace.stride(trace)), trace.layout)
  }
  io.trace := Cat(words.map(_._1))

  def layout: Seq[(String, Int, Int)] = words.head._2
  def passed: Bits = counters(0).windows.passed.pull()

  require(parameters.idle.isEmpty, s"run-time parameters drive nothing: ${parameters.idle}")
}

object CoherentNode {
  def core(machine: Machine, onFpga: Boolean): AlphaLiteConfig = Node
    .core(machine, onFpga)
    .copy(skips = false, interrupts = machine.interruptBit("interprocessor") + 1)
}
