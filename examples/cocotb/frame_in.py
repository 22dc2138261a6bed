# SPDX-License-Identifier: BSD-2-Clause
"""A frame into a complete machine, the same frame back, and what the counters say of it.

./mcpi cocotb examples/cocotb/frame_in.py --top Node
"""

from pathlib import Path

import cocotb

from mcpi.cocotb.node import Node

STATION, OURS = bytes.fromhex("08002b000001"), bytes.fromhex("08002b000002")
TYPE, DATA = b"\x88\xb5", bytes(range(64))


@cocotb.test(timeout_time=100, timeout_unit="ms")
async def a_frame_in_and_the_counters_out(dut):
    node = await Node.started(dut)
    await node.load(Path(__file__).with_name("echo.c"))
    await node.run()
    await node.until_printed("ready")
    before = await node.counters()
    await node.mii.send(STATION + OURS + TYPE + DATA)
    assert await node.mii.receive() == OURS + STATION + TYPE + DATA
    after = await node.counters()
    assert await node.until_exit() == 0
    took = {name: after.all[name] - before.all[name] for name in after.all}
    for name in ("ticks", "owner.idle", "owner.issue", "icache.misses", "bcache.dma"):
        dut._log.info(f"{name:<14} {took[name]:>7,}")
    dut._log.info(f"swapped in {after.path['ticks']} ticks")
    owners = (took[name] for name in took if name.startswith("owner."))
    assert sum(owners) == took["ticks"], "every tick has one owner"
    # 78 bytes and the FCS come in pieces of 16 and go out again; then there are the descriptors.
    assert took["bcache.dma"] >= 2 * 5
    assert 0 < after.path["instructions"] < after.path["ticks"]
