# SPDX-License-Identifier: BSD-2-Clause
"""A stall, provoked and counted: a load that misses the D-cache, and who owns the ticks behind it.

./mcpi cocotb examples/cocotb/stall.py --top AlphaLite
"""

import cocotb

from mcpi.cocotb.core import DATA, HALT, Bench

LOAD_AND_USE = f"ldah $30, {DATA >> 16}($31)\nldq $1, 0($30)\naddq $1, 1, $2\n" + HALT


@cocotb.test()
@cocotb.parametrize(read_ticks=[10, 20, 40])
async def a_miss_waits_for_memory(dut, read_ticks):
    """Each tick that memory takes longer is a tick of d_miss, and of nothing else."""
    bench = Bench(dut, read_ticks=read_ticks)
    bench.load(LOAD_AND_USE)
    bench.put(DATA, 41)
    await bench.start(prefetch=0)  # nothing else is on the bus
    await bench.run()
    bench.check_owners()
    owners = bench.owners()
    dut._log.info(
        f"{read_ticks} ticks a read: {len(bench.ticks)} ticks, {owners['d_miss']} of d_miss"
    )
    assert bench.registers()[2] == 42
    assert owners["d_miss"] == read_ticks
