// SPDX-License-Identifier: BSD-2-Clause
package mcpi.bus

import mcpi.machine.Machine
import spinal.core._
import spinal.lib._

/** @param ticksPerCycle ticks of one TURBOchannel cycle
  * @param timeoutCycles cycles from `sel` after which a silent slot ends in an error
  * @param slots slot numbers that exist, in the order of `io.slots`
  * @param maxBurst longwords of one DMA burst (the DEC 3000/600 allows 128, sources/lance.md 4)
  * @param masks each longword of a DMA write comes with a byte mask
  */
case class TcHostConfig(
    ticksPerCycle: Int,
    timeoutCycles: Int,
    slots: Seq[Int] = Seq(0, 7),
    maxBurst: Int = 128,
    masks: Boolean = false
) {
  require(ticksPerCycle >= 1 && ticksPerCycle <= 16)
  require(timeoutCycles >= 16 && timeoutCycles <= 4096)
  require(slots.nonEmpty && slots.forall(s => s >= 0 && s < 8) && slots.distinct == slots)
  require(maxBurst >= 4 && maxBurst <= 128 && maxBurst % 4 == 0)
}

object TcHostConfig {
  def apply(machine: Machine): TcHostConfig = TcHostConfig(
    machine.int("turbochannel.ticks_per_cycle"),
    machine.int("turbochannel.timeout_cycles")
  )
}

/** The first thing that went wrong since `faultTaken`; `address` is the access's, or DMA's. */
case class TcFault() extends Bundle {
  val timeout = Bool() // no `rdy`: a silent or empty slot
  val memory = Bool() // DMA to where no memory is
  val crossed, tooLong = Bool() // a burst against the rules: 2 KB, or more than `maxBurst`
  val slot = UInt(3 bits)
  val address = UInt(34 bits)
  def valid: Bool = timeout || memory || crossed || tooLong
}

/** `interrupts`: one level per existing slot, in the order of `slots`. */
case class TcHostIo(c: TcHostConfig) extends Bundle {
  val tick = in Bool ()
  val skip = in UInt (NextEvent.width bits)
  val nextEvent = out UInt (NextEvent.width bits)
  val io = slave(IoBus())
  val dma = master(DmaBus())
  val slots = Vec(master(TcSlot(c.masks)), c.slots.size)
  val interrupts = out Bits (c.slots.size bits)
  val fault = out(TcFault())
  val faultTaken = in Bool ()
}

/** The system side of the TURBOchannel: the core's uncached accesses become programmed I/O, an
  * option's bursts become accesses of memory in 16-byte pieces.
  *
  * One transaction at a time. A waiting DMA request goes before programmed I/O, but after a burst a
  * waiting access goes first, also one that an option has refused with `conflict`: so neither
  * starves. Writes of a burst are posted; until they are in
  * memory no access is answered and no interrupt line changes, so software never sees an interrupt
  * before the data it announces.
  */
class TcHost(val config: TcHostConfig) extends Component {
  private val c = config
  val io = TcHostIo(c)

