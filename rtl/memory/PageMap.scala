// SPDX-License-Identifier: BSD-2-Clause
package mcpi.memory

import mcpi.bus.{BackingBus, MemoryBusConfig}
import spinal.core._
import spinal.lib._

/** RAM as a board has it, in blocks. Reads are answered in order, with the bytes of their mask at
  * least; writes are not. The next command may come before the answer.
  */
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

/** How a board's RAM is cut up: `frames` pages of `pageBytes`, both powers of two, one of which
  * stays empty so that looking for a page ends.
  *
  * @param ramWidth
  *   of addresses; the residency tables (memory.md) lie above, at the bus's highest bit
  * @param embed
  *   pages may come with the bitstream, and with them a record in the page whose number is all
  *   ones: bits 63:0 `PageConfig.recordMagic`, 127:64 what it is that is there, 159:128 how many
  *   pages that takes (docs/reference/boards.md)
  * @param cached
  *   entries of the page cache, a power of two
  */
case class PageConfig(
    c: MemoryBusConfig,
    frames: Int,
    pageBytes: Int = 8192,
    ramWidth: Int = 26,
    embed: Boolean = false,
    cached: Int = 16
) {
  val offsetWidth: Int = log2Up(c.blockBytes)
  val pageWidth: Int = log2Up(pageBytes) - offsetWidth // blocks of a page
  val numberWidth: Int = ramWidth + 1 - log2Up(pageBytes)
  val frameWidth: Int = log2Up(frames)
  require(isPow2(pageBytes) && pageWidth > 0 && isPow2(frames))
  require(isPow2(cached) && cached <= frames)
  require(frameWidth <= numberWidth && numberWidth <= 2 * frameWidth + 1)
  val pages: Int = frames - 1
  val blockWidth: Int = frameWidth + pageWidth
  val blocks: Int = 1 << blockWidth

  /** The frame where page `number` is looked for first: neighbours are far apart, so that one
    * region's pages lie between another's.
    */
  def first(number: UInt): UInt = {
    val low = number(frameWidth - 1 downto 0).asBits.reversed.asUInt
    if (numberWidth == frameWidth) low else low ^ (number >> frameWidth).resize(frameWidth)
  }
}

object PageConfig {
  val recordMagic = BigInt("mCPIpage".getBytes("US-ASCII").reverse) // the first byte lowest
}

/** Gives each page of the 64 MB and of their tables a frame of the RAM there is (boards.md),
  * when something other than zeros is written to it. What has no frame reads zero. When none is
  * left the write is dropped and `fault` holds its address.
  *
  * `map` says of each frame which page it holds. A page is looked for from `PageConfig.first` on,
  * frame by frame, up to one that is empty, which it gets. The pages used last are in `cache`, with
  * their frames: a command of theirs is passed on in the next clock, and while the RAM answers a
  * read the next one is looked for.
  *
  * With `embed` pages may be there from the start. `io.embedded` names them until the first write
  * takes the record out of RAM: a reset after that finds none and begins with nothing.
  */
class PageMap(p: PageConfig) extends Component {
  import p._
  val io = new Bundle {
    val above = slave(BackingBus(c))
    val below = master(BlockBus(c, blockWidth))
    val forget = in Bool () // a pulse, while nobody asks
    val used = out UInt (frameWidth bits)
    val fault = out Bool ()
    val faultAddress = out UInt (ramWidth bits)
    val embedded = out Bits (64 bits) // zero: nothing is, or no longer as it was
  }

  val map = Mem(Bits(1 + numberWidth bits), frames)
  val used = Reg(UInt(frameWidth bits)) init 0
  val recalling = RegInit(False)
  val whole = RegInit(False) // RAM has the embedded contents and nothing else
  val fault = RegInit(False)
  val faultAddress = Reg(UInt(ramWidth bits)) init 0

  object Step extends SpinalEnum(binarySequential) {
    val recall, sweep, idle, look, decide, zero, spoil, send, await, nothing = newElement()
  }
  val step = Reg(Step()) init (if (embed) Step.recall else Step.sweep)
  val command = Reg(cloneOf(io.above.cmd.payload))
  val frame = Reg(UInt(frameWidth bits)) init 0
  val count = Reg(UInt(pageWidth bits)) init 0

  private def numberOf(address: UInt) =
    address.msb.asUInt @@ address(ramWidth - 1 downto log2Up(pageBytes))
  private val number = numberOf(command.address)

