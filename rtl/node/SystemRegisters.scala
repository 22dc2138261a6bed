// SPDX-License-Identifier: BSD-2-Clause
package mcpi.node

import mcpi.bus._
import mcpi.console.GuestPort
import mcpi.machine.Machine
import spinal.core._
import spinal.lib._

/** Signals between several cores: the reader's number, and the cores that it calls. */
case class BetweenCores(cores: Int) extends Bundle with IMasterSlave {
  val reader = UInt((log2Up(cores) max 1) bits)
  val called = Bits(cores bits) // interprocessor interrupts, by core
  override def asMaster(): Unit = { out(reader); in(called) }
}

/** Identity, console, timer and pending interrupts, as the guest sees them
  * (machines/memory-map.toml [system]). Quadword registers; a longword access reads or writes the
  * half its address names. Answered in the tick after the command; no register there: an error.
  */
class SystemRegisters(machine: Machine) extends Component {
  val io = new Bundle {
    val tick = in Bool ()
    val bus = slave(IoBus())
    val identity = in(Identity())
    val console = master(GuestPort())
    val exit = master Flow Bits(8 bits) // one tick: the guest is done
    val timerTicks = in UInt (64 bits)
    val timerAcknowledge = out Bool ()
    val timerEnable = out Bool ()
    val pending = in Bits (64 bits) // the reader's
    val cores = machine.coherent generate slave(BetweenCores(machine.cores))
    val fault = in(TcFault())
    val faultTaken = out Bool ()
    val nextEvent = out UInt (NextEvent.width bits)
  }

  val ticked = new TickArea(io.tick) {
    val responds = Reg(Bool()) init False
    val failed = Reg(Bool()) init False
    val data = Reg(Bits(64 bits)) init 0
    val timerEnable = Reg(Bool()) init False

    private val cmd = io.bus.cmd
    private val offset = cmd.address(15 downto 3) @@ U"000"
    private val upper = !cmd.quad && cmd.address(2)
    val value = B(0, 64 bits)
    val known = True
    val writes = cmd.valid && cmd.write && !upper // upper halves hold nothing to write
    val reads = cmd.valid && !cmd.write

    io.console.write.valid := False
    io.console.write.payload := cmd.data(7 downto 0)
    io.console.take := False
    io.exit.valid := False
    io.exit.payload := cmd.data(7 downto 0)
    io.timerAcknowledge := False
    io.faultTaken := False

    private def at(name: String)(body: => Unit): (BigInt, () => Unit) =
      machine.offset("system", name) -> (() => body)

    /** Registers of interprocessor interrupts: a write acts on one in the tick after the access. */
    private def ofCores: Seq[(BigInt, () => Unit)] = {
      def register(name: String) = (Reg(Bits(machine.cores bits)) init 0).setName(name)
      val Seq(called, raised, dropped) = Seq("called", "raised", "dropped").map(register)
      raised := 0
      dropped := 0
      called := called & ~dropped | raised
      io.cores.called := called
      val mask = cmd.data(machine.cores - 1 downto 0)
      Seq(
        at("core_count")(value := B(machine.cores, 64 bits)),
        at("interprocessor")(when(writes)(raised := mask)),
        at("interprocessor_acknowledge")(when(writes)(dropped := mask)),
        at("core_number")(value := io.cores.reader.asBits.resized)
      )
    }
    private val registers = Seq(
      at("identity_magic")(value := io.identity.magic),
      at("identity_rtl")(value := io.identity.rtl),
      at("identity_machine")(value := io.identity.machine),
      at("identity_node")(value := io.identity.node),
      at("console_data") {
        value := io.console.byte.resized
        io.console.take := reads && !upper
        io.console.write.valid := writes
      },
      at("console_status")(value := (B"1" ## io.console.available).resized),
      at("console_exit")(io.exit.valid := writes),
      at("timer_ticks")(value := io.timerTicks.asBits),
      at("timer_acknowledge")(io.timerAcknowledge := writes),
      at("timer_control") {
        value(0) := timerEnable
        when(writes)(timerEnable := cmd.data(0))
      },
      at("interrupt_pending")(value := io.pending),
      at("bus_error") {
        val fault = io.fault
        value(10 downto 8) := fault.slot.asBits
        value(3 downto 0) := fault.tooLong ## fault.crossed ## fault.memory ## fault.timeout
        io.faultTaken := writes
      },
      at("bus_error_address")(value := io.fault.address.asBits.resized)
    ) ++ (if (machine.coherent) ofCores else Nil)
    switch(offset) {
      for ((number, body) <- registers) is(number)(body())
      default(known := False)
    }

    responds := cmd.valid
    failed := !known
    data := upper ? (B(0, 32 bits) ## value(63 downto 32)) | value
  }
  io.bus.cmd.ready := True
  io.bus.rsp.valid := ticked.responds
  io.bus.rsp.error := ticked.failed
  io.bus.rsp.data := ticked.data
  io.nextEvent := NextEvent.when(io.bus.cmd.valid || ticked.responds)
  io.timerEnable := ticked.timerEnable
}