  val ticked = new TickArea(io.tick) {
    val phase = Reg(UInt(log2Up(c.ticksPerCycle + 1) bits)) init 0
    val cycle = phase === c.ticksPerCycle - 1
    val phaseNext = phase.resize(6) + (io.skip % U(c.ticksPerCycle)).resize(6) + 1
    phase := ((phaseNext >= c.ticksPerCycle) ? (phaseNext - c.ticksPerCycle) | phaseNext).resized

    val resetCycles = Reg(UInt(3 bits)) init 7 // options see reset for a few cycles
    when(cycle && resetCycles =/= 0)(resetCycles := resetCycles - 1)

    val programmed = new TcProgrammed(c)
    val dma = new TcDma(c)
    io.io <> programmed.io.io
    io.dma <> dma.io.memory
    programmed.io.cycle := cycle
    dma.io.cycle := cycle
    programmed.io.posted := dma.io.posted

    // The bus is taken at a cycle's end, given back when the transaction is over.
    val ioTurn = Reg(Bool()) init False
    val free = !programmed.io.busy && !dma.io.busy && resetCycles === 0
    val requests = io.slots.map(s => s.rReq || s.wReq).asBits()
    val dmaWanted = requests.orR && !dma.io.posted
    val ioGoes = programmed.io.wants && (!dmaWanted || (ioTurn && !programmed.io.conflicted))
    programmed.io.grant := cycle && free && ioGoes
    dma.io.grant := cycle && free && dmaWanted && !ioGoes
    programmed.io.served := dma.io.grant
    when(programmed.io.grant)(ioTurn := False)
    when(dma.io.grant)(ioTurn := True)

    // Round robin among the slots: the one after the last one served comes first.
    val last = Reg(UInt(log2Up(c.slots.size) max 1 bits)) init 0
    val choice = UInt(last.getWidth bits)
    choice := last
    for (offset <- c.slots.size to 1 by -1; i <- c.slots.indices) {
      val candidate = (i + offset) % c.slots.size
      when(last === i && requests(candidate))(choice := candidate)
    }
    when(dma.io.grant)(last := choice)
    val owner = Mux(dma.io.grant, choice, last)

    val lines = Reg(Bits(c.slots.size bits)) init 0
    when(!dma.io.posted)(lines := io.slots.map(_.int).asBits())
    io.interrupts := lines
    io.nextEvent := NextEvent.when(
      resetCycles =/= 0 || programmed.io.active || dma.io.active || requests.orR ||
        lines =/= io.slots.map(_.int).asBits()
    )

    val fault = Reg(TcFault())
    Seq(fault.timeout, fault.memory, fault.crossed, fault.tooLong).foreach(_ init False)
    io.fault := fault
    when(!fault.valid) {
      val numbers = Vec(c.slots.map(U(_, 3 bits)))
      fault.timeout := programmed.io.timedOut
      fault.memory := dma.io.memoryFailed
      fault.crossed := dma.io.tooLong && dma.io.crossed
      fault.tooLong := dma.io.tooLong && !dma.io.crossed
      fault.slot := (if (c.slots.size == 1) numbers(0) else numbers(last))
      fault.address := dma.io.address
      when(programmed.io.timedOut) {
        fault.slot := programmed.io.address(31 downto 29)
        fault.address := programmed.io.address
      }
    }
    when(io.faultTaken) {
      Seq(fault.timeout, fault.memory, fault.crossed, fault.tooLong).foreach(_ := False)
    }

    def of[T <: Data](field: TcSlot => T, index: UInt): T =
      if (c.slots.size == 1) field(io.slots(0)) else Vec(io.slots.map(field))(index)
    dma.io.rReq := of(_.rReq, owner)
    dma.io.wReq := of(_.wReq, owner)
    dma.io.adOption := of(_.adOption, owner)
    if (c.masks) dma.io.mask := of(_.mask, owner)
    programmed.io.rdy := io.slots.zipWithIndex.map { case (s, i) =>
      s.rdy && programmed.io.sel(i)
    }.orR
    programmed.io.conflict := io.slots.zipWithIndex.map { case (s, i) =>
      s.conflict && programmed.io.sel(i)
    }.orR
    programmed.io.adOption := io.slots.zipWithIndex
      .map { case (s, i) => Mux(programmed.io.sel(i), s.adOption, B(0, 32 bits)) }
      .reduce(_ | _)

    for ((s, i) <- io.slots.zipWithIndex) {
      s.cycle := cycle
      s.reset := resetCycles =/= 0
      s.sel := programmed.io.sel(i)
      s.write := programmed.io.write
      s.ack := dma.io.ack && last === i
      s.err := dma.io.err && last === i
      s.adHost := Mux(programmed.io.busy, programmed.io.adHost, dma.io.adHost)
    }
  }
}

object TcHost {
  def apply(machine: Machine): TcHost = new TcHost(TcHostConfig(machine))
}