  // The page that was used last of those with the same entry, and its frame.
  val cache = Mem(Bits(numberWidth + frameWidth bits), cached)
  val valid = Reg(Bits(cached bits)) init 0
  private def entryOf(number: UInt) =
    number(log2Up(cached) - 1 downto 0) ^ number.msb.asUInt(log2Up(cached) bits)
  private val pageNumber = numberOf(io.above.cmd.address)
  private val kept = cache.readAsync(entryOf(pageNumber))
  val hit =
    valid(entryOf(pageNumber)) && kept(frameWidth, numberWidth bits) === pageNumber.asBits &&
      !(whole && io.above.cmd.write)
  private val own = entryOf(number)
  val keep = False
  cache.write(own, number.asBits ## frame, keep)
  when(keep)(valid(own) := True)

  val underWay = Reg(UInt(2 bits)) init 0 // reads that the RAM has not answered
  private val begins = io.below.cmd.fire && !io.below.cmd.write
  underWay := underWay + begins.asUInt - io.below.rsp.valid.asUInt
  assert(!(begins && underWay === 3), "more reads than are counted", FAILURE)

  val entry = RegNext(map.readSync(frame)) // its output register: a read alone takes half a clock
  private val occupied = entry.msb
  private val found = entry === True ## number
  val mapWrite = False
  val mapData = B(0, 1 + numberWidth bits)
  map.write(frame, mapData, mapWrite)

  // Known when the map has been read: `command` has been there for two clocks.
  val changes = RegNext((0 until c.blockBytes).map { n =>
    command.mask(n) && command.data(8 * n, 8 bits).orR
  }.orR)

  io.above.cmd.ready := step === Step.idle
  io.above.rsp.valid := io.below.rsp.valid && !recalling
  io.above.rsp.payload := io.below.rsp.payload
  io.below.cmd.valid := False
  io.below.cmd.write := command.write
  io.below.cmd.block := frame @@ command.address(offsetWidth, pageWidth bits)
  io.below.cmd.data := command.data
  io.below.cmd.mask := command.mask

  private def clear(block: UInt): Unit = {
    io.below.cmd.valid := True
    io.below.cmd.write := True
    io.below.cmd.block := block
    io.below.cmd.data := 0
    io.below.cmd.mask.setAll()
  }

  val lookedUp = RegInit(False)
  val embedded = Reg(Bits(64 bits)) init 0
  val record = Reg(UInt(frameWidth bits)) init 0 // its frame
  switch(step) {
    if (embed) {
      is(Step.recall) { // a read of the record
        recalling := True
        command.write := False
        command.mask.setAll()
        command.address := (BigInt(1) << command.address.getWidth) - pageBytes
        frame := first(U((BigInt(1) << numberWidth) - 1, numberWidth bits))
        lookedUp := False
        step := Step.look
      }
      is(Step.spoil) {
        clear(record @@ U(0, pageWidth bits))
        whole := False
        embedded := 0
        when(io.below.cmd.ready)(step := Step.decide)
      }
    }
    is(Step.sweep) {
      mapWrite := True
      frame := frame + 1
      when(frame === frames - 1)(step := Step.idle)
    }
    is(Step.idle) {
      command := io.above.cmd.payload
      frame := hit ? kept(0, frameWidth bits).asUInt | first(pageNumber)
      lookedUp := False
      when(io.above.cmd.valid)(step := hit ? Step.send | Step.look)
    }
    is(Step.look) { // the map's two clocks
      lookedUp := True
      when(lookedUp)(step := Step.decide)
    }
    is(Step.decide) {
      count := 0
      lookedUp := False
      when(found) {
        keep := !recalling
        step := (whole && command.write) ? Step.spoil | Step.send
      } elsewhen (occupied) { // the frame is another page's
        frame := frame + 1
        step := Step.look
      } elsewhen (recalling) {
        frame := 0
        recalling := False
        step := Step.sweep
      } elsewhen (!command.write || !changes) {
        step := Step.nothing
      } elsewhen (used === pages) {
        fault := True
        when(!fault)(faultAddress := command.address(ramWidth - 1 downto 0))
        step := Step.nothing
      } elsewhen (whole) {
        step := Step.spoil
      } otherwise {
        used := used + 1
        keep := True
        mapWrite := True
        mapData := True ## number
        step := Step.zero
      }
    }
    is(Step.zero) {
      clear(frame @@ count)
      when(io.below.cmd.ready) {
        count := count + 1
        when(count.andR)(step := Step.send)
      }
    }
    is(Step.send) {
      io.below.cmd.valid := True
      when(io.below.cmd.ready)(step := recalling ? Step.await | Step.idle)
    }
    is(Step.await) { // the record
      if (embed) when(io.below.rsp.valid) {
        val was = io.below.rsp.payload
        recalling := False
        record := frame
        when(was(63 downto 0) === B(PageConfig.recordMagic, 64 bits)) {
          whole := True
          embedded := was(127 downto 64)
          used := was(128, frameWidth bits).asUInt
          step := Step.idle
        } otherwise {
          frame := 0
          step := Step.sweep
        }
      }
    }
    is(Step.nothing) {
      val answers = !command.write && underWay === 0 // after the reads that came before
      when(answers) {
        io.above.rsp.valid := True
        io.above.rsp.payload := 0
      }
      when(command.write || answers)(step := Step.idle)
    }
  }
  when(io.forget) {
    step := Step.sweep
    frame := 0
    used := 0
    fault := False
    whole := False
    embedded := 0
    valid := 0
  }
  io.used := used
  io.fault := fault
  io.faultAddress := faultAddress
  io.embedded := embedded
}
