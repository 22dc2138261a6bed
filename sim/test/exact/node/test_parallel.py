# SPDX-License-Identifier: BSD-2-Clause
"""The parallel x-kernel on the exact engine: no lock loses a count, and UDP scales."""

import json
import os
import re
from pathlib import Path

import pytest
from sim_support import planted
from sim_support.simulators import run

from mcpi.base.errors import UserError
from mcpi.base.repo import FIRMWARE
from mcpi.build import models
from mcpi.engines.nodes import lock_functions
from mcpi.firmware import elf, images, parallel
from mcpi.machine import profile

# Names of enum lock_kind, and after them the atomic add.
BOOT = {"seed": 1, "warmup": 1, "round_trips": 1}  # milliseconds
LATE = 3000  # ticks by which an interrupt's work may differ between the first and the last
KINDS = ("tas", "ttas", "backoff", "ticket", "mcs", "clh", "sync", "add")


def run_cores(
    folder: Path, machine: profile.Machine, application: str, boot: dict[str, int], **more
):
    """A run of ``parallel``'s program; its files are in ``folder``."""
    program = more.pop("program", None) or models.build("mcpi-exact")
    wanted = [more.pop("stack", "udp"), more.pop("switches", ()), more.pop("sources", ())]
    made = images.build(parallel.plan(machine, parallel.Wanted(application, *wanted)))
    (folder / "machine.json").write_text(machine.to_json())
    words = [program, "--machine", folder / "machine.json", "--pal", made.pal]
    words += [
        "--image",
        made.image,
        "--out",
        folder,
        "--max-ticks",
        more.pop("most", 20_000_000_000),
    ]
    words += [word for k, v in boot.items() for word in ("--boot", f"{k}={v}")]
    words += lock_functions(made.image)
    return run(*words, check=False, text=True, **more)


def counts(folder: Path, name: str, cores: int, each: int, role: int = 0) -> None:
    """With the sync bus's locks too, where the machine has one."""
    machine = profile.load(name, {"core.count": str(cores)})
    sync = ("XK_MP_SYNC=1",) if machine.parameters["sync.bus"] else ()
    done = run_cores(folder, machine, "mpcount", {"round_trips": each, "role": role}, switches=sync)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("name", "cores", "each"),
    [("dec3000-mp", 2, 100), ("challenge-100", 8, 20), ("power-series-33", 4, 50)],
)
def test_no_kind_of_lock_loses_a_count(tmp_path, name, cores, each):
    counts(tmp_path, name, cores, each)


def test_the_mutex_of_a_sync_bus_wants_one():
    wanted = parallel.Wanted(switches=("XK_MP_SYNC=1",))
    with pytest.raises(UserError, match=r"sync\.bus = on, as power-series-33"):
        parallel.plan(profile.load("challenge-100"), wanted)


@pytest.mark.long
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "sync"])
def test_a_million_by_eight_cores(tmp_path, kind):
    """A lock goes from one core to another in some hundred ticks, of which eight cores live each:
    so a million is minutes for each kind."""
    counts(tmp_path, "dec3000-mp", 8, 125_000, 1 + KINDS.index(kind))


def test_one_kind_alone(tmp_path):
    counts(tmp_path, "dec3000-mp", 2, 20, 1 + KINDS.index("mcs"))
    assert len(json.loads((tmp_path / "locks.json").read_text())["sites"]) == 1


@pytest.mark.long
def test_a_machine_whose_flags_do_not_fall_loses_counts(tmp_path):
    mistakes = planted.mistakes("exact_coherent_mutants")
    flag = next(m for m in mistakes if m.title == "the flag stays up when its block is taken")
    program, machine = planted.program("mcpi-exact"), profile.load("dec3000-mp")
    boot, env = {"round_trips": 50}, os.environ | flag.environment
    done = run_cores(tmp_path, machine, "mpcount", boot, program=program, env=env)
    assert done.returncode != 0


def measured_ticks(machine: profile.Machine) -> int:
    """Ticks of a measurement of 1 ms: whole periods of the timer, at least one."""
    hz = machine.parameters["timer.hz"]
    return machine.ticks_per_us * 1_000_000 // hz * -(-hz // 1000)


