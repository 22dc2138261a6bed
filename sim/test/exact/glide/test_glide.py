# SPDX-License-Identifier: BSD-2-Clause
"""A core that glides does to the tick what `step` does: counters, logs and files are the same, and
a mistake planted in the fast way is found (exact-engine.md, Three ways to pass a tick)."""

import csv
import json
import os
import random
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from sim_support import coherent_machines, coherent_programs, late_results, planted
from sim_support.changed_code import MACHINES as CHANGED
from sim_support.changed_code import PALCODE
from sim_support.changed_code import Program as Changing
from sim_support.pairs import EV4, OFF
from sim_support.simulators import PAL_BASE, guest, guests, run
from sim_support.translated_cases import Case
from sim_support.trap_order import PAL

from mcpi.build import graph, models
from mcpi.engines.nodes import lock_functions
from mcpi.firmware import images, parallel
from mcpi.machine import profile
from mcpi.spec.run_spec import RunSpec
from verify.long_tests import sampled

MISTAKES = planted.mistakes("glide_mutants")
STEPS = {planted.NO_GLIDE: "1"}
IDEAL = {"memory.ideal": "on"}
NO_RESULT = "machine.json"
# $3 is KSEG's first address beyond RAM.
FAR = """
	.set noat
	.set noreorder
	.text
	.globl _start
_start:	lda $12, -511($31)
	sll $12, 33, $12
	lda $3, 1($31)
	sll $3, 26, $3
	lda $2, -4($31)
	sll $2, 40, $2
	addq $3, $2, $3
"""


def pair(folder: Path, settings: dict[str, str], *options: object, trips: int = 3) -> list[object]:
    """Two nodes in TCP."""
    spec = RunSpec(settings=settings)
    built = graph.build(spec)
    (folder / "machine.json").write_text(spec.check().to_json())
    boot = {"stack": 0, "round_trips": trips, "warmup": 2}
    items = [
        f"pal={built.pal}",
        f"image={built.image}",
        *(f"boot.{k}={v}" for k, v in boot.items()),
    ]
    nodes = [word for n in (0, 1) for item in items for word in ("--node", f"{n}:{item}")]
    words = ["run", "--machine", folder / "machine.json", *nodes, "--max-ticks", 5_000_000]
    return [*words, *options]


def counting(folder: Path, name: str, *options: object) -> list[object]:
    """Three cores that count under each kind of lock: most of them spin."""
    machine = profile.load(name, {"core.count": "3"})
    made = images.build(parallel.plan(machine, parallel.Wanted("mpcount")))
    (folder / "machine.json").write_text(machine.to_json())
    words = ["--machine", folder / "machine.json", "--pal", made.pal, "--image", made.image]
    words += ["--max-ticks", 10**7, "--boot", "round_trips=12"]
    return [*words, *lock_functions(made.image), *options]


def packets(folder: Path, cores: int) -> list[object]:
    """Cores that send in TCP."""
    machine = profile.load("challenge-100", {"core.count": str(cores)})
    wanted = parallel.Wanted("mpbench", "tcp", ("XK_MP_LOCK=LOCK_MCS",))
    made = images.build(parallel.plan(machine, wanted))
    (folder / "machine.json").write_text(machine.to_json())
    words = ["--machine", folder / "machine.json", "--pal", made.pal, "--image", made.image]
    boot = ("role=0", "warmup=2", "round_trips=5")
    return [*words, "--max-ticks", 10**8, *(word for b in boot for word in ("--boot", b))]


def cores(
    folder: Path, seed: int, *options: object, make=coherent_programs.program
) -> list[object]:
    """A random program of several cores on a random machine."""
    settings = coherent_programs.settings(seed)
    count = int(settings["core.count"])
    (folder / "machine.json").write_text(profile.load("dec3000-mp", settings).to_json())
    image = guest("guest", folder, text=make(seed, count))
    words = ["--machine", folder / "machine.json", "--pal", guest("pal", folder, PAL_BASE)]
    return [*words, "--image", image, "--max-ticks", 2_000_000, *options]


def interrupted(folder: Path, count: int) -> list[object]:
    """Cores that add to one counter; the timer interrupts the first."""
    settings = {"core.count": str(count), "timer.hz": "20000"}
    (folder / "machine.json").write_text(profile.load("dec3000-mp", settings).to_json())
    image = guest("guest", folder, text=coherent_machines.interrupted_program(count, 400))
    words = ["--machine", folder / "machine.json", "--pal", guest("pal", folder, PAL_BASE)]
    return [*words, "--image", image, "--max-ticks", 2_000_000, "--ticks"]


