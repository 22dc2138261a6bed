// SPDX-License-Identifier: BSD-2-Clause
package mcpi.node

import mcpi.machine.{Block, Machine}
import spinal.core._

/** `Elaborate BLOCK MACHINE.json OUTDIR` writes BLOCK.v; the same input gives the same bytes. */
object Elaborate {
  val blocks: Seq[Block] = mcpi.memory.MemoryBlocks.blocks ++ mcpi.counters.CountersBlocks.blocks ++
    mcpi.lance.LanceBlocks.blocks ++ mcpi.core.Blocks.blocks

  def main(args: Array[String]): Unit = {
    val Array(blockName, machineFile, outDir) = args
    val machine = Machine.load(machineFile)
    val block = blocks.find(_.name == blockName).getOrElse {
      Console.err.println(
        s"no block '$blockName'; there are: ${blocks.map(_.name).mkString(", ")}"
      )
      sys.exit(2)
    }
    java.nio.file.Files.createDirectories(java.nio.file.Path.of(outDir))
    SpinalConfig(
      targetDirectory = outDir,
      netlistFileName = s"$blockName.v",
      defaultConfigForClockDomains = ClockDomainConfig(resetKind = SYNC),
      headerWithDate = false,
      removePruned = true,
      oneFilePerComponent = false
    ).generateVerilog(block.make(machine).setDefinitionName(blockName))
  }
}