def test_a_measurement_ends_though_a_processor_never_wins(tmp_path):
    """Six processors add to IP's identifier in step. Some take ten packets for one of another."""
    machine = profile.load("challenge-100", {"core.count": "6"})
    switches = ("XK_MP_CHECKSUM=0",)
    done = run_cores(tmp_path, machine, "mpbench", BOOT, switches=switches, most=8_000_000)
    assert done.returncode == 0, done.stderr
    observed = json.loads((tmp_path / "counters.json").read_text())
    packets = [core["windows"]["probe"]["invocations"] for core in observed["cores"]]
    assert max(packets) > 10 * min(packets)
    assert abs(observed["ticks"] - measured_ticks(machine)) < LATE


@pytest.mark.parametrize("role", [0, 1], ids=["send", "receive"])
@pytest.mark.parametrize("name", ["dec3000-mp", "challenge-100"])
def test_udp_scales(tmp_path, name, role):
    """Packets of 4 KB; each core takes its share, and each tick has an owner."""
    rates = {}
    for cores in (1, 2, 8):
        machine = profile.load(name, {"core.count": str(cores)})
        done = run_cores(tmp_path, machine, "mpbench", BOOT | {"role": role})
        assert done.returncode == 0, done.stderr
        observed = json.loads((tmp_path / "counters.json").read_text())
        packets = [core["windows"]["probe"]["invocations"] for core in observed["cores"]]
        assert min(packets) >= 15 and abs(observed["ticks"] - measured_ticks(machine)) < LATE
        rates[cores] = sum(packets) / observed["ticks"]
        for core in observed["cores"]:
            owners = sum(v for k, v in core["all"].items() if k.startswith("owner."))
            assert owners == observed["ticks"] == core["all"]["ticks"]
    assert 1.2 < rates[2] / rates[1] <= 2.1
    assert 3 < rates[8] / rates[1] <= 8.4


def ticks_a_packet(folder: Path, machine: profile.Machine, role: int, **more) -> float:
    """Ticks of all cores together, by packet."""
    done = run_cores(folder, machine, "mpbench", BOOT | {"role": role}, **more)
    assert done.returncode == 0, done.stderr
    observed = json.loads((folder / "counters.json").read_text())
    packets = sum(core["windows"]["probe"]["invocations"] for core in observed["cores"])
    return observed["ticks"] * len(observed["cores"]) / packets


@pytest.mark.parametrize(("role", "costs"), [(0, 1000), (1, 0)], ids=["send", "receive"])
def test_a_yield_costs_a_sender_what_it_says(tmp_path, role, costs):
    machine = profile.load("challenge-100", {"core.count": "1"})
    without = ticks_a_packet(tmp_path, machine, role)
    more = ticks_a_packet(tmp_path, machine, role, switches=("MPBENCH_YIELD=1000",)) - without
    assert abs(more - costs) < 300  # the code after it moves, too


def test_memory_that_is_summed_is_in_no_cache(tmp_path):
    """Each 128 bytes are a miss of 141 ticks of memory, for each core of four."""
    machine = profile.load("challenge-100", {"core.count": "4"})
    ticks = ticks_a_packet(tmp_path, machine, 0, stack="sum")
    observed = json.loads((tmp_path / "counters.json").read_text())
    for core in observed["cores"]:
        blocks = core["windows"]["probe"]["invocations"] * 4096 / 128
        waited = sum(v for k, v in core["all"].items() if k.endswith(".memory"))
        assert blocks * 110 < waited < blocks * 160 and 32 * 141 < ticks < 32 * 800
        assert not sum(v for k, v in core["all"].items() if k.endswith(".remote")) > 1000


TCP = [
    ((), 1),
    (("XK_MP_TICKETS=1", "XK_MP_LOCK=LOCK_MCS"), 2),
    (("XK_MP_TCP_LOCKS=2",), 4),
    (("XK_MP_TCP_LOCKS=6",), 3),
    (("MPBENCH_EACH=1",), 8),
]