def translated(folder: Path, seed: int, name: str) -> list[object]:
    """A random user program behind TLBs, every tick of it."""
    case = Case(seed, name, folder)
    words = ["--machine", case.json, "--pal", case.pal, "--image", case.elf]
    return [*words, "--phase", 5000, "--max-ticks", 3_000_000, "--tick-log"]


def changing(folder: Path, name: str) -> list[object]:
    """A program that changes its code."""
    made = dict(item.split("=", 1) for item in guests("guest", folder, Changing(0).text(), PALCODE))
    (folder / "machine.json").write_text(profile.load("dec3000-600", CHANGED[name]).to_json())
    words = ["--machine", folder / "machine.json", "--pal", made["pal"], "--image", made["image"]]
    return [*words, "--max-ticks", 3_000_000, "--tick-log"]


def late(
    folder: Path, settings: dict[str, str], name: str = "dec3000-600", log: str = "--tick-log"
) -> list[object]:
    """Multiplies and loads whose values come late, at random."""
    text = late_results.program(random.Random("late 19"))
    made = dict(item.split("=", 1) for item in guests("guest", folder, text, PALCODE))
    (folder / "machine.json").write_text(profile.load(name, settings).to_json())
    words = ["--machine", folder / "machine.json", "--pal", made["pal"], "--image", made["image"]]
    return [*words, "--max-ticks", 100_000, log]


def far(folder: Path, name: str, access: str, *options: object) -> list[object]:
    """Accesses beyond memory, each with a machine check, at some distance before a loop."""
    lines = [FAR]
    for distance in range(24):
        lines += ["br $20, 1f\n\tbr $31, 2f", f"1:\t{access}", *["bis $31, $31, $31"] * distance]
        lines += ["3:\tbr $31, 3b", "2:\tmb"]
    text = "\n\t".join([*lines, "lda $13, 0x1010($12)\n\tstq $31, 0($13)\n\tbr $31, .\n"])
    machine = profile.load(name, {"core.count": "1"} if name == "dec3000-mp" else {})
    (folder / "machine.json").write_text(machine.to_json())
    words = ["--machine", folder / "machine.json", "--pal", guest("pal", folder, PAL_BASE, PAL)]
    words += ["--image", guest("guest", folder, text=text), "--max-ticks", 100_000]
    return [*words, *options]


RUNS = {
    "late": lambda folder: late(folder, {}),
    "ideal late": lambda folder: late(folder, IDEAL),
    "tcp": lambda folder: pair(folder, {}),
    "tcp, ticks": lambda folder: pair(folder, {}, "--tick-log", 0),
    "cold": lambda folder: pair(folder, {}, "--cold"),
    "off": lambda folder: pair(folder, OFF),
    "ev4": lambda folder: pair(folder, EV4),
    "ideal": lambda folder: pair(folder, IDEAL),
    "ideal, ticks": lambda folder: pair(folder, IDEAL, "--tick-log", 0),
    "ideal code": lambda folder: changing(folder, "ideal"),
    "locks": lambda folder: counting(folder, "challenge-100"),
    "locks, ticks": lambda folder: counting(folder, "dec3000-mp", "--ticks"),
    "packets": lambda folder: packets(folder, 4),
    "far load": lambda folder: far(folder, "dec3000-600", "ldq $4, 0($3)", "--tick-log"),
    "far fetch": lambda folder: far(folder, "dec3000-600", "jmp $31, ($3)", "--tick-log"),
    "far store": lambda folder: far(folder, "dec3000-600", "stq $4, 0($3)", "--tick-log"),
    "cores, far load": lambda folder: far(folder, "dec3000-mp", "ldq $4, 0($3)", "--ticks"),
    "cores, far fetch": lambda folder: far(folder, "dec3000-mp", "jmp $31, ($3)", "--ticks"),
    "cores, far store": lambda folder: far(folder, "dec3000-mp", "stq $4, 0($3)", "--ticks"),
    "cores, late": lambda folder: late(folder, {"core.count": "1"}, "dec3000-mp", "--ticks"),
    "tlb": lambda folder: translated(folder, 3, "small"),
    "tlb, 4 KB": lambda folder: translated(folder, 4, "4 KB"),
    "code": lambda folder: changing(folder, "usual"),
}
RUNS |= {f"interrupted {n}, ticks": lambda folder, n=n: interrupted(folder, n) for n in (2, 4)}
RUNS |= {f"cores {n}": lambda folder, n=n: cores(folder, n) for n in range(40)}
RUNS |= {f"cores {n}, ticks": lambda folder, n=n: cores(folder, n, "--ticks") for n in range(40)}
RUNS |= {
    f"{kind} {n}": lambda folder, n=n, make=make: cores(folder, n, "--ticks", make=make)
    for kind, make in (
        ("devices", coherent_machines.io_program),
        ("codes", coherent_programs.codes),
    )
    for n in range(40)
}
USUAL = ["tcp", "tcp, ticks", "locks", "locks, ticks", "tlb", "code", "packets"]
USUAL += ["ideal", "ideal code"]
USUAL += [name for n in range(3) for name in (f"cores {n}", f"cores {n}, ticks", f"devices {n}")]
USUAL += ["far load", "cores, far store", "cores, late", "cores 10, ticks", "interrupted 2, ticks"]
USUAL += ["devices 34", "codes 5", "codes 7"]


