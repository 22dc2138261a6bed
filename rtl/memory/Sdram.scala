// SPDX-License-Identifier: BSD-2-Clause
package mcpi.memory

import mcpi.bus.MemoryBusConfig
import spinal.core._
import spinal.lib._
import spinal.lib.memory.sdram.{SdramGeneration, SdramLayout}
import spinal.lib.memory.sdram.sdr.{SdramInterface, SdramTimings}

/** The chips we know. Times are of the slowest grade sold. */
object SdramChip {

  /** 64 Mb as 2 M x 32 (M12L64322A, EM638325): 8 MB, 4096 refreshes in 64 ms, so 2048 in half. */
  val layout2Mx32: SdramLayout = SdramLayout(
    SdramGeneration.SDR,
    bankWidth = 2,
    columnWidth = 8,
    rowWidth = 11,
    dataWidth = 32
  )
  val timings2Mx32: SdramTimings = SdramTimings(
    bootRefreshCount = 8,
    tPOW = 200 us,
    tREF = 32 ms,
    tRC = 72 ns,
    tRFC = 72 ns,
    tRAS = 48 ns,
    tRP = 21 ns,
    tRCD = 21 ns,
    cMRD = 2,
    tWR = 15 ns,
    cWR = 2
  )
  val latency = 2 // CAS
}

/** SDRAM without mask pins as blocks of RAM, a word a clock. Rows stay open until another row of
  * their bank is wanted, or a refresh.
  *
  * A read reads the words of which its mask wants a byte. A write writes the words that change;
  * those that change in part are read first. The next command is taken while the last read's data
  * are on their way. What all this takes the governor hides.
  */
class Sdram(c: MemoryBusConfig, blockWidth: Int) extends Component {
  private val layout = SdramChip.layout2Mx32
  private val times = SdramChip.timings2Mx32
  private val words = c.blockBytes / layout.bytePerWord
  private val columnBlocks = layout.columnWidth - log2Up(words) // address bits of blocks in a row
  require(layout.capacity >= (BigInt(1) << blockWidth) * c.blockBytes)
  val io = new Bundle {
    val bus = slave(BlockBus(c, blockWidth))
    val sdram = master(SdramInterface(layout))
  }
  private def clocks(time: TimeNumber): Int = {
    val exact = time * ClockDomain.current.frequency.getValue
    exact.setScale(0, BigDecimal.RoundingMode.CEILING).toInt
  }

  // Pins: RAS_n, CAS_n, WE_n
  private val (nop, activate, read, write, precharge, refresh, mode) = (7, 3, 5, 4, 2, 1, 0)
  val command = Reg(Bits(3 bits)) init nop
  val address = Reg(Bits(layout.chipAddressWidth bits)) init 0
  val bank = Reg(UInt(layout.bankWidth bits)) init 0
  val driven = RegInit(False)
  val output = Reg(Bits(layout.dataWidth bits)) init 0
  io.sdram.CKE := True
  io.sdram.CSn := False
  io.sdram.DQM := 0
  io.sdram.RASn := command(2)
  io.sdram.CASn := command(1)
  io.sdram.WEn := command(0)
  io.sdram.ADDR := address
  io.sdram.BA := bank.asBits
  io.sdram.DQ.write := output
  io.sdram.DQ.writeEnable.setAllTo(driven)
  command := nop
  driven := False

  // Clocks that the chip's times still forbid. The last row opened speaks for all.
  private val longest = clocks(times.tRC)
  val waiting = Reg(UInt(log2Up(clocks(times.tPOW) + 1) bits)) init clocks(times.tPOW)
  when(waiting =/= 0)(waiting := waiting - 1)
  private def since(limit: Int) = {
    val count = Reg(UInt(log2Up(limit + 1) bits)) init limit
    when(count =/= limit)(count := count + 1)
    count
  }
  val sinceOpened = since(longest)
  private val recovery = clocks(times.tWR) max times.cWR
  val sinceWritten = since(recovery)
  val mayClose = sinceOpened >= clocks(times.tRAS) && sinceWritten >= recovery
  val interval = clocks(times.tREF) >> layout.rowWidth
  val untilRefresh = Reg(UInt(log2Up(interval + 1) bits)) init interval
  val refreshDue = untilRefresh === 0
  when(!refreshDue)(untilRefresh := untilRefresh - 1)

