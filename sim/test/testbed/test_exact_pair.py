# SPDX-License-Identifier: BSD-2-Clause
"""Two exact nodes and the wire leave the same files as two Verilated ones, and the same ticks."""

import random
import struct
from pathlib import Path

import pytest
from sim_support import simulators
from sim_support.pairs import EV4, IDEAL, OFF, both, images, words
from sim_support.simulators import guests, logged_from_reset, machine_json, run, simulate
from sim_support.tick_logs import difference

from mcpi.build import models
from mcpi.results import folders
from verify.long_tests import sampled

FAULTS = ["0:lose=0.1", "1:duplicate=0.1", "0:delay=0.2", "1:corrupt=0.1", "1:reorder=0.1"]


RUNS = {
    "tcp": ("tcp", 1, {}),
    "another seed": ("tcp", 2, {}),
    "rpc": ("rpc", 3, {}),
    "ideal": ("tcp", 4, IDEAL),
    "ideal rpc": ("rpc", 5, IDEAL),
    "ev4": ("tcp", 6, EV4),
    "ideal ev4": ("tcp", 7, IDEAL | EV4),
    "off": ("rpc", 8, OFF),
}
USUAL = ("tcp", "rpc", "ideal", "ev4", "off")


@pytest.mark.parametrize("name", sampled(RUNS, USUAL.__contains__))
def test_the_same_bytes(name, tmp_path):
    """Counters too."""
    stack, seed, settings = RUNS[name]
    rtl, exact = both(images(stack), tmp_path, *words(stack, seed), settings=settings)
    assert not folders.differences(rtl, exact)


WAYS = {
    "2 and 4": ("tcp", 1, {"icache.ways": "2", "dcache.ways": "4"}),
    "4 and 2": ("rpc", 2, {"icache.ways": "4", "dcache.ways": "2"}),
    "ideal": ("tcp", 4, {"icache.ways": "2", "dcache.ways": "4"} | IDEAL | EV4),
    "ev4": ("tcp", 6, {"icache.ways": "4", "dcache.ways": "2"} | EV4),
    "off": ("rpc", 8, {"icache.ways": "4", "dcache.ways": "2", "icache.enable": "off"}),
}


@pytest.mark.long  # test_ways compares each tick
@pytest.mark.parametrize("name", WAYS)
def test_the_same_bytes_of_caches_with_ways(name, tmp_path):
    stack, seed, settings = WAYS[name]
    shaping = {key: value for key, value in settings.items() if key.endswith(".ways")}
    built = images(stack, settings=shaping)
    rtl, exact = both(built, tmp_path, *words(stack, seed), settings=settings)
    assert not folders.differences(rtl, exact)


def victims(*numbers: int) -> dict[str, str]:
    """Settings of victim caches: blocks and ticks of the I-cache, then of the D-cache."""
    keys = [
        f"{cache}.{key}" for cache in ("icache", "dcache") for key in ("victims", "victim_ticks")
    ]
    return {key: str(number) for key, number in zip(keys, numbers, strict=True)}


FOUR, SLOW = victims(4, 2, 4, 2), victims(16, 1, 1, 15)
VICTIMS = {
    "four": ("tcp", 1, FOUR, {}),
    "four, rpc": ("rpc", 2, FOUR, EV4),
    "slow": ("tcp", 6, SLOW, EV4),
    "slow, rpc": ("rpc", 8, SLOW, {}),
    "ideal": ("tcp", 4, FOUR, IDEAL | EV4),
    "off": ("rpc", 8, FOUR, {"icache.enable": "off"}),
}


@pytest.mark.long
@pytest.mark.parametrize("name", VICTIMS)
def test_the_same_bytes_of_victim_caches(name, tmp_path):
    stack, seed, shaping, more = VICTIMS[name]
    built, options = images(stack, settings=shaping), ["--tick-log", "0"]
    rtl, exact = both(built, tmp_path, *words(stack, seed), *options, settings=shaping | more)
    assert not folders.differences(rtl, exact)


