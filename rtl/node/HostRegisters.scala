// SPDX-License-Identifier: BSD-2-Clause
package mcpi.node

import mcpi.bus.Timing
import mcpi.console.HostRegisterBus
import mcpi.counters.{Comparator, CountersControl, SnapshotRead}
import mcpi.machine.Machine
import spinal.core._
import spinal.lib._

/** What the host sets and reads, in clocks, outside virtual time: docs/contracts.md 5. */
class HostRegisters(machine: Machine) extends Component {
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
    val parameters = out Vec (UInt(32 bits), map.parameters.length)
    val timerPhase = out UInt (32 bits)
    val lancePollPhase = out UInt (21 bits)
    val stationAddress = out Bits (48 bits)
    val lanceHeartbeat = out Bool ()
    val comparators = out Vec (Comparator(), map.comparators)
    val snapshot = master(SnapshotRead())
  }

  /** The run-time parameter `key`, cut to the width of what it drives. */
  def parameter(key: String): UInt = {
    require(map.parameters.contains(key), s"$key is no run-time parameter")
    io.parameters(map.parameters.indexOf(key))
  }

  val run = RegInit(False)
  val node = Reg(UInt(8 bits)) init 0
  val autosnapshot = Reg(UInt(64 bits)) init 0
  val coldAddress, codeWindow = Reg(UInt(34 bits)) init 0
  val coldNumber, measureFrom, measureTo = Reg(UInt(32 bits)) init 0
  val parameters = map.parameters.map { key =>
    (Reg(UInt(32 bits)) init 0).setName("parameter_" + key.replace('.', '_'))
  }
  val timerPhase = Reg(UInt(32 bits)) init Timer.period(machine)
  val lancePollPhase = Reg(UInt(21 bits)) init 0
  val stationAddress = Reg(Bits(48 bits)) init 0
  val lanceHeartbeat = RegInit(True)
  val comparators = Seq.tabulate(map.comparators) { n =>
    val comparator = Reg(Comparator())
    comparator.address init 0
    comparator.action init 0
    comparator.window init 0
    comparator.setName(s"comparator_$n")
  }
  // All of them but `run` are set before a run, bytes of the host's earlier (docs/timing.md).
  private val before = Seq(node, autosnapshot, coldAddress, codeWindow, coldNumber) ++
    Seq(measureFrom, measureTo, timerPhase, lancePollPhase, stationAddress, lanceHeartbeat) ++
    parameters ++ comparators.flatMap(_.flatten)
  before.foreach(Timing.static(_))
  val exited = RegInit(False)
  val exitCode = Reg(Bits(8 bits)) init 0
  when(io.exit.valid && !exited) {
    exited := True
    exitCode := io.exit.payload
  }
  val control = CountersControl()
  control.assignFromBits(B(0, 4 bits))

  private val data = io.bus.data
  when(io.bus.write) {
    switch(io.bus.number) {
      is(map.run) {
        run := data(0)
        exited := exited && data(0)
      }
      is(map.identity + 3)(node := data(7 downto 0).asUInt)
      is(map.countersControl) {
        control.clear := data(0)
        control.stop := data(1)
        control.arm := data(2)
        control.snapshot := data(3)
      }
      is(map.autosnapshot)(autosnapshot := data.asUInt)
      is(map.coldAddress)(coldAddress := data(33 downto 0).asUInt)
      is(map.coldNumber)(coldNumber := data(31 downto 0).asUInt)
      is(map.codeWindow)(codeWindow := data(33 downto 0).asUInt)
      is(map.measureFrom)(measureFrom := data(31 downto 0).asUInt)
      is(map.measureTo)(measureTo := data(31 downto 0).asUInt)
      for ((register, i) <- parameters.zipWithIndex) {
        is(map.firstParameter + i)(register := data(31 downto 0).asUInt)
      }
      is(map.timerPhase)(timerPhase := data(31 downto 0).asUInt)
      is(map.lancePollPhase)(lancePollPhase := data(20 downto 0).asUInt)
      is(map.stationAddress)(stationAddress := data(47 downto 0))
      is(map.lanceHeartbeat)(lanceHeartbeat := data(0))
      for ((comparator, n) <- comparators.zipWithIndex) {
        is(map.firstComparator + 2 * n)(comparator.address := data(33 downto 0).asUInt)
        is(map.firstComparator + 2 * n + 1) {
          comparator.action := data(7 downto 0).asUInt
          comparator.window := data(15 downto 8).asUInt
        }
      }
    }
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
  io.identity := Identity.constants(machine, node.asBits)
  val statusBits = exitCode ## B"00" ## io.ended ## io.begun ## io.countersBusy ## io.ownersError ##
    exited ## io.halted
  when(reading) {
    value := 0
    switch(number) {
      is(map.run)(value := run.asBits.resized)
      is(map.status)(value := statusBits.resized)
      is(map.identity)(value := io.identity.magic)
      is(map.identity + 1)(value := io.identity.rtl)
      is(map.identity + 2)(value := io.identity.machine)
      is(map.identity + 3)(value := io.identity.node)
      is(map.autosnapshot)(value := autosnapshot.asBits)
      is(map.coldAddress)(value := coldAddress.asBits.resized)
      is(map.coldNumber)(value := coldNumber.asBits.resized)
      is(map.codeWindow)(value := codeWindow.asBits.resized)
      is(map.measureFrom)(value := measureFrom.asBits.resized)
      is(map.measureTo)(value := measureTo.asBits.resized)
      is(map.invocations)(value := io.invocations.asBits.resized)
      for ((register, i) <- parameters.zipWithIndex) {
        is(map.firstParameter + i)(value := register.asBits.resized)
      }
      is(map.timerPhase)(value := timerPhase.asBits.resized)
      is(map.lancePollPhase)(value := lancePollPhase.asBits.resized)
      is(map.stationAddress)(value := stationAddress.resized)
      is(map.lanceHeartbeat)(value := lanceHeartbeat.asBits.resized)
      for ((comparator, n) <- comparators.zipWithIndex) {
        is(map.firstComparator + 2 * n)(value := comparator.address.asBits.resized)
        is(map.firstComparator + 2 * n + 1) {
          value := (comparator.window ## comparator.action).resized
        }
      }
      default {
        when(number(15 downto 8) === 2 || number(15 downto 8) === 3) {
          value := io.snapshot.value.asBits
        }
      }
    }
  }
  io.bus.value := value

  io.run := run
  io.control := control
  io.autosnapshot := autosnapshot
  io.coldAddress := coldAddress
  io.coldNumber := coldNumber
  io.codeWindow := codeWindow
  io.measureFrom := measureFrom
  io.measureTo := measureTo
  for ((register, i) <- parameters.zipWithIndex) io.parameters(i) := register
  io.timerPhase := timerPhase
  io.lancePollPhase := lancePollPhase
  io.stationAddress := stationAddress
  io.lanceHeartbeat := lanceHeartbeat
  for ((comparator, n) <- comparators.zipWithIndex) io.comparators(n) := comparator
}
