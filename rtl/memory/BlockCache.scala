// SPDX-License-Identifier: BSD-2-Clause
package mcpi.memory

import spinal.core._
import spinal.lib._

/** Block RAM before a board's slower RAM: a direct-mapped cache of `blocks` blocks. A read that
  * hits is answered two clocks after its command, and the next command may come a clock after it. A
  * miss reads the whole block from below, keeps the block in the place of the one in its set, and
  * looks again. A write goes below, and changes the block too if the cache has it.
  *
  * Pages whose numbers differ in their lowest bits have frames that differ in their highest bits
  * (`PageConfig.first`), so these choose the set too.
  */
class BlockCache(p: PageConfig, blocks: Int) extends Component {
  import p.{blockWidth, c, pageWidth}
  private val setWidth = log2Up(blocks)
  private val chosen = setWidth - pageWidth // bits of a set that are not a place in a page
  require(isPow2(blocks) && chosen > 0 && setWidth + chosen <= blockWidth)
  val io = new Bundle {
    val above = slave(BlockBus(c, blockWidth))
    val below = master(BlockBus(c, blockWidth))
  }
  private def setOf(block: UInt) = {
    val frame = block(blockWidth - 1 downto pageWidth)
    val highest = frame.takeHigh(chosen).reversed.asUInt
    (frame(chosen - 1 downto 0) ^ highest) @@ block(pageWidth - 1 downto 0)
  }
  private def entryOf(block: UInt) = True ## block(blockWidth - 1 downto setWidth)
  val tags = Mem(Bits(1 + blockWidth - setWidth bits), blocks)
  val data = Mem(Bits(c.blockBits bits), blocks)

  // A new cache has no block: its tags are cleared, a set a clock.
  val sweeping = RegInit(True)
  val sweep = Reg(UInt(setWidth bits)) init 0
  when(sweeping) {
    sweep := sweep + 1
    when(sweep.andR)(sweeping := False)
  }

  val asked = RegInit(False) // the command of the clock before looks at its set now
  val missed = RegInit(False) // a block is on its way from below, or is asked for
  val requested = RegInit(False) // below has taken the command
  val filled = RegInit(False) // the block has come: look again
  private val command = io.above.cmd
  private val wanted = RegNextWhen(command.block, command.fire)
  private val writing = RegInit(False) // a write's set has been read

  private val free = !sweeping && !missed && !filled
  private val looksAt = filled ? wanted | command.block
  private val looks = filled || command.valid
  private val entry = tags.readSync(setOf(looksAt), looks)
  private val line = data.readSync(setOf(looksAt), looks)
  val hit = entry === entryOf(writing ? command.block | wanted)

  private val reads = command.valid && !command.write
  private val miss = asked && !hit
  private val passes = command.valid && command.write && writing
  command.ready := command.write ? (passes && io.below.cmd.ready) | (free && !miss)
  asked := filled || (reads && command.ready)
  writing := command.valid && command.write && free && !miss && !command.ready
  when(miss)(missed := True)
  filled := missed && io.below.rsp.valid
  when(io.below.rsp.valid) {
    missed := False
    requested := False
  }
  when(missed && io.below.cmd.fire)(requested := True)

  io.above.rsp.valid := RegNext(asked && hit) init False
  io.above.rsp.payload := RegNext(line)
  // A block that the cache has makes whole words of a write's bytes: some RAM cannot write less.
  private val merged = Cat((0 until c.blockBytes).map { n =>
    command.mask(n) ? command.data(8 * n, 8 bits) | line(8 * n, 8 bits)
  })
  private val words =
    Cat(command.mask.subdivideIn(c.blockBytes / 4 slices).map(bytes => bytes.orR #* 4))
  io.below.cmd.valid := passes || (missed && !requested)
  io.below.cmd.write := passes
  io.below.cmd.block := passes ? command.block | wanted
  io.below.cmd.data := merged
  io.below.cmd.mask := (!passes #* c.blockBytes) | (hit ? words | command.mask)

  private val fills = missed && io.below.rsp.valid
  private val changes = passes && io.below.cmd.ready && hit
  tags.write(
    sweeping ? sweep | setOf(wanted),
    sweeping ? B(0, widthOf(entry) bits) | entryOf(wanted),
    sweeping || fills
  )
  data.write(
    fills ? setOf(wanted) | setOf(command.block),
    fills ? io.below.rsp.payload | merged,
    fills || changes
  )
}
