// SPDX-License-Identifier: BSD-2-Clause
package mcpi.counters

import mcpi.bus.{BackingBus, MemoryBusConfig}
import spinal.core._
import spinal.lib._

/** Events of one clock, in this order: the copy, the marks, the clear. Marks are misses of the I-,
  * D- and b-cache (bits 0, 1, 2) on blocks of RAM.
  */
case class ResidencyEntry(blockWidth: Int, group: Int = 0) extends Bundle {
  val copy, clear = Bool()
  val counts, window = Bool() // where a replacement miss of this clock counts
  val missed = Bits(3 bits)
  val block = Vec(UInt(blockWidth bits), 3)
  // Before them all: what others took, from the b-cache (bit 0) and of its blocks from the D-cache.
  val lost = group > 0 generate Bits(1 + group bits)
  val lostBlock = group > 0 generate UInt(blockWidth bits) // the first of the b-cache's block
}

/** The verdict on a mark: its block had been in cache `cache` before. */
case class Replacement(coherent: Boolean = false) extends Bundle {
  val cache = UInt(2 bits)
  val counts, window = Bool()
  val lost = coherent generate Bool() // others took it since
}

/** Tells replacement misses: a miss on a block that has been in that cache since the last clear.
  *
  * One byte per block of RAM, kept in the backing memory beyond the RAM (memory.md): bit n
  * says that the block has been in cache n, bits 7:3 are the epoch in which the bits were set;
  * those of another epoch are void, so that a clear only begins a new epoch. When the epochs are
  * used up, and after reset, the table is swept, and time stands still meanwhile.
  *
  * Marks wait in a queue and are judged in order, in clocks; `hold` keeps the queue from running
  * over. A copy and a clear go through the same queue, so no latency changes what they see. Of the
  * table a byte is read, and written only if it changes.
  *
  * Of a coherent core bits 3 and 4 say that others took the block from D- and b-cache since it
  * missed there, and the epoch has bits 7:5. Each core has its own table.
  *
  * @param group blocks of D- and I-cache in one of a private b-cache; 0: there is none
  */
class Residency(c: MemoryBusConfig, ramAddressWidth: Int, group: Int = 0) extends Component {
  private val coherent = group > 0
  private val flags = if (coherent) 5 else 3
  private val offsetWidth = log2Up(c.blockBytes)
  private val blockWidth = ramAddressWidth - offsetWidth
  private val depth = 16
  private val fullEnough = 8 // misses of three clocks may still come after `hold`
  private val lines = 1 << (blockWidth - offsetWidth) // of the table, a block of RAM each

  val io = new Bundle {
    val entry = slave(Flow(ResidencyEntry(blockWidth, group)))
    val place = coherent generate (in UInt (3 bits)) // of this core: its table is that one
    val replacement = master(Flow(Replacement(coherent)))
    val copy, clear = out Bool () // these entries' turn has come
    val hold = out Bool ()
    val busy = out Bool () // something is still to be judged, or a sweep runs
    val backing = master(BackingBus(c))
  }

  val queue = Mem(ResidencyEntry(blockWidth, group), depth)
  val putAt, takeAt = Reg(UInt(log2Up(depth) bits)) init 0
  val count = Reg(UInt(log2Up(depth + 1) bits)) init 0
  val pop = False
  queue.write(putAt, io.entry.payload, io.entry.valid)
  when(io.entry.valid)(putAt := putAt + 1)
  when(pop)(takeAt := takeAt + 1)
  count := count + io.entry.valid.asUInt - pop.asUInt
  assert(!(io.entry.valid && count === depth), "residency queue overflow", FAILURE)
  val head = queue.readAsync(takeAt)

  val epoch = Reg(UInt(8 - flags bits)) init 1
  val sweeping = RegInit(True)
  val sweepLine = Reg(UInt(log2Up(lines) bits)) init 0
  object Step extends SpinalEnum(binarySequential) {
    val choose, ask, await, put = newElement()
  }
  val step = Reg(Step()) init Step.choose
  val begun = RegInit(False) // the head's copy is made and some of its marks are judged
  // Entries that are not done: misses above, losses below.
  val left = Reg(Bits((if (coherent) 4 + group else 3) bits)) init 0
  val loss = coherent generate (RegInit(False)) // the chosen mark is one
  val cache = Reg(UInt(2 bits)) init 0
  val block = Reg(UInt(blockWidth bits)) init 0
  val old = Reg(Bits(8 bits)) init 0

