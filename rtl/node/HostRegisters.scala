// SPDX-License-Identifier: BSD-2-Clause
package mcpi.node

import mcpi.console.HostRegisterBus
import mcpi.counters.{
  Comparators,
  CountersControl,
  MarkerAction,
  SnapshotRead,
  SnoopCounters,
  WindowNames
}
import mcpi.machine.Machine
import spinal.core._
import spinal.lib._

import scala.collection.mutable

/** Registers that the host sets and reads, in clocks, outside virtual time:
  * docs/reference/contracts.md 5.
  *
  * Most registers are settings, which change only before a run. A run-time parameter's is as wide
  * as its range needs, so it reads back what acts. `events`: comparators have the action `event`.
  */
class HostRegisters(machine: Machine, events: Boolean) extends Component {
  val map = new HostRegisterMap(machine)
  val io = new Bundle {
    val bus = slave(HostRegisterBus())
    val identity = out(Identity())
    val halted, ownersError, countersBusy = in Bool ()
    val exit = slave Flow Bits(8 bits)
    val run = out Bool ()
    val control = out(CountersControl())
    val autosnapshot = out UInt (64 bits)
    val coldAddress, codeWindow = out UInt (34 bits)
    val coldNumber = out UInt (32 bits)
    val measureFrom, measureTo = out UInt (32 bits)
    val invocations = in UInt (32 bits) // since `run`
    val begun, ended = in Bool () // the measurement
    val parameters = out(HostParameters(machine))
    val timerPhase = out UInt (32 bits)
    val lancePollPhase = out UInt (21 bits)
    val stationAddress = out Bits (48 bits)
    val lanceHeartbeat = out Bool ()
    val comparators = out(Comparators(map.comparators, events))
    val snapshot = master(SnapshotRead())
    val cells = out Bool () // the copy's registers read as cells of the table of windows
    val runMask = machine.coherent generate (out Bits (machine.cores bits))
    val machineCounters = machine.coherent generate
      (in Vec (UInt(64 bits), SnoopCounters.names.length))
    val core = machine.coherent generate (out UInt (3 bits)) // whose snapshot's value it is
  }

  private val settings = mutable.LinkedHashMap[Int, BaseType]() // by number

  /** A register that only the host writes, before a run. In a run a write is dropped and `refused`
    * says so.
    */
  private def setting[T <: BaseType](number: Int, register: T): T = {
    require(!settings.contains(number), s"two settings have number $number")
    settings(number) = register
    register
  }

  val run = RegInit(False)
  val refused = RegInit(False)
  val node = setting(map.identity + 3, Reg(UInt(8 bits)) init 0)
  val autosnapshot = setting(map.autosnapshot, Reg(UInt(64 bits)) init 0)
  val coldAddress = setting(map.coldAddress, Reg(UInt(34 bits)) init 0)
  val coldNumber = setting(map.coldNumber, Reg(UInt(32 bits)) init 0)
  val codeWindow = setting(map.codeWindow, Reg(UInt(34 bits)) init 0)
  val measureFrom = setting(map.measureFrom, Reg(UInt(32 bits)) init 0)
  val measureTo = setting(map.measureTo, Reg(UInt(32 bits)) init 0)
  val timerPhase = setting(map.timerPhase, Reg(UInt(32 bits)) init Timer.period(machine))
  val lancePollPhase = setting(map.lancePollPhase, Reg(UInt(21 bits)) init 0)
  val stationAddress = setting(map.stationAddress, Reg(Bits(48 bits)) init 0)
  val lanceHeartbeat = setting(map.lanceHeartbeat, RegInit(True))
  val runMask = machine.coherent generate
    setting(map.runMask, Reg(Bits(machine.cores bits)) init (1 << machine.cores) - 1)
  for ((key, out) <- map.parameters zip io.parameters.values) {
    val register = Reg(cloneOf(out)) init 0
    out := setting(map.parameter(key), register).setName("parameter_" + key.replace('.', '_'))
  }
  for (n <- 0 until map.comparators) {
    val address = setting(map.firstComparator + 2 * n, Reg(UInt(34 bits)) init 0)
    io.comparators.address(n) := address.setName(s"comparator_${n}_address")
  }