# The clock: 300 MHz have 292,968.75 ticks between two timer interrupts.
OTHERS = ("link.duplex=half", "lance.wiring=pmad", "lance.chip=c-lance", "clock.ticks_per_us=300")


@pytest.mark.long
@pytest.mark.parametrize("setting", OTHERS)
def test_the_same_bytes_with_another_card_or_clock(setting, tmp_path):
    settings = dict([setting.split("=")])
    pmad = {"machine": "dec3000-pmad"} if setting.endswith("pmad") else {"settings": settings}
    rtl, exact = both(images("tcp", **pmad), tmp_path, *words("tcp", 1), settings=settings)
    assert not folders.differences(rtl, exact)


@pytest.mark.long
@pytest.mark.parametrize("wiring", ["ioasic", "dense"])
@pytest.mark.parametrize("stack", ["tcp", "rpc"])
def test_the_same_bytes_with_a_classifier(stack, wiring, tmp_path):
    """PIN's frames have the controller's id, also in shepherds' own buffers."""
    settings = {"lance.classifier": "on", "lance.wiring": wiring}
    built = images(stack, variant="pin", settings=settings)
    rtl, exact = both(built, tmp_path, *words(stack, 1), settings=settings)
    assert not folders.differences(rtl, exact)


@pytest.mark.parametrize("settings", sampled([{}, IDEAL], {}.__eq__), ids=["real", "ideal"])
@pytest.mark.parametrize("stack", ["tcp", "rpc"])
def test_the_same_cold_invocation(stack, settings, tmp_path):
    """TCP's client has its path in one part, RPC's in two."""
    options = [*words(stack, 4), "--cold", "--trace", "0"]
    rtl, exact = both(images(stack), tmp_path, *options, settings=settings)
    assert not folders.differences(rtl, exact)
    assert {"replay.json", "cold_trace.csv", "trace.csv"} <= {f.name for f in exact.iterdir()}


def test_a_forked_cold_run_is_the_cold_run(tmp_path):
    built, program, machine = images("tcp"), models.build("mcpi-exact"), machine_json(tmp_path)
    for name, options in (
        ("plain", []),
        ("cold", ["--cold"]),
        ("both", ["--fork-cold", tmp_path / "forked"]),
    ):
        options = [*words("tcp", 5), *options]
        done = simulate(built, tmp_path / name, machine, *options, program=program)
        assert done.returncode == 0, done.stderr
    assert not folders.differences(tmp_path / "plain", tmp_path / "both")
    assert not folders.differences(tmp_path / "cold", tmp_path / "forked")
    assert folders.differences(tmp_path / "plain", tmp_path / "cold")


@pytest.mark.parametrize("settings", sampled([{}, IDEAL], {}.__eq__), ids=["real", "ideal"])
def test_the_same_ticks(settings, tmp_path):
    """Every tick of node 0, with its owner, pc and events, from reset to exit."""
    options = [*words("tcp", 1), *logged_from_reset(tmp_path)]
    rtl, exact = both(images("tcp"), tmp_path, *options, settings=settings)
    assert not (found := difference(rtl / "ticks.csv", exact / "ticks.csv")), found
    assert not folders.differences(rtl, exact)


@pytest.mark.parametrize("seed", sampled([1, 2], (1).__eq__))
def test_the_same_windows(seed, tmp_path):
    """24 comparators at functions of the image, with any action of any window."""
    draw = random.Random(f"windows {seed}")
    built = images("tcp")
    listed = run("alpha-linux-gnu-nm", built.image, text=True).stdout.splitlines()
    code = sorted({line.split()[0] for line in listed if line.split()[1] in "tT"})
    rows = [f"0x{draw.choice(code)},{draw.randint(1, 5)},{draw.randint(1, 4)}\n" for _ in range(24)]
    (tmp_path / "markers").write_text("".join(rows))
    given = [w for n in (0, 1) for w in ("--node", f"{n}:markers={tmp_path / 'markers'}")]
    rtl, exact = both(built, tmp_path, *words("tcp", seed), *given)
    assert not folders.differences(rtl, exact)


