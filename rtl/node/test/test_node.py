# SPDX-License-Identifier: BSD-2-Clause
"""One whole node runs a small guest: every path from the host link to the station ROM."""

import hashlib
import json
import re
import struct
import sys
from pathlib import Path

import cocotb

from mcpi import machine
from mcpi.testing import elaborate, run_cocotb

sys.path.insert(0, str(Path(__file__).parent))
from bench import PAL, SETTINGS, TIMER_PERIOD, Bench, assemble, description  # noqa: E402


def test_node():
    run_cocotb(__file__, "Node", settings=SETTINGS, optimise="-O0")


def test_verilog_knows_itself():
    """The digest in Node.v is the hash of its text with the placeholder put back."""
    verilog = elaborate("Node", settings=SETTINGS)
    text = verilog.read_text()
    digest = json.loads((verilog.parent / "Node.json").read_text())["rtl_digest"]
    assert text.count(f"64'h{digest}") == 1
    blank = text.replace(f"64'h{digest}", "64'hd16e57ed16e57ed1")
    assert hashlib.sha256(blank.encode()).hexdigest()[:16] == digest


def test_every_register_has_a_name():
    text = elaborate("Node", settings=SETTINGS).read_text()
    anonymous = sorted(set(re.findall(r"^\s+(_zz_\w+) <= .*;$", text, re.M)))
    assert not anonymous, anonymous


def test_description_names_every_run_time_parameter():
    verilog = elaborate("Node", settings=SETTINGS)
    registers = json.loads((verilog.parent / "Node.json").read_text())["registers"]
    resolved = json.loads(machine.load("dec3000-600").to_json())
    numbers = [registers[key] for key in resolved["run_parameters"]]
    assert numbers == list(range(0x20, 0x20 + len(numbers)))
    assert registers["snapshot.all.ticks"] == 0x200
    assert len(set(registers.values())) == len(registers)


def check_identities(bank):
    assert sum(v for k, v in bank.items() if k.startswith("owner.")) == bank["ticks"]
    assert bank["owner.issue"] == bank["instructions"] == bank["icache.accesses"]
    assert bank["clocks"] == bank["ticks"] + bank["withheld"]
    kinds = ("fetches", "prefetches", "loads", "writes")
    assert bank["bcache.accesses"] == sum(bank[f"bcache.{k}"] for k in kinds)
    assert bank["bcache.loads"] == bank["dcache.misses"]
    sent = bank["write_buffer.accesses"] - bank["write_buffer.merges"]
    assert bank["bcache.writes"] == bank["write_buffer.writes"] == sent


MOVING = ("ticks", "owner.idle", "clocks", "withheld")  # go on after halting


@cocotb.test()
async def everything_once(dut):
    bench = Bench(dut)
    await bench.start()
    everything, path = await bench.run_guest()
    assert bench.result(0x00) == 1 << 32 | int.from_bytes(b"mCPI", "little")
    digest = int(description()["rtl_digest"], 16)
    assert bench.result(0x08) == digest == await bench.get("rtl_digest")
    assert bench.result(0x10) == 1 == await bench.get("node_number")
    assert bench.result(0x18) == 1, "a longword"
    assert bench.console == bytes(range(ord("@") + 40, ord("@"), -1))
    assert bench.result(0x20) == 2, "nothing to read, can always write"
    first, second = bench.result(0x28), bench.result(0x40)
    assert 5000 < first < 5100, first
    assert bench.result(0x30) == 4 and bench.result(0x38) == 0, "pending, acknowledged"
    assert abs(second - first - TIMER_PERIOD) < 20, (first, second)
    assert bench.result(0x48) & 0xFF == 0x08, "first byte of the station address"
    check_identities(everything)
    assert set(path.values()) == {0}, "no window was opened"
    assert everything["instructions"] == bench.retired
    assert everything["owner.io"] > 0 and everything["owner.idle"] > TIMER_PERIOD
    assert everything["withheld"] > 0


def one_after_the_other(values):
    def latency():
        values.append(values.pop(0))
        return values[-1]

    return latency


@cocotb.test()
async def same_run_on_a_slow_backing(dut):
    """Every counter but the clocks is the same whatever the RAM and the host do."""
    bench = Bench(dut)
    await bench.start()
    quick = (await bench.run_guest())[0]
    results = dict(bench.ram.blocks)
    await bench.set("run", 0)
    # The second run without a reset pin: `run` starts virtual time anew.
    bench.ram.latency = one_after_the_other([70, 3, 20, 1, 150])
    bench.host_ready = lambda clock: clock % 50 == 0
    slow = (await bench.run_guest())[0]
    check_identities(slow)
    assert {k: quick[k] for k in quick if k not in MOVING} == {
        k: slow[k] for k in slow if k not in MOVING
    }
    assert [results[k] for k in (0x20000, 0x20020, 0x20040)] == [
        bench.ram.blocks[k] for k in (0x20000, 0x20020, 0x20040)
    ]
    assert slow["withheld"] > quick["withheld"] + 1000


@cocotb.test()
async def ideal_memory(dut):
    """Ideal memory: no tick is owned by a miss; the instructions are the same."""
    bench = Bench(dut)
    await bench.start()
    real = (await bench.run_guest())[0]
    await bench.set("run", 0)
    ideal = (await bench.run_guest({"memory.ideal": 1}))[0]
    check_identities(ideal)
    for owner in ("i_demand", "i_stream", "refill_restart", "d_miss", "memory_port"):
        assert ideal[f"owner.{owner}"] == 0, owner
    assert real["owner.i_demand"] > 0 and real["owner.d_miss"] > 0
    assert ideal["instructions"] == real["instructions"]


@cocotb.test()
async def window(dut):
    """A window around one pass of the loop, by comparators that the host sets."""
    bench = Bench(dut)
    await bench.start()
    loop = assemble().index(struct.pack("<I", 0xA448_1000))  # ldq $2, 0x1000($8)
    await bench.set("comparator.0.address", 0xFFFF_FC00_0000_0000 | PAL + loop)
    await bench.set("comparator.0.action", 1 << 8 | 1)
    await bench.set("comparator.1.address", PAL + loop + 20)  # the branch
    await bench.set("comparator.1.action", 1 << 8 | 2)
    await bench.set("comparator.2.address", PAL + loop)
    await bench.set("comparator.2.action", 1 << 8 | 5)
    everything, path = await bench.run_guest()
    check_identities(everything)
    assert path["invocations"] == everything["invocations"] == 200
    assert path["instructions"] == 200 * 5
    assert path["dcache.accesses"] == path["write_buffer.accesses"] == 200
    assert sum(v for k, v in path.items() if k.startswith("owner.")) == path["ticks"]
    assert path["ticks"] < everything["ticks"]
    assert path["taken_branches"] == 0
