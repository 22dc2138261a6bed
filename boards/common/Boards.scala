// SPDX-License-Identifier: BSD-2-Clause
package mcpi.boards

import mcpi.console.SerialLine
import mcpi.machine.Block
import mcpi.memory._
import mcpi.node.Elaborate
import spinal.core._

/** Every board's top, and parts of boards for their tests. */
object Boards {
  private def small(m: mcpi.machine.Machine) =
    PageConfig(MemoryConfig(m).bus, frames = 8, pageBytes = 2048, ramWidth = 16, cached = 4)
  private def tiny(m: mcpi.machine.Machine) =
    PageConfig(MemoryConfig(m).bus, frames = 8, pageBytes = 64, ramWidth = 9, cached = 4)
  private def embedded(m: mcpi.machine.Machine) = small(m).copy(embed = true)
  val blocks: Seq[Block] = Seq(
    Block("Ecpix5", m => new Ecpix5(m), node = true),
    Block("ColorlightI9", m => new ColorlightI9(m), node = true),
    Block("BoardBench", m => new BoardBench(m), node = true),
    Block("NodeInside", m => new NodeInside(m), node = true),
    Block("NetlistNode", m => new NetlistNode(m)),
    Block("CoresInside", m => new CoresInside(m), node = true),
    Block("NetlistCores", m => new NetlistCores(m)),
    Block("Pacer", _ => new Pacer(TickRate(7, 10)) { noIoPrefix() }),
    Block("ExactPair", m => new ExactPair(m)),
    Block("ExactPace", m => new ExactPace(ExactConfig(m).copy(patience = 4, first = 6))),
    Block("ExactRecord", _ => new ExactRecord),
    Block("ExactPromise", m => new ExactPromise(m)),
    Block("SerialLine", _ => new SerialLine(50000000, 115200) { noIoPrefix() }),
    Block("SdramSmall", m => new SdramBench(m)),
    Block("BlockCacheSmall", m => new BlockCache(tiny(m), blocks = 4)),
    Block("PageMapSmall", m => new PageMap(small(m)) { noIoPrefix() }),
    Block("PageMapEmbedded", m => new PageMap(embedded(m)) { noIoPrefix() })
  ) ++ BoardFile.names.map { name =>
    Block("NodeOn" + new BoardFile(name).text("top"), m => new NodeOnBoard(m, name))
  }
}

/** The generator: blocks of every room. */
object Main {
  def main(args: Array[String]): Unit = Elaborate.run(args, Boards.blocks)
}