def test_the_same_bytes_when_frames_are_lost(tmp_path):
    faults = [word for fault in FAULTS for word in ("--wire", fault)]
    options = [*words("tcp", 4, 12), *faults, "--max-ticks", 20_000_000]
    ends = (1, "gave up at tick 20000035 (--max-ticks).")
    assert not folders.differences(*both(images("tcp"), tmp_path, *options, ends=ends))


def test_who_waits_for_a_slow_timer_does_not_hang(tmp_path):
    machine = machine_json(tmp_path, {"timer.hz": "64"})  # an interrupt in 2.7 M ticks
    options = ["--seed", 1, "--max-ticks", 2_500_000]
    done = simulate(
        images("tcp"), tmp_path / "out", machine, *options, program=models.build("mcpi-exact")
    )
    assert done.stderr.splitlines()[-1].endswith("(--max-ticks)."), done.stderr


TO_EXIT = "lda $12, -511($31)\n\tsll $12, 33, $12\n\tlda $13, 0x1010($12)\n"
TO_NOWHERE = "lda $1, -4($31)\n\tsll $1, 40, $1\n\tlda $2, 1($31)\n\tsll $2, 30, $2\n"
TO_NOWHERE += "\taddq $1, $2, $2\n"
HANGS = "node 0 hangs: nothing retired since tick "
ENDS = {  # a guest, what it ends with
    "halts": ("call_pal 0x00", f"{HANGS}406, last pc 12001, after 16 instructions; it has halted."),
    "sleeps": ("call_pal 0x3e", f"{HANGS}407, last pc 12f85, after 17 instructions."),
    "goes on": ("br $31, .", "gave up at tick 100014 (--max-ticks)."),
    "says 5": (
        f"{TO_EXIT}\tlda $17, 5($31)\n\tstq $17, 0($13)",
        "node 0 ended with exit code 5; see console.0.txt.",
    ),
    "loads beyond memory": (f"{TO_NOWHERE}\tldq $3, 0($2)\n\taddq $3, 1, $4", "has halted."),
    "jumps beyond memory": (f"{TO_NOWHERE}\tjmp $31, ($2)", "has halted."),
    "asks no device": (
        f"{TO_EXIT}\tldah $12, 0x7f0($12)\n\tldq $2, 0($12)\n\taddq $2, 1, $3",
        "has halted.",
    ),
}


@pytest.mark.parametrize("name", ENDS)
def test_the_same_end(name, tmp_path):
    """Status, the last line, the line that repeats the run; and all files up to there."""
    code, said = ENDS[name]
    head = "\t.set noat\n\t.set noreorder\n\t.text\n\t.globl _start\n_start:"
    items = guests("guest", tmp_path, f"{head}\t{code}\n\tbr $31, .\n")
    options = ["--hang-ticks", 50_000, "--max-ticks", 100_000, "--reproduce", "the line"]
    observed = set()
    built, machine = images("tcp"), machine_json(tmp_path)
    for done in simulators.both(built, tmp_path, machine, *options, items=items):
        lines = done.stderr.splitlines()
        assert done.returncode == 1 and lines[-1].endswith(said), done.stderr
        observed.add((lines[-1].partition(": ")[2], "again: the line" in lines))
    assert len(observed) == 1
    assert not folders.differences(tmp_path / "rtl", tmp_path / "exact")


def test_dma_to_where_no_memory_is(tmp_path):
    """A status word and a read: the same ticks, MERR, SIR, bus_error and its address."""
    items = guests("nowhere", tmp_path)
    options = ["--seed", "1", *logged_from_reset(tmp_path)]
    rtl, exact = both(images("tcp"), tmp_path, *options, items=items)
    assert not (found := difference(rtl / "ticks.csv", exact / "ticks.csv")), found
    assert not folders.differences(rtl, exact)
    observed = struct.unpack("<6Q", (exact / "console.0.txt").read_bytes())
    slot, memory, merr, read_error = 7 << 8, 1 << 1, 1 << 11, 1 << 16
    assert (
        observed[0] == observed[4] == slot | memory
        and observed[2] & merr
        and observed[3] & read_error
    )
    assert observed[1] == 0x1FFE0058 and observed[5] == 0x1FFE0000  # after TMD1's longword; MODE


