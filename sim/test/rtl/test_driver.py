# SPDX-License-Identifier: BSD-2-Clause
"""The whole simulator on the real node: two TCP machines, every instruction in lock-step."""

import csv
import re
from pathlib import Path

import pytest
from scapy.utils import rdpcap
from sim_support import simulators
from sim_support.simulators import (
    SAME,
    build,
    counters,
    different,
    guest,
    machine_json,
    run,
    run_record,
)

from mcpi.base.repo import ROOT
from mcpi.hdl import verilator
from verify.long_tests import sampled

ROUND_TRIPS = 2
REST = 0.115  # second clocks an instruction, at most, of events that no counter counts
MUTANT = ("plain = (a ^ second);", "plain = (a | second);")  # XOR and EQV of the ALU
RETIREMENT = r"^ +\d+  [0-9a-f]{16}[ p] [0-9a-f]{8} "  # a line of the report


@pytest.fixture(scope="module")
def built():
    return build()


@pytest.fixture(scope="module")
def simulate(built, tmp_path_factory):
    """simulate(name, option...) -> its folder; TCP, STD, two round trips."""
    folder = tmp_path_factory.mktemp("driver")

    def one(name: str, *options: str, check=True, items=(), settings=None):
        machine = machine_json(folder, settings)
        items = (f"boot.round_trips={ROUND_TRIPS}", *items)
        done = simulators.simulate(
            built, folder / name, machine, *options, items=items, check=check
        )
        return folder / name if check else done

    return one


@pytest.fixture(scope="module")
def reference(simulate):
    return simulate("reference")


def test_a_forked_cold_run_is_the_cold_run(simulate, reference, tmp_path):
    """A process starts both; each leaves the files that it leaves alone."""
    forked = tmp_path / "cold"
    other = simulate("with a cold one", "--fork-cold", str(forked))
    assert different(other, reference, [*SAME, "oracle.json"]) == []
    alone = simulate("cold", "--cold")
    assert different(forked, alone, [*SAME, "oracle.json", "replay.json", "cold_trace.csv"]) == []
    assert {f.name for f in forked.iterdir()} == {f.name for f in alone.iterdir()}
    assert {f.name for f in other.iterdir()} == {f.name for f in reference.iterdir()}
    refused = simulate("refused", "--cold", "--fork-cold", str(forked), check=False)
    assert "measured by its markers" in refused.stderr


def test_two_machines_in_lockstep(reference):
    about = run_record(reference)
    assert about["exit_codes"] == [0, 0]
    assert about["frames"] > 2 * ROUND_TRIPS and about["frames_not_in_pcap"] == 0
    assert min(about["instructions"]) > 10000
    for node in counters(reference):
        for bank in node.values():
            owners = {k: v for k, v in bank.items() if k.startswith("owner.")}
            assert sum(owners.values()) == bank["ticks"] > 0
            assert owners["owner.issue"] == bank["instructions"] > 0
            assert bank["invocations"] == ROUND_TRIPS


def test_a_fast_memory_and_the_hosts_word_cost_no_clocks(reference):
    """Time withheld for the host's word, sweeps with it, is in no counter. On a backing memory that
    answers in a clock the rest is the core's second clocks (docs/data/second-clocks.csv): of each
    load, store, late value, tick of I/O, two of an I-miss, and few that are not counted, as of
    jumps."""
    for node in counters(reference):
        found = node["all"]
        once = "dcache.accesses", "write_buffer.accesses", "dcache.misses", "owner.io"
        counted = sum(found[name] for name in once) + 2 * found["icache.misses"]
        assert 0 < found["withheld"] - counted < REST * found["instructions"]


def test_the_same_again_without_lockstep(simulate, reference):
    assert not different(reference, simulate("again", "--no-lockstep"))


def without_clocks(folder: Path) -> list:
    """The counters that must not depend on the backing memory: all but `clocks`, `withheld`."""
    nodes = counters(folder)
    for node in nodes:
        for bank in node.values():
            del bank["clocks"], bank["withheld"]
    return nodes


