// SPDX-License-Identifier: BSD-2-Clause
package mcpi.counters

/** Names of the counters in the order of their registers; docs/counters.md has the definitions. */
object CounterNames {
  val owners: Seq[String] = Owner.names.map("owner." + _)
  val all: Seq[String] = Seq("ticks", "instructions") ++ owners ++ Seq(
    "icache.accesses",
    "icache.misses",
    "icache.stream_hits",
    "dcache.accesses",
    "dcache.misses",
    "write_buffer.accesses",
    "write_buffer.merges",
    "write_buffer.writes",
    "bcache.accesses",
    "bcache.misses",
    "bcache.fetches",
    "bcache.prefetches",
    "bcache.loads",
    "bcache.writes",
    "bcache.dma",
    "taken_branches",
    "mispredicts",
    "pal_ticks",
    "invocations",
    "clocks",
    "withheld"
  )
}