@pytest.mark.parametrize(
    "wrong, file",
    [
        ("lance.gap_ns=708", "stamps.csv"),
        ("lance.interrupt_ns=3306", "stamps.csv"),
        ("bcache.dma_ticks=11", "stamps.csv"),
        ("bcache.size=1MB", "counters.json"),
        ("write_buffer.drain_at=3", "counters.json"),
    ],
)
def test_a_machine_that_is_not_what_it_says_is_seen(wrong, file, tmp_path):
    rtl, exact = both(images("tcp"), tmp_path, *words("tcp", 1), wrong=dict([wrong.split("=")]))
    assert Path(file) in folders.differences(rtl, exact)


def test_a_copy_lives_on_by_itself(tmp_path):
    """The same ticks as the first, which does not notice; copied in less than 10 ms."""
    built = images("tcp")
    run(models.build("unit_copy"), machine_json(tmp_path), built.pal, built.image)


@pytest.mark.parametrize("tick", sampled([0, 1_130_000, 1_170_123], (1_170_123).__eq__))
def test_a_copied_pair_leaves_the_same_files(tick, tmp_path):
    """Among frames, faults and measured round trips; with logs, windows, a cold invocation."""
    built = images("tcp")
    faults = [word for fault in FAULTS[2:4] for word in ("--wire", fault)]
    options = [*words("tcp", 3, 4), *faults, "--cold", "--trace", "0", "--tick-log", "0"]
    machine = machine_json(tmp_path)
    done = simulate(
        built, tmp_path / "alone", machine, *options, program=models.build("mcpi-exact")
    )
    assert done.returncode == 0, done.stderr
    program = tmp_path / "copied"  # its first words are the tick and the copy's folder
    program.write_text(
        f'#!/bin/sh\nexec "{models.build("unit_pair")}" {tick} "{tmp_path / "copy"}" "$@"\n'
    )
    program.chmod(0o755)
    done = simulate(built, tmp_path / "first", machine, *options, program=program)
    assert done.returncode == 0 and "copied in" in done.stdout, done.stderr
    for name in ("first", "copy"):
        assert not folders.differences(tmp_path / "alone", tmp_path / name)


@pytest.mark.parametrize(
    "option",
    [
        ["--measure-by-registers"],
        ["--load-by-link"],
        ["--backing-bytes", "65536"],
        ["--backing-latency", "1-9"],
        ["--node", "0:register.lance_heartbeat=0"],
    ],
)
def test_what_is_not_there_is_refused_by_name(option, tmp_path):
    program = models.build("mcpi-exact")
    done = simulate(images("tcp"), tmp_path, machine_json(tmp_path), *option, program=program)
    name = option[1].partition("=")[0].partition(":")[2] if option[0] == "--node" else option[0]
    assert done.returncode == 2 and name in done.stderr


def test_slips_are_told_as_mcpi_sim_does(tmp_path):
    built, program = images("tcp"), models.build("mcpi-exact")
    (tmp_path / "broken.elf").write_bytes(b"\x7fELF and no more")
    many = tmp_path / "many"
    many.write_text("0x100000,1,1\n" * 25)
    for slip in (
        ["--node", f"0:image={tmp_path / 'broken.elf'}"],
        ["--node", f"0:image={tmp_path / 'nothing'}"],
        ["--node", f"1:markers={many}"],
        ["--node", "0:boot.nonsense=1"],
        ["--what"],
    ):
        observed = [
            simulate(built, tmp_path / "out", machine_json(tmp_path), *slip, program=p)
            for p in (built.simulator, program)
        ]
        assert [one.returncode for one in observed] == [2, 2]
        said = [one.stderr.partition(": ")[2] for one in observed]
        assert said[0] == said[1] and said[0].count("\n") == 1