  /** Action and window of each comparator, one-hot: an action or a window that there is not sets no
    * bit.
    */
  val actions = Vec.fill(MarkerAction.last(events))(Reg(Bits(map.comparators bits)) init 0)
  val windows = Vec.fill(WindowNames.all.length)(Reg(Bits(map.comparators bits)) init 0)
  io.comparators.action := actions
  io.comparators.window := windows
  private def setComparator(n: Int, what: Bits): Unit = {
    val known = what(7 downto 0).asUInt <= actions.length &&
      what(15 downto 8).asUInt <= windows.length
    for ((bits, i) <- actions.zipWithIndex) bits(n) := known && what(7 downto 0) === i + 1
    for ((bits, i) <- windows.zipWithIndex) bits(n) := known && what(15 downto 8) === i + 1
  }
  private def comparator(n: Int): Bits = {
    def number(sets: Vec[Bits]) =
      sets.zipWithIndex
        .map { case (bits, i) => bits(n) ? B(i + 1, 8 bits) | B(0, 8 bits) }
        .reduce(_ | _)
    number(windows) ## number(actions)
  }
  val exited = RegInit(False)
  val exitCode = Reg(Bits(8 bits)) init 0
  when(io.exit.valid && !exited) {
    exited := True
    exitCode := io.exit.payload
  }
  val control = CountersControl()
  control.assignFromBits(B(0, 4 bits))

  // The simulator gives a cold start's while the machine runs; time is no matter there.
  private val whenever = Set(map.coldAddress, map.coldNumber)
  private val data = io.bus.data
  when(io.bus.write) {
    switch(io.bus.number) {
      is(map.run) {
        run := data(0)
        exited := exited && data(0)
        refused := refused && data(0)
      }
      is(map.countersControl) {
        control.clear := data(0)
        control.stop := data(1)
        control.arm := data(2)
        control.snapshot := data(3)
      }
      for ((number, register) <- settings) is(number) {
        val wanted = data(register.getBitsWidth - 1 downto 0)
        when(run && Bool(!whenever(number))) { refused := True } otherwise {
          register.assignFromBits(wanted)
        }
      }
      for (n <- 0 until map.comparators) is(map.firstComparator + 2 * n + 1) {
        when(run)(refused := True) otherwise setComparator(n, data)
      }
    }
  }

  private def ofCore: Bool = {
    val there = number(15 downto 11) === 0 || number(15 downto 14) === map.firstCore >> 14
    there && (number(10 downto 9) === 1 || number(10 downto 9) === 2)
  }

  // A snapshot's value comes a clock after its index, so every answer does.
  val number = Reg(UInt(16 bits)) init 0
  val reading = RegInit(False)
  val value = Reg(Bits(64 bits)) init 0
  reading := io.bus.read
  when(io.bus.read)(number := io.bus.number)
  io.snapshot.enable := io.bus.read
  io.snapshot.index := io.bus.number(7 downto 0)
  io.snapshot.window := io.bus.number(8)
  io.cells := io.bus.number(10)
  io.identity := Identity.constants(machine, node.asBits)
  val statusBits = exitCode ## B"0" ## refused ## io.ended ## io.begun ## io.countersBusy ##
    io.ownersError ## exited ## io.halted
  when(reading) {
    value := 0
    switch(number) {
      is(map.run)(value := run.asBits.resized)
      is(map.status)(value := statusBits.resized)
      is(map.identity)(value := io.identity.magic)
      is(map.identity + 1)(value := io.identity.rtl)
      is(map.identity + 2)(value := io.identity.machine)
      is(map.invocations)(value := io.invocations.asBits.resized)
      for ((n, register) <- settings) is(n)(value := register.asBits.resized)
      if (machine.coherent) {
        for ((counter, k) <- io.machineCounters.zipWithIndex)
          is(map.snapshotMachine + k)(value := counter.asBits)
      }
      for (n <- 0 until map.comparators) {
        is(map.firstComparator + 2 * n + 1)(value := comparator(n).resized)
      }
      default {
        when(
          if (machine.coherent) ofCore
          else number(15 downto 9) === 1 || number(15 downto 9) === 2
        ) {
          value := io.snapshot.value.asBits
        }
      }
    }
  }
  io.bus.value := value
  if (machine.coherent) {
    io.runMask := runMask | 1
    io.core := number(14) ? number(13 downto 11) | 0
  }

  io.run := run
  io.control := control
  io.autosnapshot := autosnapshot
  io.coldAddress := coldAddress
  io.coldNumber := coldNumber
  io.codeWindow := codeWindow
  io.measureFrom := measureFrom
  io.measureTo := measureTo
  io.timerPhase := timerPhase
  io.lancePollPhase := lancePollPhase
  io.stationAddress := stationAddress
  io.lanceHeartbeat := lanceHeartbeat
}