@pytest.mark.parametrize("seed", sampled([1, 2, 3], lambda seed: seed == 1))
def test_random_backing_latency_changes_no_counter(simulate, reference, seed):
    """Each read of the backing memory takes 1 to 60 clocks, at random: only clocks are lost."""
    slow = simulate(f"slow-{seed}", "--backing-latency", "1-60", "--backing-seed", str(seed))
    assert different(reference, slow) == ["counters.json"]
    pair = [counters(f) for f in (reference, slow)]
    for before, after in zip(*pair, strict=True):
        assert after["all"]["withheld"] > before["all"]["withheld"]
    assert without_clocks(reference) == without_clocks(slow), f"--backing-seed {seed}"


def test_the_same_with_every_idle_tick_simulated(simulate, reference):
    """Skipping changes no byte of any result, and takes few clocks."""
    assert not different(reference, simulate("no-skip", "--no-skip"))
    both = [run_record(reference.parent / name) for name in ("reference", "no-skip")]
    for skipped, all_ in zip(*[one["simulated_clocks"] for one in both], strict=True):
        assert skipped < 0.45 * all_


SKIPPING = [
    {"seed": 2},
    {"seed": 3, "backing-latency": "1-60"},
    {"seed": 4, "memory.ideal": "on"},
    {"seed": 5, "write_buffer.idle_ticks": 700, "write_buffer.drain_at": 4},
    {"seed": 6, "lance.poll_ns": 17143},
    {"seed": 7, "lance.start_ns": 0, "lance.setup_ns": 0, "lance.gap_ns": 0},
    {"seed": 8, "lance.heartbeat_ns": 0, "lance_heartbeat": 0, "lance.interrupt_ns": 0},
]


@pytest.mark.parametrize(
    "options", sampled(SKIPPING, lambda one: one["seed"] == 3), ids=lambda o: "-".join(o)
)
def test_skipping_changes_nothing(simulate, options):
    words, settings = [], {}
    for key, value in options.items():
        if key in ("seed", "backing-latency"):
            words += [f"--{key}", str(value)]
        elif key == "lance_heartbeat":  # of the transceiver, no parameter
            words += [w for n in (0, 1) for w in ("--node", f"{n}:register.{key}={value}")]
        else:
            settings[key] = str(value)
    name = "-".join(options)
    plain = simulate(f"{name}-plain", "--no-skip", *words, settings=settings)
    assert not different(plain, simulate(name, *words, settings=settings)), str(options)


def test_loading_through_the_link_changes_nothing(simulate, reference):
    assert not different(reference, simulate("link", "--load-by-link"))


def test_a_seed_is_only_a_phase(simulate, reference):
    """Other moments, the same frames in the same order."""
    other = simulate("seed", "--seed", "2")
    assert different(reference, other)
    frames = [[bytes(p) for p in rdpcap(str(f / "wire.pcap"))] for f in (reference, other)]
    assert frames[0] == frames[1]


def test_frames_take_their_time(reference):
    """A frame of n bytes lasts 8 + n + 4 bytes of 140 ticks, on either side; it arrives 79 to 148
    ticks after it was sent (one nibble, the cable, the receiver's bit clock)."""
    with (reference / "stamps.csv").open() as file:
        rows = [(int(r["tick"]), int(r["node"]), r["stamp"]) for r in csv.DictReader(file)]
    assert rows == sorted(rows, key=lambda r: r[:2])
    for sender in (0, 1):
        stamps = {
            name: [t for t, n, e in rows if e == name and n == node]
            for name, node in [("tx_first_bit", sender), ("tx_last_bit", sender),
                               ("rx_first_bit", 1 - sender), ("rx_last_bit", 1 - sender)]
        }  # fmt: skip
        assert stamps["tx_first_bit"]
        for first, last, there, gone in zip(*stamps.values(), strict=True):
            assert last - first == gone - there == 140 * (8 + 60 + 4)
            assert 79 <= there - first < 149


# Overwrites its next instruction and makes no IMB.
STALE = (
    "\t.set noat\n\t.set noreorder\n\t.text\n\t.globl _start\n"
    "_start: br $1, 1f\n1:\tlda $2, 2($31)\n"
    "2:\tlda $3, 1($31)\n\tldl $4, 28($1)\n\tstl $4, 4($1)\n"
    "\tsubq $2, 1, $2\n\tbne $2, 2b\n\tbr $31, .\n\tlda $3, 5($31)\n"
)


