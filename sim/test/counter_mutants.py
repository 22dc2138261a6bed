# SPDX-License-Identifier: BSD-2-Clause
"""Mistakes put into the counters' and the memory system's Verilog, all into one simulator.

``mcpi.verify.verilog_mutants`` says how.
"""

from dataclasses import dataclass

PLAIN, SLOW, COLD = (), ("--backing-latency", "1-60"), ("--cold",)
CONFLICTS = ("conflicts.S",)  # not an option: that guest in the place of TCP


@dataclass(frozen=True)
class Mutant:
    """``wrong`` in the place of ``right`` in module ``module``; ``runs``: where it can show."""

    title: str
    module: str
    right: str
    wrong: str
    runs: tuple[tuple[str, ...], ...] = (PLAIN,)


MUTANTS = [
    Mutant(
        "victims: a clean block counts too",
        "BCacheTags",
        "io_victim = (((((asked && (! same)) && request_present) && request_allocate) && "
        "entry_valid) && entry_dirty)",
        "io_victim = ((((asked && (! same)) && request_present) && request_allocate) && "
        "entry_valid)",
        (CONFLICTS,),
    ),
    Mutant(
        "victims: a write that hits leaves its block clean",
        "BCacheTags",
        "changes = (same ? (request_write && (! entry_dirty)) : request_allocate)",
        "changes = (same ? 1'b0 : request_allocate)",
        (CONFLICTS,),
    ),
    Mutant(
        "victims: a write that misses leaves its block clean",
        "BCacheTags",
        "newEntry_dirty = ((! walking) && request_write)",
        "newEntry_dirty = ((! walking) && request_write && same)",
        (CONFLICTS,),
    ),
    Mutant(
        "occupancy: the core's first tick is forgotten",
        "MemorySystem",
        "coreWorks = ((! io_timing_ideal) && (coreTaken || (core_busy && (! coreAnswers))))",
        "coreWorks = ((! io_timing_ideal) && core_busy && (! coreAnswers))",
    ),
    Mutant(
        "occupancy: DMA's tick of the answer counts",
        "MemorySystem",
        "dmaBusyTick <= (io_tick && (dmaTaken || (dma_busy && (! dmaAnswers))))",
        "dmaBusyTick <= (io_tick && (dmaTaken || dma_busy))",
    ),
    Mutant(
        "occupancy: clocks without a tick count",
        "MemorySystem",
        "coreBusyTick <= (io_tick && coreWorks)",
        "coreBusyTick <= coreWorks",
        (PLAIN, SLOW),
    ),
    Mutant("cold: the b-cache's tags stay", "BCacheTags", "if(io_empty)", "if(1'b0)", (COLD,)),
    Mutant("cold: the I-cache stays", "FetchUnit", "valids_flush = (flush || coldStart)",
           "valids_flush = flush", (COLD,)),
    Mutant("cold: the D-cache stays", "LoadStore", "cache_flush = (flush && tick)",
           "cache_flush = 1'b0", (COLD,)),
    Mutant("cold: one passage late", "ColdTrigger", "_zz_io_coldPc_valid = (times + 32'h00000001)",
           "_zz_io_coldPc_valid = times", (COLD,)),
    Mutant("cold: the end of the window is not copied", "Counters",
           "= (windows_1_io_closed && isCold)", "= 1'b0", (COLD,)),
    Mutant("cold: the counters are not cleared", "ControlGate",
           "when_ControlGate_l45 = (acts && wantsCold)", "when_ControlGate_l45 = 1'b0", (COLD,)),
    Mutant("cold: the window is not opened", "Windows", "if(io_force)", "if(1'b0)", (COLD,)),
    Mutant("ControlGate: acts while ticks are on their way", "ControlGate",
           "acts = (holding && (clocks == 3'b100))", "acts = (holding && (clocks == 3'b000))",
           (PLAIN, COLD)),
    Mutant("ControlGate: withholds no time", "ControlGate", "io_hold = holding", "io_hold = 1'b0",
           (PLAIN, COLD)),
    Mutant("ControlGate: time goes on before sweeps are done", "ControlGate",
           "= ((holding && (&clocks)) && (! io_busy))", "= (holding && (&clocks))", (PLAIN, COLD)),
    Mutant("ControlGate: never acts", "ControlGate", "acts = (holding && (clocks == 3'b100))",
           "acts = 1'b0", (PLAIN,)),
    Mutant("BackingMerge: the counters' answers go to the memory system", "BackingMerge",
           "owners[_zz_owners] <= (! io_first_cmd_valid)", "owners[_zz_owners] <= 1'b0",
           (PLAIN, SLOW)),
    Mutant("BackingMerge: the counters' command is lost beside another", "BackingMerge",
           "io_second_cmd_ready = (io_backing_cmd_ready && (! io_first_cmd_valid))",
           "io_second_cmd_ready = io_backing_cmd_ready", (PLAIN, SLOW)),
    Mutant("BackingMerge: whose turn it is never moves on", "BackingMerge",
           "shifted = (io_backing_rsp_valid ? _zz_shifted : owners)", "shifted = owners",
           (PLAIN, SLOW)),
    Mutant("BackingMerge: an answer does not leave the count", "BackingMerge",
           "left = (io_backing_rsp_valid ? _zz_left : reads)", "left = reads", (PLAIN, SLOW)),
    Mutant("Residency: a clear begins no new epoch", "Residency", "epoch <= (epoch + 5'h01)",
           "epoch <= epoch", (PLAIN,)),
    Mutant("Residency: what an older epoch says holds", "Residency",
           "same = (old[7 : 3] == epoch)", "same = 1'b1", (PLAIN,)),
]  # fmt: skip
