// SPDX-License-Identifier: BSD-2-Clause
package mcpi.counters

import mcpi.machine.{Block, Machine}

object CountersBlocks {

  /** For tests: little RAM and code to watch, so that sweeps are short. */
  private def small(machine: Machine) =
    CountersConfig(machine).copy(ramAddressWidth = 14, codeBytes = 4096)
  private def packed(machine: Machine) = small(machine).copy(packed = true)

  private val few = Seq("ticks", "owner.issue", "owner.idle", "late")

  val blocks: Seq[Block] = Seq(
    Block("Counters", machine => new Counters(CountersConfig(machine)) { noIoPrefix() }),
    Block("CountersSmall", machine => new Counters(small(machine)) { noIoPrefix() }),
    Block("CoherentCounters", machine => new Counters(small(machine)) { noIoPrefix() }),
    Block("CountersPacked", machine => new Counters(packed(machine)) { noIoPrefix() }),
    Block("CoherentPacked", machine => new Counters(packed(machine)) { noIoPrefix() }),
    Block(
      "PackedFew",
      _ => new PackedCounters(few.drop(1), Set("late"), bits = 5) { noIoPrefix() }
    ),
    Block("PackedCounters", _ => new PackedCounters(few, Set("late"), bits = 6) { noIoPrefix() }),
    Block("ControlGate", _ => new ControlGate { noIoPrefix() })
  )
}