def test_lockstep_finds_a_difference(simulate, tmp_path):
    """Self-modifying code without IMB is executed stale by the I-cache: the model must
    say that its memory holds another instruction."""
    image = guest("stale", tmp_path, text=STALE)
    done = simulate(
        "stale", "--lockstep", "--max-ticks", "100000", check=False, items=[f"image={image}"]
    )
    text = done.stderr
    assert done.returncode == 1
    assert "lock-step: node 0" in text and "instruction: the model's memory has" in text
    assert "again: " in text and "lda $3,1($31)" in text
    assert text.splitlines()[-1].startswith("lock-step: node 0, tick "), "the last line says why"


def test_the_report_has_the_users_own_line(tmp_path):
    """The same from ./mcpi run: whole report, and the line with seed, settings and image."""
    image = guest("stale", tmp_path, text=STALE)
    words = ["--set", "memory.read_ticks=40", "--round-trips", "1", "--seed", "5"]
    words += ["--engine", "rtl", "--warmup", "0", "--image", image]
    done = run(ROOT / "mcpi", "run", *words, "--out", tmp_path / "out", check=False, text=True)
    text = done.stderr
    assert done.returncode == 1 and "instruction: the model's memory has" in text
    assert len(re.findall(RETIREMENT, text, re.M)) == 20
    line = next(line for line in text.splitlines() if "again: " in line)
    assert (
        line.strip() == f"again: ./mcpi run --stack tcp --machine dec3000-600 "
        f"{' '.join(map(str, words))}"
    )


@pytest.mark.long
def test_lockstep_finds_a_mutant(built, tmp_path):
    """XOR of the RTL is OR: the report says what differs, shows the last twenty retirements and
    the user's own line."""
    right = built.node_json.with_name("Node.v").read_text()
    before, after = MUTANT
    assert right.count(before) == 1, "the mutated expression has a new name"
    wrong = tmp_path / "Node.v"
    wrong.write_text(right.replace(before, after))
    program = verilator.build(wrong, verilator.QUICK)
    words = ("--reproduce", "./mcpi run --seed 1")
    machine = machine_json(tmp_path)
    done = simulators.simulate(built, tmp_path, machine, *words, program=program)
    text = done.stderr
    assert done.returncode == 1 and "lock-step: node 0" in text and "result: model" in text
    assert len(re.findall(RETIREMENT, text, re.M)) == 20
    assert "\nagain: ./mcpi run --seed 1\n" in text


def test_a_hang_is_noticed(simulate, tmp_path):
    text = "\t.text\n\t.globl _start\n_start:\tlda $16, 1($31)\n\tcall_pal 0x00\n"
    image = guest("sleep", tmp_path, text=text)
    done = simulate("hang", "--hang-ticks", "50000", check=False, items=[f"image={image}"])
    assert done.returncode == 1
    text = done.stderr
    assert re.search(r"node 0 hangs: nothing retired since tick \d+.*halted", text.splitlines()[-1])
    assert "node 0, last retirements" in text and "call_pal 0" in text and "\nagain: " in text


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--node", "2:pal=x"], "node 0 or 1"),
        (["--node", "0:speed=9"], "no such key"),
        (["--node", "0:boot.nonsense=1"], "boot parameter"),
        (["--node", "0:register.nonsense=1"], "no host register 'nonsense'"),
        (["--node", "0:register.write_buffer.write_ticks=64"], "holds 5 to 63, not 64"),
        (["--backing-latency", "9-2"], "low before high"),
        (["--what"], "not expected"),
    ],
)
def test_slips_are_told_in_one_line(simulate, options, said):
    done = simulate("slip", *options, check=False)
    text = done.stderr
    assert done.returncode == 2 and said in text and text.count("\n") == 1


@pytest.mark.parametrize("words", [[], ["--out", "x"]])
def test_without_a_mode_it_names_the_modes(built, words):
    done = run(built.simulator, *words, check=False, text=True)
    assert done.returncode == 2 and "the mode is missing: run, serve, board, gates" in done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--help"], ["run ", "serve ", "board ", "gates ", "mcpi-sim run --out", "simulator.md"]),
        (["run", "--help"], ["--fork-cold", "--tick-log", "--node", "--cable-ticks"]),
        (["board", "--help"], ["--loopback", "--wire"]),
    ],
)
def test_help_teaches(built, words, said):
    text = run(built.simulator, *words, text=True).stdout
    assert not [name for name in said if name not in text], text
