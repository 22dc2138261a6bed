// SPDX-License-Identifier: BSD-2-Clause
package mcpi.counters

import mcpi.memory.Cause

/** Names of the counters in the order of their registers; counters.md has the definitions. */
object CounterNames {

  /** Judged late, in `Residency`'s order; the position is the cache's number there. */
  val replacements: Seq[String] =
    Seq("icache.replacement_misses", "dcache.replacement_misses", "bcache.replacement_misses")
  val owners: Seq[String] = Owner.names.map("owner." + _)
  val coherentOwners: Seq[String] = Owner.coherentNames.map("owner." + _)
  private val usual: Seq[String] = Seq(
    "icache.accesses",
    "icache.misses",
    "icache.stream_hits",
    "icache.replacement_misses",
    "dcache.accesses",
    "dcache.misses",
    "dcache.replacement_misses",
    "write_buffer.accesses",
    "write_buffer.merges",
    "write_buffer.writes",
    "bcache.accesses",
    "bcache.misses",
    "bcache.replacement_misses",
    "bcache.victims",
    "bcache.fetches",
    "bcache.prefetches",
    "bcache.loads",
    "bcache.writes",
    "bcache.dma",
    "bus.core_ticks",
    "bus.dma_ticks",
    "fetch.words",
    "fetch.blocks",
    "fetch.outside",
    "fetch.fill_words",
    "taken_branches",
    "mispredicts",
    "pal_ticks",
    "invocations",
    "paused.ticks",
    "paused.instructions",
    "clocks",
    "withheld"
  )

  /** In the order of `TranslationEvents`. */
  val translation: Seq[String] = Seq(
    "itb.misses",
    "dtb.misses",
    "itb.refill_ticks",
    "dtb.refill_ticks",
    "translation.faults",
    "context_switches"
  )

  val writeBack: Seq[String] =
    Seq("dcache.store_misses", "dcache.dirty_misses", "bus.core_waits_dma")

  /** Each of a machine whose I-cache, whose D-cache has victims. */
  val victims: Seq[String] = Seq("icache.victim_hits", "dcache.victim_hits")

  /** Of coherent cores (docs/explanation/multiprocessor.md); the first two are judged late. */
  val coherenceMisses: Seq[String] = Seq("dcache.coherence_misses", "bcache.coherence_misses")
  val coherent: Seq[String] = coherenceMisses ++ Seq(
    "bcache.remote",
    "bcache.upgrades",
    "bcache.writebacks",
    "bcache.snoops",
    "bcache.snoop_hits",
    "bcache.invalidated",
    "locks.linked",
    "locks.conditional",
    "locks.failed",
    "bus.wait_ticks"
  )

  /** Owners whose ticks have causes. */
  val caused: Seq[String] = Owner.ofMemory.map(_.getName()) :+ "bus_wait"
  def cause(owner: String, cause: String): String = s"cause.$owner.$cause"
  val causes: Seq[String] = for (owner <- caused; each <- Cause.names) yield cause(owner, each)
  val late: Seq[String] = replacements ++ coherenceMisses

  /** Of a machine: its addresses are translated, its D-cache is a write-back one, its cores are
    * coherent, it has some of the `victims`.
    */
  def of(
      translates: Boolean,
      back: Boolean,
      isCoherent: Boolean = false,
      victims: Seq[String] = Nil
  ): Seq[String] =
    (Seq("ticks", "instructions") ++ (if (isCoherent) coherentOwners else owners) ++ usual) ++
      (if (translates) translation else Nil) ++ (if (back) writeBack else Nil) ++
      (if (isCoherent) coherent ++ causes else Nil) ++ victims
}