  /** Line `n` of the table, which follows the RAM. */
  private def lineAt(n: UInt) = U(BigInt(1) << ramAddressWidth, 27 bits) |
    ((if (coherent) io.place @@ n else n) @@ U(0, offsetWidth bits)).resize(27)
  private def lineOf(b: UInt) = b(blockWidth - 1 downto offsetWidth)
  val lane = block(offsetWidth - 1 downto 0)
  val todo = begun ? left | (if (coherent) head.missed ## head.lost else head.missed)
  val chosen = OHToUInt(OHMasking.first(todo))
  private def blocks = Seq.tabulate(1 + group)(n => head.lostBlock + (n - 1 max 0)) ++ head.block
  val chosenBlock = if (coherent) Vec(blocks)(chosen) else head.block(chosen)

  val same = old(7 downto flags).asUInt === epoch
  val flag = UIntToOh(cache, 3)
  val before = same && (old(2 downto 0) & flag).orR
  private def held = (same ? old(2 downto 0) | B(0, 3 bits)) | flag
  private val taken = coherent generate (flag(2 downto 1) & old(4 downto 3)).orR
  val marked = epoch.asBits ## (if (coherent) {
                                  val others =
                                    (same ? old(4 downto 3) | B(0, 2 bits)) & ~flag(2 downto 1)
                                  (others | flag(2 downto 1) & loss #* 2) ## held
                                } else held)
  // The byte is what it was. Of a block that was not there nothing is lost.
  private val unchanged = if (coherent) loss ? (!before || taken) | (before && !taken) else before

  io.replacement.valid := False
  io.replacement.cache := cache
  io.replacement.counts := head.counts
  io.replacement.window := head.window
  if (coherent) io.replacement.lost := taken
  io.copy := False
  io.clear := False
  io.backing.cmd.valid := False
  io.backing.cmd.write := sweeping || step === Step.put
  io.backing.cmd.address := lineAt(lineOf(block))
  io.backing.cmd.data := sweeping ? B(0, c.blockBits bits) | Cat(Seq.fill(c.blockBytes)(marked))
  io.backing.cmd.mask.setAll()
  when(!sweeping)(io.backing.cmd.mask := UIntToOh(lane, c.blockBytes))

  when(sweeping) {
    io.backing.cmd.valid := True
    io.backing.cmd.address := lineAt(sweepLine)
    when(io.backing.cmd.ready) {
      sweepLine := sweepLine + 1
      when(sweepLine === lines - 1)(sweeping := False)
    }
  } elsewhen (step === Step.choose && count =/= 0) {
    io.copy := !begun && head.copy
    begun := True
    left := todo
    when(todo === 0) {
      pop := True
      begun := False
      when(head.clear) {
        io.clear := True
        epoch := epoch + 1
        when(epoch === epoch.maxValue) {
          epoch := 1
          sweeping := True
        }
      }
    } otherwise {
      if (coherent) {
        loss := chosen <= group
        cache := (chosen - (1 + group)).resized
        when(chosen <= group)(cache := 1)
        when(chosen === 0)(cache := 2)
      } else cache := chosen
      block := chosenBlock
      left(chosen) := False
      step := Step.ask
    }
  }
  when(step === Step.ask) {
    io.backing.cmd.valid := True
    when(io.backing.cmd.ready)(step := Step.await)
  }
  when(step === Step.await && io.backing.rsp.valid) {
    old := io.backing.rsp.payload.subdivideIn(8 bits)(lane)
    step := Step.put
  }
  when(step === Step.put) {
    io.backing.cmd.valid := !unchanged // or the byte is what it was
    when(unchanged || io.backing.cmd.ready) {
      io.replacement.valid := (if (coherent) before && !loss else before)
      step := Step.choose
    }
  }

  val holding = RegInit(True)
  holding := sweeping || count >= fullEnough
  io.hold := holding
  io.busy := sweeping || count =/= 0
}

object Residency {

  /** In the order of the bits of `ResidencyEntry.missed`. */
  val caches: Seq[String] = Seq("icache", "dcache", "bcache")
}
