// SPDX-License-Identifier: BSD-2-Clause
package mcpi.node

import mcpi.bus.TcHost
import mcpi.core.{AlphaLite, AlphaLiteConfig, RegisterWrapper}
import mcpi.counters.{Counters, CountersConfig}
import mcpi.lance.{Lance, LanceCard, LanceConfig}
import mcpi.machine.{Block, Machine}
import mcpi.memory.{BCacheTags, CoherentConfig, MemoryConfig, MemorySystem, PrivateCache, SnoopBus}
import spinal.core._

/** Parts of a node as they go onto an FPGA, each between pins, to see what it costs
  * (docs/explanation/synthesis.md): nothing is skipped, nobody reads the retire port.
  */
object NodeParts {
  private val skip = Set("skip")
  private val skips = Set("nextEvent")

  private def core(m: Machine) = new AlphaLite(Node.core(m, onFpga = true))
  private def counters(m: Machine) = new Counters(Node.counters(m, onFpga = true))
  private def memory(m: Machine) = new MemorySystem(MemoryConfig(m))

  val blocks: Seq[Block] = Seq(
    Block("CoreAlone", m => new RegisterWrapper(core(m), skip, skips ++ Set("retire_"))),
    Block("CountersAlone", m => new RegisterWrapper(counters(m), skip)),
    Block("TagsAlone", m => new RegisterWrapper(new BCacheTags(MemoryConfig(m)))),
    Block("MemoryAlone", m => new RegisterWrapper(memory(m), skip, skips)),
    Block("LanceAlone", m => new RegisterWrapper(LanceCard(m), skip, skips)),
    Block("LanceChipAlone", m => new RegisterWrapper(new Lance(LanceConfig(m)), skip, skips)),
    Block("TurbochannelAlone", m => new RegisterWrapper(TcHost(m), skip, skips)),
    Block("CoreWithCounters", m => new RegisterWrapper(new CoreAndCounters(m), skip)),
    Block(
      "NodeAlone",
      m =>
        new RegisterWrapper(
          new Node(m, onFpga = true),
          skip,
          skips ++ Set("trace")
        )
    ),
    // Blocks of a node of several cores.
    Block("CoherentCoreAlone", m => new RegisterWrapper(coherentCore(m), skip, Set("retire_"))),
    Block("CoherentCountersAlone", m => new RegisterWrapper(counters(m), skip)),
    Block(
      "PrivateCacheAlone",
      m => new RegisterWrapper(new PrivateCache(CoherentConfig(m)), Set(), seen)
    ),
    Block("SnoopBusAlone", m => new RegisterWrapper(new SnoopBus(CoherentConfig(m))))
  )

  private def coherentCore(m: Machine) = new AlphaLite(CoherentNode.core(m, onFpga = true))
  // Ports that only a simulator looks at.
  private def seen = Set("decides", "state", "drops", "acts").map("events_" + _)
}

/** The core, its events counted: everything else of both comes to the outside. */
class CoreAndCounters(machine: Machine) extends Component {
  private val config = AlphaLiteConfig(machine).copy(retirePort = false, skips = false)
  val core = new AlphaLite(config)
  val counters = new Counters(CountersConfig(machine).copy(packed = true))
  counters.io.core := core.events
  counters.io.tick := core.tick

  private val inside = (core.events.flatten ++ counters.io.core.flatten :+ counters.io.tick).toSet
  for (
    (part, name) <- Seq(core -> "core", counters -> "counters");
    port <- part.getOrdredNodeIo if !inside(port)
  ) {
    val outer = Bits(port.getBitsWidth bits).setName(s"${name}_${port.getName()}")
    if (port.isOutput) {
      out(outer)
      outer := port.asBits
    } else if (port.dlcIsEmpty) {
      in(outer)
      port.assignFromBits(outer)
    }
  }
}
