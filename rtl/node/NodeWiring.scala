// SPDX-License-Identifier: BSD-2-Clause
package mcpi.node

import mcpi.bus.TcHost
import mcpi.console.{GuestConsole, HostLink, HostRegisterBus}
import mcpi.core.AlphaLite
import mcpi.counters.Counters
import mcpi.lance.LanceCard
import mcpi.machine.Machine
import spinal.core._
import spinal.lib._

/** Wiring that nodes of one core and of several share. */
object NodeWiring {

  /** Run-time parameters of a core. */
  def core(core: AlphaLite, parameters: HostParameters): Unit = {
    parameters.drive(core.takenPenalty, "core.taken_penalty")
    parameters.drive(core.ev4, "core.prediction") // choices paper, ev4
    parameters.drive(core.predictedPenalty, "core.predicted_penalty")
    parameters.drive(core.mispredictPenalty, "core.mispredict_penalty")
    parameters.drive(core.prefetch, "icache.prefetch")
    parameters.drive(core.iCacheOn, "icache.enable")
    parameters.drive(core.dCacheOn, "dcache.enable")
    parameters.drive(core.writeBufferOn, "write_buffer.enable")
    parameters.drive(core.refillRestart, "icache.refill_restart")
    parameters.drive(core.drainAt, "write_buffer.drain_at")
    parameters.drive(core.idleTicks, "write_buffer.idle_ticks")
  }

  /** Devices among themselves, and with the host registers that are theirs. */
  def devices(
      machine: Machine,
      registers: HostRegisters,
      decoder: IoDecoder,
      turbochannel: TcHost,
      lance: LanceCard,
      system: SystemRegisters,
      timer: Timer,
      console: GuestConsole
  ): Unit = {
    decoder.io.turbochannel <> turbochannel.io.io
    decoder.io.system <> system.io.bus
    system.io.fault := turbochannel.io.fault
    turbochannel.io.faultTaken := system.io.faultTaken
    val lanceSlot = turbochannel.config.slots.indexOf(LanceCard.slot(machine))
    for ((slot, i) <- turbochannel.io.slots.zipWithIndex)
      if (i == lanceSlot) slot <> lance.io.slot else slot.tieOffOption()
    lance.io.station := registers.io.stationAddress
    lance.io.heartbeat := registers.io.lanceHeartbeat
    lance.io.halfDuplex := Bool(machine.choice("link.duplex") == "half")
    lance.io.pollPhase := registers.io.lancePollPhase
    LanceParameters(lance.io.timing, registers.io.parameters)

    timer.io.phase := registers.io.timerPhase
    timer.io.enable := system.io.timerEnable
    timer.io.acknowledge := system.io.timerAcknowledge
    system.io.timerTicks := timer.io.ticks
    system.io.identity := registers.io.identity
    system.io.console <> console.io.guest
  }

  /** The bits of HIRR that devices raise. */
  def interrupts(
      machine: Machine,
      lines: Bits,
      turbochannel: TcHost,
      console: GuestConsole,
      timer: Timer
  ): Unit = {
    lines(machine.interruptBit("turbochannel")) := turbochannel.io.interrupts.orR
    lines(machine.interruptBit("console")) := console.io.guest.available
    lines(machine.interruptBit("timer")) := timer.io.interrupt
  }

  /** The host's side, in clocks. */
  def host(
      bytes: HostBytes,
      board: HostRegisterBus,
      link: HostLink,
      registers: HostRegisters,
      console: GuestConsole
  ): Unit = {
    link.io.fromHost <> bytes.fromHost
    link.io.toHost <> bytes.toHost
    for (bus <- Seq(registers.io.bus, board)) {
      bus.number := link.io.registers.number
      bus.data := link.io.registers.data
      bus.write := link.io.registers.write
      bus.read := link.io.registers.read
    }
    link.io.registers.value := registers.io.bus.value | board.value // no register: zero
    console.io.held := !registers.io.run
    link.io.toGuest >> console.io.fromHost
    link.io.fromGuest << console.io.toHost
  }

  /** Wire the triggers that begin and end a measurement: markers that `counters` see. */
  def measure(measure: MeasureTrigger, registers: HostRegisters, counters: Counters): Unit = {
    measure.io.invocation := counters.io.invocation
    measure.io.closed := counters.io.closed
    measure.io.from := registers.io.measureFrom
    measure.io.to := registers.io.measureTo
    registers.io.invocations := measure.io.invocations
    registers.io.begun := measure.io.begun
    registers.io.ended := measure.io.ended
  }
}
