// SPDX-License-Identifier: BSD-2-Clause
package mcpi.memory

import mcpi.bus.MemoryBusConfig
import spinal.core._
import spinal.lib._
import spinal.lib.memory.sdram.{SdramGeneration, SdramLayout}
import spinal.lib.memory.sdram.sdr.{SdramCtrl, SdramInterface, SdramTimings}

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
}

/** SDRAM without mask pins as blocks of RAM: whole words only, so a block that is written in part
  * is read first and only words that change are written. SpinalHDL's controller sees to banks,
  * refresh and start-up; what it takes the governor hides.
  */
class Sdram(c: MemoryBusConfig, blockWidth: Int) extends Component {
  private val layout = SdramChip.layout2Mx32
  private val words = c.blockBytes / layout.bytePerWord
  private val wordWidth = log2Up(words)
  require(layout.capacity >= (BigInt(1) << blockWidth) * c.blockBytes)
  val io = new Bundle {
    val bus = slave(BlockBus(c, blockWidth))
    val sdram = master(SdramInterface(layout))
  }
  val control =
    SdramCtrl(layout, SdramChip.timings2Mx32, CAS = 2, contextType = UInt(wordWidth bits))
  control.io.sdram <> io.sdram

  object Step extends SpinalEnum(binarySequential) {
    val idle, read, write, answer = newElement()
  }
  val step = Reg(Step()) init Step.idle
  val command = Reg(cloneOf(io.bus.cmd.payload))
  val data = Reg(Vec(Bits(layout.dataWidth bits), words))
  val asked, came = Reg(UInt(wordWidth + 1 bits)) init 0
  val word = asked(wordWidth - 1 downto 0)
  val wordMask = command.mask.subdivideIn(layout.bytePerWord bits)(word)
  private val bus = control.io.bus

  bus.cmd.valid := False
  bus.cmd.write := step === Step.write
  bus.cmd.address := (command.block @@ word).resized
  bus.cmd.data := data(word)
  bus.cmd.mask.setAll()
  bus.cmd.context := word
  bus.rsp.ready := True
  io.bus.cmd.ready := step === Step.idle
  io.bus.rsp.valid := step === Step.answer
  io.bus.rsp.payload := data.asBits

  when(bus.rsp.valid) {
    data(bus.rsp.context) := bus.rsp.data
    // What is written goes over what was there.
    val at = bus.rsp.context
    for (i <- 0 until layout.bytePerWord) {
      when(command.write && command.mask.subdivideIn(layout.bytePerWord bits)(at)(i)) {
        data(at)(8 * i, 8 bits) :=
          command.data.subdivideIn(layout.dataWidth bits)(at)(8 * i, 8 bits)
      }
    }
    came := came + 1
  }
  switch(step) {
    is(Step.idle) {
      command := io.bus.cmd.payload
      data := io.bus.cmd.data.subdivideIn(layout.dataWidth bits)
      asked := 0
      came := 0
      when(io.bus.cmd.valid) {
        step := (io.bus.cmd.write && io.bus.cmd.mask.andR) ? Step.write | Step.read
      }
    }
    is(Step.read) {
      bus.cmd.valid := !asked.msb
      when(bus.cmd.fire)(asked := asked + 1)
      when(came.msb) {
        asked := 0
        step := command.write ? Step.write | Step.answer
      }
    }
    is(Step.write) {
      bus.cmd.valid := !asked.msb && wordMask.orR
      when(bus.cmd.fire || !asked.msb && !wordMask.orR)(asked := asked + 1)
      when(asked.msb)(step := Step.idle)
    }
    is(Step.answer)(step := Step.idle)
  }
}