@pytest.mark.parametrize("role", [0, 1], ids=["send", "receive"])
@pytest.mark.parametrize(("switches", "cores"), TCP)
def test_tcp_loses_nothing(tmp_path, switches, cores, role):
    """On one connection or one each: nothing is sent again, and each core takes its share."""
    machine = profile.load("challenge-100", {"core.count": str(cores)})
    boot = BOOT | {"role": role}
    done = run_cores(tmp_path, machine, "mpbench", boot, stack="tcp", switches=switches)
    assert done.returncode == 0, done.stderr
    observed = json.loads((tmp_path / "counters.json").read_text())
    packets = [core["windows"]["probe"]["invocations"] for core in observed["cores"]]
    assert min(packets) >= 5
    lines = (line.rsplit(" ", 1) for line in (tmp_path / "console.txt").read_text().splitlines())
    said = {name: int(number) for name, number in lines}
    assert said["retransmits"] == 0
    if role:
        assert abs(said["data"] - sum(packets)) <= cores


def test_a_circle_of_locks_ends_with_who_waits_where(tmp_path):
    """The report names, for each lock, its holder, the processor that waits, and both places in the
    program."""
    made = {"sources": (FIRMWARE / "test" / "programs" / "lock_circle.c",)}
    made["switches"] = ("XK_CHECKS=1", "WAITING_LIMIT=200")
    machine = profile.load("dec3000-mp", {"core.count": "2"})
    done = run_cores(tmp_path, machine, "", {}, **made)
    assert done.returncode == 1
    said = (tmp_path / "console.txt").read_text()
    found = re.findall(
        r"lock at 0x\w+: processor (\d) holds it, taken at 0x(\w+)\n"
        r"  processor (\d) waits at 0x(\w+)\n",
        said,
    )
    assert sorted((holder, waiter) for holder, _, waiter, _ in found) == [("0", "1"), ("1", "0")]
    assert said.endswith("a lock was waited for too long\n")
    image = images.build(parallel.plan(machine, parallel.Wanted("", "udp", *_of(made)))).image
    functions = sorted((at, name) for name, at in elf.read(image, machine).symbols.items())
    for place in (int(pc, 16) for _, taken, _, waits in found for pc in (taken, waits)):
        assert max(f for f in functions if f[0] <= place)[1] == "circle"


def _of(made: dict) -> tuple:
    return made["switches"], made["sources"]


def test_palcode_names_and_interrupts_a_processor(tmp_path):
    sources = (FIRMWARE / "test" / "programs" / "processors.c",)
    machine = profile.load("dec3000-mp", {"core.count": "4"})
    done = run_cores(tmp_path, machine, "", {}, sources=sources, most=2_000_000)
    assert done.returncode == 0, done.stderr


# The report of one processor: all lines of it, and nothing between them.
REPORT = re.compile(
    r"\nPALcode: stopped by bug check on core (\d)\n pc [0-9a-f]{16}  va [0-9a-f]{16}\n"
    r" mm_csr [0-9a-f]{16}  exc_sum [0-9a-f]{16}  ipl [0-9a-f]{16}"
    r"(?:\n(?: [a-z]\w [0-9a-f]{16}){3,4}){8}\n"
)


@pytest.mark.parametrize("stop", [0b0100, 0b1110, 0b1111])
def test_one_processor_reports_what_stopped_it(tmp_path, stop):
    """Each bit of ``stop`` is a processor that stops. The run ends with the cause of the one that
    reports."""
    sources = (FIRMWARE / "test" / "programs" / "all_stop.c",)
    machine = profile.load("dec3000-mp", {"core.count": "4"})
    done = run_cores(tmp_path, machine, "", {"role": stop}, sources=sources, most=2_000_000)
    assert done.returncode == 128 + 9, done.stderr
    said = REPORT.fullmatch((tmp_path / "console.txt").read_text())
    assert said and stop >> int(said[1]) & 1


def test_who_gives_up_says_where_each_core_is(tmp_path):
    machine = profile.load("dec3000-mp", {"core.count": "2"})
    done = run_cores(tmp_path, machine, "mpcount", {"round_trips": 10**6}, most=100_000)
    assert done.returncode != 0
    where = r"\(--max-ticks\); core 0 at pc \w+ ra \w+, core 1 at pc \w+ ra \w+"
    assert re.search(where, done.stderr)
