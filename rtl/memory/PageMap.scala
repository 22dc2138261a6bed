// SPDX-License-Identifier: BSD-2-Clause
package mcpi.memory

import mcpi.bus.{BackingBus, MemoryBusConfig}
import spinal.core._
import spinal.lib._

/** RAM as a board has it, in blocks; one command at a time. Reads are answered, writes are not. */
case class BlockCmd(c: MemoryBusConfig, addressWidth: Int) extends Bundle {
  val write = Bool()
  val block = UInt(addressWidth bits)
  val data = Bits(c.blockBits bits)
  val mask = Bits(c.blockBytes bits)
}

case class BlockBus(c: MemoryBusConfig, addressWidth: Int) extends Bundle with IMasterSlave {
  val cmd = Stream(BlockCmd(c, addressWidth))
  val rsp = Flow(Bits(c.blockBits bits))
  override def asMaster(): Unit = { master(cmd); slave(rsp) }
}

/** How a board's RAM is cut up: `frames` pages of `pageBytes`, and behind them the residency tables
  * of these pages, one byte per block (docs/memory.md).
  */
case class PageConfig(c: MemoryBusConfig, frames: Int, pageBytes: Int = 8192, ramWidth: Int = 26) {
  val offsetWidth: Int = log2Up(c.blockBytes)
  val pageWidth: Int = log2Up(pageBytes) - offsetWidth // blocks of a page
  val tableWidth: Int = pageWidth - offsetWidth // lines of a page's table
  require(isPow2(pageBytes) && tableWidth >= 0)
  val pages: Int = 1 << (ramWidth - log2Up(pageBytes))
  val frameWidth: Int = log2Up(frames)
  val blocks: Int = (frames << pageWidth) + (frames << tableWidth)
  val blockWidth: Int = log2Up(blocks)
}

/** Gives each page of the 64 MB that is used a frame of the RAM there is (docs/boards.md): at its
  * first read or write, filled with zeros. When no frame is left the access is dropped and `fault`
  * holds its address.
  *
  * A page's table follows it. A table asked for before its page reads zero; a whole line written to
  * it is a sweep's and dropped. Less than a line marks a block that is about to be read, so the
  * page is given its frame, if there is one.
  */
class PageMap(p: PageConfig) extends Component {
  import p._
  val io = new Bundle {
    val above = slave(BackingBus(c))
    val below = master(BlockBus(c, blockWidth))
    val forget = in Bool () // a pulse, while nobody asks
    val used = out UInt (log2Up(frames + 1) bits)
    val fault = out Bool ()
    val faultAddress = out UInt (ramWidth bits)
  }

  private val entryWidth = 1 + frameWidth
  val map = Mem(Bits(entryWidth bits), pages)
  val used = Reg(UInt(log2Up(frames + 1) bits)) init 0
  val fault = RegInit(False)
  val faultAddress = Reg(UInt(ramWidth bits)) init 0

  object Step extends SpinalEnum(binarySequential) {
    val sweep, idle, look, decide, zero, send, await, nothing = newElement()
  }
  val step = Reg(Step()) init Step.sweep
  val command = Reg(cloneOf(io.above.cmd.payload))
  val count = Reg(UInt(ramWidth - log2Up(pageBytes) max pageWidth + 1 bits)) init 0
  val frame = Reg(UInt(frameWidth bits)) init 0

  private val isTable = command.address.msb
  private def pageOf(address: UInt) = // of RAM, or of the RAM a table's line is about
    address.msb ? address(ramWidth - offsetWidth - 1 downto pageWidth).resize(log2Up(pages)) |
      address(ramWidth - 1 downto log2Up(pageBytes))
  private val marks = command.write && !command.mask.andR
  val page = pageOf(command.address)
  val entry = RegNext(map.readSync(page)) // its output register: a read alone takes half a clock
  val there = entry.msb
  val mapWrite = False
  val mapData = B(0, entryWidth bits)
  val mapAt = page.resize(count.getWidth)
  map.write(mapAt.resized, mapData, mapWrite)

  private def inPage(block: UInt) = (frame @@ block).resize(blockWidth)
  private def inTable(line: UInt) = (U(frames << pageWidth, blockWidth bits) +
    (frame @@ line).resize(blockWidth)).resize(blockWidth)
  private val line =
    if (tableWidth == 0) U(0, 0 bits) else command.address(offsetWidth, tableWidth bits)

  io.above.cmd.ready := step === Step.idle
  io.above.rsp.valid := False
  io.above.rsp.payload := io.below.rsp.payload
  io.below.cmd.valid := False
  io.below.cmd.write := command.write
  io.below.cmd.block := isTable ? inTable(line) | inPage(
    command.address(offsetWidth, pageWidth bits)
  )
  io.below.cmd.data := command.data
  io.below.cmd.mask := command.mask

  val looked = RegInit(False)
  switch(step) {
    is(Step.sweep) {
      mapWrite := True
      mapAt := count
      count := count + 1
      when(count === pages - 1) {
        count := 0
        step := Step.idle
      }
    }
    is(Step.idle) {
      command := io.above.cmd.payload
      looked := False
      when(io.above.cmd.valid)(step := Step.look)
    }
    is(Step.look) { // the map's two clocks
      looked := True
      when(looked)(step := Step.decide)
    }
    is(Step.decide) {
      frame := entry(frameWidth - 1 downto 0).asUInt
      count := 0
      when(there) {
        step := Step.send
      } elsewhen (isTable && (!marks || used === frames)) {
        step := Step.nothing
      } elsewhen (used === frames) {
        fault := True
        when(!fault)(faultAddress := command.address(ramWidth - 1 downto 0))
        step := Step.nothing
      } otherwise {
        frame := used.resized
        used := used + 1
        mapWrite := True
        mapData := True ## used.resize(frameWidth)
        step := Step.zero
      }
    }
    is(Step.zero) { // the page, then its table
      io.below.cmd.valid := True
      io.below.cmd.write := True
      io.below.cmd.data := 0
      io.below.cmd.mask.setAll()
      val table = count(pageWidth)
      val at = count(pageWidth - 1 downto 0)
      io.below.cmd.block := table ? inTable(at.resize(tableWidth)) | inPage(at)
      when(io.below.cmd.ready) {
        count := count + 1
        when(table && at === (1 << tableWidth) - 1)(step := Step.send)
      }
    }
    is(Step.send) {
      io.below.cmd.valid := True
      when(io.below.cmd.ready)(step := command.write ? Step.idle | Step.await)
    }
    is(Step.await) {
      io.above.rsp.valid := io.below.rsp.valid
      when(io.below.rsp.valid)(step := Step.idle)
    }
    is(Step.nothing) {
      io.above.rsp.valid := !command.write
      io.above.rsp.payload := 0
      step := Step.idle
    }
  }
  when(io.forget) {
    step := Step.sweep
    count := 0
    used := 0
    fault := False
  }
  io.used := used
  io.fault := fault
  io.faultAddress := faultAddress
}
