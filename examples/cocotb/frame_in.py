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
    dma = after.all["bcache.dma"] - before.all["bcache.dma"]
    for name in ("ticks", "owner.idle", "owner.issue", "icache.misses", "dcache.misses"):
        dut._log.info(f"{name:<14} {after.all[name] - before.all[name]:>8,}")
    dut._log.info(f"pieces of DMA  {dma:>8,}")
    owners = sum(count for name, count in after.all.items() if name.startswith("owner."))
    assert owners == after.all["ticks"], "every tick has one owner"
    # 78 bytes and FCS come in pieces of 16, and go out again; the descriptors come on top.
    assert dma >= 2 * 5
    assert after.path["invocations"] == 1 or after.path["ticks"] > 0
