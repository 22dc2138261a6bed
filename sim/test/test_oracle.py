# SPDX-License-Identifier: BSD-2-Clause
"""The counters against the recount and the memory model, TCP on many machines: no difference."""

import os
import random
import re
import subprocess

import pytest

from mcpi import graph, machine
from mcpi.progress import Bar
from mcpi.record import Record

SEED = int(os.environ.get("MCPI_SEED", "1996"))
COMPARED = 80  # counters of a node, both banks, at least


@pytest.fixture(scope="module")
def consult(tmp_path_factory):
    """consult(elaborated, acting, option...): what the simulator said; it is built for the settings
    `elaborated`, and runs with `acting` on top."""

    def one(elaborated: dict, acting: dict, *options: str, trips: int = 1):
        record = Record(settings=elaborated)
        with Bar() as bar:
            built = graph.build(record, record.check(), bar)
        folder = tmp_path_factory.mktemp("oracle")
        description = folder / "machine.json"
        description.write_text(machine.load(record.machine, elaborated | acting).to_json())
        words = [built.simulator, "--oracle", "--out", folder, "--machine", description]
        words += ["--node-json", built.node_json, *options]
        for node in (0, 1):
            for item in (f"pal={built.pal}", f"image={built.image}", f"boot.round_trips={trips}"):
                words += ["--node", f"{node}:{item}"]
        return subprocess.run([str(w) for w in words], capture_output=True, text=True, timeout=1800)

    return one


def check_agreement(done, about: object, compared: int = COMPARED) -> None:
    assert done.returncode == 0, f"{about}; again: MCPI_SEED={SEED}\n{done.stderr[-3000:]}"
    found = re.findall(r"oracle: node (\d): (\d+) comparisons, no difference", done.stderr)
    assert [n for n, _ in found] == ["0", "1"] and all(int(c) >= compared for _, c in found)


def acting(rng: random.Random) -> dict[str, str]:
    """Run-time parameters of the memory side, anywhere in their ranges."""
    return {
        "core.taken_penalty": str(rng.randint(3, 7)),
        "icache.prefetch": rng.choice(["on", "off"]),
        "icache.refill_restart": str(rng.randint(3, 7)),
        "write_buffer.drain_at": str(rng.randint(1, 4)),
        "write_buffer.idle_ticks": str(rng.choice([1, 5, 40, 256, 1023])),
        "write_buffer.write_ticks": str(rng.randint(5, 15)),
        "bcache.read_ticks": str(rng.randint(3, 63)),
        "bcache.dma_ticks": str(rng.randint(1, 63)),
        "memory.read_ticks": str(rng.randint(3, 255)),
    }


def shape(rng: random.Random) -> dict[str, str]:
    """A geometry: what takes a new model of the hardware."""
    return {
        "cache.block": f"{rng.choice([16, 32, 64, 128])}B",
        "icache.size": f"{2 ** rng.randint(0, 6)}KB",
        "dcache.size": f"{2 ** rng.randint(0, 6)}KB",
        "bcache.size": f"{64 * 2 ** rng.randint(0, 6)}KB",
        "write_buffer.entries": str(rng.choice([1, 2, 4, 8, 16])),
    }


@pytest.mark.parametrize(
    "options", [(), ("--cold",), ("--backing-latency", "1-60")], ids=["plain", "cold", "slow"]
)
def test_the_papers_machine(consult, options):
    check_agreement(consult({}, {}, *options, trips=2), options)


@pytest.mark.parametrize("number", range(3))
def test_random_timing(consult, number):
    settings = acting(random.Random(f"{SEED} {number}"))
    check_agreement(consult({}, settings), settings)


def test_ideal_memory_is_recounted(consult):
    """The memory model is silent then; only what owners and retirements tell is compared."""
    check_agreement(consult({}, {"memory.ideal": "on"}), "ideal", compared=60)


@pytest.mark.parametrize(
    ("register", "value", "counter"),
    [
        ("write_buffer.drain_at", 3, "write_buffer.merges"),
        ("bcache.dma_ticks", 11, "bus.dma_ticks"),
        ("core.taken_penalty", 5, "icache.stream_hits|bus|bcache|write_buffer"),
        ("code_window", 0, "fetch.words"),
    ],
)
def test_a_machine_that_is_not_what_it_says_is_found(consult, register, value, counter):
    """The hardware does something else than the models believe: they must contradict it."""
    done = consult({}, {}, "--node", f"0:register.{register}={value}")
    assert done.returncode == 1
    assert "oracle: node 0: the counters are not what they should be" in done.stderr
    assert re.search(rf"^  ({counter})", done.stderr, re.M), done.stderr


@pytest.mark.long
@pytest.mark.parametrize("number", range(10))
def test_fifty_random_machines(consult, number):
    """Ten geometries, five timings each."""
    rng = random.Random(f"{SEED} shape {number}")
    elaborated = shape(rng)
    for _ in range(5):
        settings = acting(rng)
        check_agreement(consult(elaborated, settings), (elaborated, settings))
