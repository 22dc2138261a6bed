// SPDX-License-Identifier: BSD-2-Clause
package mcpi.node

import mcpi.machine.{Block, Machine}
import spinal.core._

/** `Elaborate BLOCK MACHINE.json OUTDIR` writes BLOCK.v, and Node.json next to Node.v; the same
  * input gives the same bytes. Several such triples are done one after the other. `Elaborate
  * --serve SOCKET` does what it is asked there, until it is killed.
  */
object Elaborate {
  private val own = Seq(
    Block("Node", new Node(_), node = true),
    Block("CoherentNode", new CoherentNode(_), node = true),
    Block(
      "HostRegisters",
      machine => new HostRegisters(machine, events = false) { noIoPrefix() },
      node = true
    ),
    Block("Timer", machine => new Timer(Timer.period(machine)))
  )
  val blocks: Seq[Block] = own ++ NodeParts.blocks ++
    mcpi.bus.BusBlocks.blocks ++ mcpi.core.Blocks.blocks ++
    mcpi.memory.MemoryBlocks.blocks ++ mcpi.memory.CoherentBlocks.blocks ++
    mcpi.counters.CountersBlocks.blocks ++ mcpi.console.ConsoleBlocks.blocks ++
    mcpi.lance.LanceBlocks.blocks ++ mcpi.lance.PhyBlocks.blocks ++
    mcpi.lance.PartBlocks.blocks

  def main(args: Array[String]): Unit = run(args, Nil)

  /** `more`: blocks of rooms above this one. */
  def run(args: Array[String], more: Seq[Block]): Unit = {
    args match {
      case Array("--serve", path) => Server.serve(path, run(_, more))
      case _ if args.nonEmpty && args.length % 3 == 0 =>
        for (Array(name, machine, outDir) <- args.grouped(3)) {
          one(name, machine, outDir, blocks ++ more)
        }
      case _ =>
        throw new IllegalArgumentException("usage: Elaborate {BLOCK MACHINE.json OUTDIR}...")
    }
  }

  private def one(blockName: String, machineFile: String, outDir: String, blocks: Seq[Block]) = {
    val machine = Machine.load(machineFile)
    val block = blocks.find(_.name == blockName).getOrElse {
      throw new IllegalArgumentException(
        s"no block '$blockName'; there are: ${blocks.map(_.name).mkString(", ")}"
      )
    }
    java.nio.file.Files.createDirectories(java.nio.file.Path.of(outDir))
    val made = SpinalConfig(
      targetDirectory = outDir,
      netlistFileName = s"$blockName.v",
      defaultConfigForClockDomains = ClockDomainConfig(resetKind = SYNC),
      headerWithDate = false,
      headerWithRepoHash = false, // a commit changes no Verilog and rebuilds no model
      removePruned = true,
      bitVectorWidthMax = 8192, // the trace of eight cores
      oneFilePerComponent = false
    ).generateVerilog(block.make(machine).setDefinitionName(blockName))
    if (block.node) {
      val out = java.nio.file.Path.of(outDir)
      val traced = made.toplevel match {
        case node: Traced => Some(node)
        case _ => None
      }
      val digest = RtlDigest.seal(out.resolve(s"$blockName.v"))
      java.nio.file.Files
        .writeString(out.resolve("Node.json"), NodeDescription(machine, digest, traced))
    }
  }
}