def ticks(file: Path) -> Iterator[tuple]:
    """Ticks one by one: a row may be of several."""
    with file.open(newline="") as rows:
        for row in csv.DictReader(rows):
            for n in range(int(row.pop("count"))):
                yield int(row["tick"]) + n, *(v for k, v in row.items() if k != "tick")


def started(program: Path, folder: Path, words: list[object], **more) -> tuple[int, str]:
    """Its status, -1 if it does not end, and output; its files are in ``folder``."""
    folder.mkdir()
    last = [folder / "ticks.csv"] if words[-1] == "--tick-log" else ["--out", folder]
    try:
        done = run(
            program,
            *words,
            *last,
            check=False,
            text=True,
            errors="replace",
            **{"timeout": 120} | more,
        )
    except subprocess.TimeoutExpired:
        return -1, ""
    return done.returncode, done.stdout


def record(file: Path) -> dict:
    """A record of a run, but for the time that it took."""
    return json.loads(file.read_text()) | {"wall_seconds": None}


def difference(a: Path, b: Path) -> str:
    """The first file that is not the same."""
    names = {path.name for folder in (a, b) for path in folder.iterdir()} - {NO_RESULT}
    for name in sorted(names):
        if not ((a / name).exists() and (b / name).exists()):
            return name
        if (a / name).read_bytes() == (b / name).read_bytes():
            continue
        if name == "run.json" and record(a / name) == record(b / name):
            continue
        if not name.startswith("ticks"):
            return name
        with (a / name).open() as file:
            if "count" not in file.readline():
                return name
        if list(ticks(a / name)) != list(ticks(b / name)):
            return name
    return ""


@pytest.fixture(scope="module")
def stepped(tmp_path_factory):
    """stepped(run): its words, what came out of it without a glide, and the folder."""
    made: dict[str, tuple] = {}

    def one(name: str) -> tuple:
        if name not in made:
            folder = tmp_path_factory.mktemp("run")
            words = RUNS[name](folder)
            out = folder / "steps"
            program = planted.program("mcpi-exact")
            made[name] = words, started(program, out, words, env=os.environ | STEPS), out
        return made[name]

    return one


@pytest.mark.parametrize("name", sampled(RUNS, lambda name: name in USUAL))
def test_a_glide_does_what_steps_do(stepped, tmp_path, name):
    words, said, steps = stepped(name)
    assert started(models.build("mcpi-exact"), tmp_path / "glides", words) == said
    assert not (found := difference(steps, tmp_path / "glides")), found


@pytest.mark.parametrize("number", sampled(range(1, len(MISTAKES) + 1), lambda n: n in (1, 22)))
def test_a_mistake_is_found(stepped, tmp_path, number):
    mistake = MISTAKES[number - 1]
    program = planted.program("mcpi-exact")
    for n, name in enumerate(mistake.how["runs"].split(";")):
        words, said, steps = stepped(name)
        out = tmp_path / str(n)
        env = os.environ | mistake.environment
        if started(program, out, words, env=env, timeout=30) != said or difference(steps, out):
            return
    raise AssertionError(f"{mistake.title}: nothing has found it")
