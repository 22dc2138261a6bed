// SPDX-License-Identifier: BSD-2-Clause
package mcpi.counters

import spinal.core._
import spinal.lib._

/** How much of what the I-cache fetches is executed, two ways (docs/reference/counters.md):
  *
  *   - distinct: instruction words, and blocks, of the code window that an instruction was issued
  *     from since the last clear; one bit a word for each bank of counters, blocks together;
  *   - per fill: words an instruction was issued from since their line was filled.
  *
  * `read` and `pc` come a clock before `used`, `filled`, `counts` and `inWindow` of the same tick.
  * A clear is for a time without ticks; its sweep takes a clock a block. When the machine is held,
  * its I-cache is emptied, and a sweep, a clock a line, forgets what was used of each line: with
  * ideal memory no fill does.
  *
  * @param windowBytes of code that are watched, aligned; an instruction elsewhere counts as outside
  * @param victims the I-cache has some: words of a block that comes back from there count no more
  */
class FetchSlots(
    blockBytes: Int,
    iBlocks: Int,
    iWays: Int,
    windowBytes: Int,
    victims: Boolean = false
) extends Component {
  private val offsetBits = log2Up(blockBytes)
  private val words = blockBytes / 4
  private val windowBits = log2Up(windowBytes)
  val io = new Bundle {
    val window = in UInt (34 bits) // any address in the code window
    val clear = in Bool ()
    val held = in Bool () // the machine does not run
    val read = in Bool ()
    // Addresses of the instruction and of the I-cache miss, of which one counts. Both have the
    // I-cache's index, which is virtual.
    val pc, filledBlock = in UInt (34 bits)
    val filling = in Bool () // the word comes by the miss
    val way = (iWays > 1) generate (in UInt (log2Up(iWays) bits)) // of the I-cache, of either
    val used, filled = in Bool () // a clock later: an instruction was issued; a line is filled
    val returned = victims generate (in Bool ()) // the word comes by a victim
    val counts, inWindow = in Bool ()
    val events = out(SlotEvents())
    val sweeping = out Bool ()
  }

  val pc = RegNextWhen(io.pc, io.read) init 0
  val place = pc(offsetBits - 1 downto 2)
  val bit = UIntToOh(place, words)

  /** A row of a memory for this tick's address, read a clock ahead; `update` writes it back. A row
    * that was written in the clock of its reading comes from that write.
    */
  class Rows(width: Int, count: Int, address: UInt) extends Area {
    val rows = Mem(Bits(width bits), count)
    val at = RegNextWhen(address, io.read) init 0
    val writes = Bool()
    val next = Bits(width bits)
    val stored = rows.readSync(address, io.read)
    val bypassed = RegNextWhen(writes && at === address, io.read) init False
    val written = RegNextWhen(next, io.read) init 0
    val row = bypassed ? written | stored
  }

  val touched = new Rows(
    2 * words,
    windowBytes / blockBytes,
    io.pc(windowBits - 1 downto offsetBits)
  ) {
    val sweeping = RegInit(True)
    val line = Reg(UInt(windowBits - offsetBits bits)) init 0
    val all = row(words - 1 downto 0)
    val path = row(2 * words - 1 downto words)
    val inside = pc(33 downto windowBits) === io.window(33 downto windowBits)
    val counted = io.used && io.counts && inside
    val nextPath = io.inWindow ? (path | bit) | path
    next := nextPath ## (all | bit)
    writes := counted
    when(sweeping) {
      line := line + 1
      when(line.andR)(sweeping := False)
    }
    when(io.clear)(sweeping := True)
    rows.write(
      sweeping ? line | at,
      sweeping ? B(0, 2 * words bits) | next,
      sweeping || writes
    )
    io.events.word := counted && !(all & bit).orR
    io.events.block := counted && !all.orR
    io.events.windowWord := counted && io.inWindow && !(path & bit).orR
    io.events.windowBlock := counted && io.inWindow && !path.orR
    io.events.outside := io.used && io.counts && !inside
  }

  private def line(a: UInt) = {
    val index = a(offsetBits, log2Up(iBlocks / iWays) bits)
    if (iWays > 1) io.way @@ index else index
  }
  val fills = new Rows(words, iBlocks, line(io.filling ? io.filledBlock | io.pc)) {
    val sweeping = RegInit(True)
    val swept = Reg(UInt(log2Up(iBlocks) bits)) init 0
    writes := (if (victims) io.used || io.filled || io.returned else io.used || io.filled)
    private def used = if (victims) row | bit | io.returned #* words else row | bit
    next := io.filled ? B(0, words bits) | used
    when(sweeping) {
      swept := swept + 1
      when(swept.andR)(sweeping := False)
    }
    when(io.held.rise(False))(sweeping := True)
    rows.write(sweeping ? swept | at, sweeping ? B(0, words bits) | next, sweeping || writes)
    io.events.fillWord := io.used && io.counts && !(row & bit).orR
  }
  io.sweeping := touched.sweeping || fills.sweeping
}