  // The block in work.
  val block = Reg(cloneOf(io.bus.cmd.payload))
  private val ours = block.block
  private val column = ours(columnBlocks - 1 downto 0)
  private val wantedBank = ours(columnBlocks, layout.bankWidth bits)
  private val wantedRow = (ours >> (columnBlocks + layout.bankWidth)).resize(layout.rowWidth)
  val rows = Vec.fill(1 << layout.bankWidth)(Reg(UInt(layout.rowWidth bits)))
  val open = Reg(Bits(1 << layout.bankWidth bits)) init 0
  val left = Reg(Bits(words bits)) init 0 // words still to be read or written
  val writing = RegInit(False)
  private val mask = block.mask.subdivideIn(layout.bytePerWord bits)
  val word = OHToUInt(OHMasking.first(left))
  val isLast = (left & (left.asUInt - 1).asBits) === 0

  // A read's data come three clocks after it was decided.
  case class Coming() extends Bundle {
    val valid, answers = Bool() // the last word of a read
    val word = UInt(log2Up(words) bits)
  }
  private val delay = SdramChip.latency + 1
  val coming = Vec.fill(delay)(Reg(Coming()))
  coming.foreach(_.valid init False)
  for (i <- 1 until delay) coming(i) := coming(i - 1)
  coming.head.valid := False
  coming.head.answers := !block.write && isLast
  coming.head.word := word
  private val arrives = coming.last
  val quiet = !coming.map(_.valid).orR
  val data = Reg(Vec(Bits(layout.dataWidth bits), words))
  when(arrives.valid) {
    for (i <- 0 until layout.bytePerWord) { // written bytes replace the bytes that were read
      when(!(block.write && mask(arrives.word)(i))) {
        data(arrives.word)(8 * i, 8 bits) := io.sdram.DQ.read(8 * i, 8 bits)
      }
    }
  }
  io.bus.rsp.valid := RegNext(arrives.valid && arrives.answers) init False
  io.bus.rsp.payload := data.asBits

  object Step extends SpinalEnum(binarySequential) {
    val closing, refreshing, setting, idle, serving = newElement()
  }
  val step = Reg(Step()) init Step.closing
  val booting = RegInit(True)
  val bootLeft = Reg(UInt(4 bits)) init times.bootRefreshCount
  private def issue(what: Int, after: Int): Unit = {
    command := what
    waiting := after - 1
  }
  // Words of a write that change, or that change in part alone; words of a read that are wanted.
  private def some(m: Bits) = m.subdivideIn(layout.bytePerWord bits).map(_.orR).asBits()
  private def part(m: Bits) =
    m.subdivideIn(layout.bytePerWord bits).map(bytes => bytes.orR && !bytes.andR).asBits()

  val free = waiting === 0
  io.bus.cmd.ready :=
    free && step === Step.idle && !refreshDue && (quiet || !io.bus.cmd.write)
  when(free) {
    switch(step) {
      is(Step.closing) {
        when(mayClose && quiet) {
          issue(precharge, clocks(times.tRP))
          address := 1 << 10 // all banks
          open := 0
          step := Step.refreshing
        }
      }
      is(Step.refreshing) {
        issue(refresh, clocks(times.tRFC))
        untilRefresh := interval
        bootLeft := bootLeft - 1
        when(!booting)(step := Step.idle)
        when(booting && bootLeft === 1)(step := Step.setting)
      }
      is(Step.setting) { // bursts of one word
        issue(mode, times.cMRD)
        address := SdramChip.latency << 4
        bank := 0
        booting := False
        step := Step.idle
      }
      is(Step.idle) {
        val next = io.bus.cmd
        val readsFirst = next.write && part(next.mask).orR
        when(next.fire) {
          block := next.payload
          left := readsFirst ? part(next.mask) | some(next.mask)
          writing := next.write && !readsFirst
          when(next.write)(data := next.data.subdivideIn(layout.dataWidth bits))
          step := Step.serving
        } elsewhen (refreshDue)(step := Step.closing)
      }
      is(Step.serving) {
        bank := wantedBank
        when(!open(wantedBank)) {
          when(sinceOpened === longest) {
            issue(activate, clocks(times.tRCD))
            address := wantedRow.asBits.resized
            rows(wantedBank) := wantedRow
            open(wantedBank) := True
            sinceOpened := 1
          }
        } elsewhen (rows(wantedBank) =/= wantedRow) {
          when(mayClose) {
            issue(precharge, clocks(times.tRP))
            address := 0
            open(wantedBank) := False
          }
        } elsewhen (left === 0) { // read for a write: its data have come when all is quiet
          when(quiet) {
            left := some(block.mask)
            writing := True
          }
        } elsewhen (!writing || quiet) {
          command := writing ? B(write, 3 bits) | B(read, 3 bits)
          address := (column @@ word).asBits.resized
          output := data(word)
          driven := writing
          when(writing)(sinceWritten := 1)
          coming.head.valid := !writing
          left(word) := False
          when(isLast && (writing || !block.write))(step := Step.idle)
        }
      }
    }
  }
}
