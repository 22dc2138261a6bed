# SPDX-License-Identifier: BSD-2-Clause
"""Machines on which each parameter acts, and on which it does not: short programs on the exact
engine, whose records are compared. Two records differ if and only if the parameter acts."""

import hashlib
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from sim_support.simulators import PAL_BASE, START, guest, run
from sim_support.translated_programs import Program

from mcpi.base.errors import UserError
from mcpi.base.progress import Silent
from mcpi.base.repo import MACHINES, ROOT
from mcpi.build import models
from mcpi.engines import program as programs
from mcpi.firmware import images, parallel
from mcpi.hardware import ethernet_phy
from mcpi.machine import boards, c_header
from mcpi.machine.profile import Machine
from mcpi.spec.program_spec import ProgramSpec

SCHEMA = {
    f"{table}.{key}": row
    for table, rows in tomllib.loads((MACHINES / "parameters.toml").read_text()).items()
    for key, row in rows.items()
}
Settings = Mapping[str, str]
# Files of a run that depend on the machine, and not on its folder.
RECORD = ("events.csv", "stamps.csv", "counters.json", "wire.pcap", "console.0.txt")
FAULT = ROOT / "rtl" / "node" / "test" / "fault.S"
MULTIPLIES = "volatile int a = 3, b = 5;\nint main(void) { return a * b * a - 45; }\n"
# Enables the LANCE's interrupt while the chip is stopped, and prints whether it is.
ENABLES = """\
	lda	$1, 0x2000($31)
	sll	$1, 16, $1
	subq	$12, $1, $14		# slot 7
	ldah	$15, 4($14)
	ldah	$2, 1($31)
	lda	$2, 0x100($2)
	stl	$2, 0x100($15)		# SSR: out of reset, DMA enabled
	ldah	$15, 0xc($14)
	stl	$31, 4($15)		# RAP: CSR0
	lda	$2, 0x40($31)
	stl	$2, 0($15)		# RDP: INEA
	mb
	lda	$3, 4000($31)
1:	subq	$3, 1, $3		# until the write has reached the chip
	bne	$3, 1b
	ldl	$2, 0($15)
	stq	$2, 0x1000($12)		# console
	stq	$31, 0($13)
2:	br	$31, 2b
"""
# Loads that are 64 KB, 128 KB and 2 MB apart, each eight times.
APART = """\
	lda	$1, 1($31)
	sll	$1, 21, $1
	lda	$2, -4($31)
	sll	$2, 40, $2
	addq	$2, $1, $2
	addq	$2, $1, $3		# at 2 MB and at 4 MB
	ldah	$7, 1($2)		# and 64 and 128 KB after it
	ldah	$8, 2($2)
	lda	$4, 8($31)
1:	ldq	$5, 0($2)
	ldq	$6, 0($3)
	ldq	$6, 0($7)
	ldq	$6, 0($8)
	mb
	subq	$4, 1, $4
	bne	$4, 1b
	stq	$31, 0($13)
2:	br	$31, 2b
"""
_images: dict[str, images.Plan] = {}
_built: dict[str, programs.Built] = {}


def digest(*files: Path) -> str:
    return hashlib.sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()[:16]


def trip(machine: Machine, place: Path) -> str:
    """Three round trips of STD TCP/IP; the image is built once for each machine.h."""
    header = c_header.header(machine)
    if header not in _images:
        _images[header] = images.build(images.plan(machine, "std", "tcp"))
    made = _images[header]
    boot = ("boot.stack=0", "boot.round_trips=2", "boot.warmup=1", "boot.seed=1")
    return _pair(machine, place, made.pal, made.image, *boot)


def empty_slot(machine: Machine, place: Path) -> str:
    """A load from a TURBOchannel slot that nobody answers."""
    bare = FAULT.with_name("bare.S").read_text()
    text = FAULT.read_text().replace('.include "bare.S"', bare)
    pal = guest("fault", place, PAL_BASE, text)
    image = guest("image", place, text="\t.text\n1:\tbr\t$31, 1b\n")
    return _pair(machine, place, pal, image)


def _pair(machine: Machine, place: Path, pal: Path, image: Path, *items: str) -> str:
    """Two nodes with the same image."""
    (place / "machine.json").write_text(machine.to_json())
    words = [models.build("mcpi-exact"), "run", "--out", place, "--machine", place / "machine.json"]
    given = [f"pal={pal}", f"image={image}", *items]
    words += [word for n in (0, 1) for item in given for word in ("--node", f"{n}:{item}")]
    run(*words, "--max-ticks", 60_000_000)
    return digest(*(place / name for name in RECORD))


def enables(machine: Machine, place: Path) -> str:
    """A write to the LANCE's CSR0 that the two chips take differently."""
    pal = guest("pal", place, PAL_BASE)
    return _pair(machine, place, pal, guest("enables", place, text=START + ENABLES))


def multiplies(machine: Machine, place: Path) -> str:
    """A program of MULLs."""
    if "multiplies" not in _built:
        (place / "multiplies.c").write_text(MULTIPLIES)
        spec = ProgramSpec((str(place / "multiplies.c"),))
        _built["multiplies"] = programs.prepare(spec, spec.check(), place / "run", Silent())
    made = _built["multiplies"]
    return _pair(machine, place, made.pal, made.sides[0].elf)


def apart(machine: Machine, place: Path) -> str:
    """Loads that meet in a b-cache, as it is small, in turn."""
    pal = guest("pal", place, PAL_BASE)
    return _pair(machine, place, pal, guest("apart", place, text=START + APART))


def mapped(machine: Machine, place: Path) -> str:
    """A random program in address spaces of its own; ticks and what it prints."""
    (place / "machine.json").write_text(machine.to_json())
    pal = images.build(images.plan(machine, "std", "hello")).pal
    elf = Program(1, machine).build(place)
    words = ["--machine", place / "machine.json", "--pal", pal, "--image", elf]
    log = place / "ticks.csv"
    done = run(models.build("mcpi-exact"), *words, "--phase", 5000, "--tick-log", log)
    return digest(log) + hashlib.sha256(done.stdout).hexdigest()


def cores(machine: Machine, place: Path, *switches: str, kind: int = 1) -> str:
    """Processors that count under one kind of lock."""
    (place / "machine.json").write_text(machine.to_json())
    made = images.build(parallel.plan(machine, parallel.Wanted("mpcount", switches=switches)))
    words = ["--machine", place / "machine.json", "--pal", made.pal, "--image", made.image]
    boot = {"round_trips": 20, "seed": 1, "role": kind}
    words += [word for k, v in boot.items() for word in ("--boot", f"{k}={v}")]
    run(models.build("mcpi-exact"), *words, "--out", place, "--max-ticks", 20_000_000)
    return digest(*sorted(place.glob("*.csv")), place / "counters.json")


def sync(machine: Machine, place: Path) -> str:
    """Processors that count under a lock of the sync bus."""
    return cores(machine, place, "XK_MP_SYNC=1", kind=7)


def header(machine: Machine, place: Path) -> str:
    """The header that the firmware is compiled with."""
    return c_header.header(machine)


def cable(machine: Machine, place: Path) -> str:
    """The mode that the host program asks of a board's PHY."""
    return str(ethernet_phy.Mode.of(machine))


def board(machine: Machine, place: Path) -> str:
    """The refusal of a clock that a board does not hold."""
    try:
        boards.load("colorlight-i9").check_real_time(machine)
    except UserError as error:
        return str(error)
    return "any clock"


@dataclass(frozen=True)
class Acts:
    """A machine on which a parameter acts, and what shows it."""

    shows: Callable[[Machine, Path], str] = trip
    machine: str = "dec3000-600"
    settings: Settings = field(default_factory=dict)


SMALL = {"tlb.data_entries": "4", "tlb.instruction_entries": "4"}
TWO = {"core.count": "2"}
COHERENT = {key for key, row in SCHEMA.items() if row.get("when") == "bcache.private"}
ACTS = {key: Acts() for key in SCHEMA} | {
    "clock.real_time": Acts(board, "dec3000-35"),
    "core.count": Acts(cores, "dec3000-mp", TWO),
    "core.predicted_penalty": Acts(settings={"core.prediction": "ev4"}),
    "core.mispredict_penalty": Acts(settings={"core.prediction": "ev4"}),
    "core.multiply_long": Acts(multiplies),
    "icache.victim_ticks": Acts(settings={"icache.victims": "4"}),
    "dcache.victim_ticks": Acts(settings={"dcache.victims": "4"}),
    "dcache.dirty_ticks": Acts(settings={"dcache.policy": "back"}),
    "turbochannel.timeout_cycles": Acts(empty_slot),
    "bcache.size": Acts(apart),
    "link.mbps": Acts(settings={"lance.profile": "ideal"}),
    "lance.silo_bytes": Acts(settings={"lance.profile": "ideal"}),
    "link.autonegotiation": Acts(cable),
    "lance.chip": Acts(enables),
    "lance.classifier": Acts(header),
    **{key: Acts(mapped, "dec3000-tlb", SMALL) for key in SCHEMA if key.startswith("tlb.")},
    "tlb.page": Acts(mapped, "dec3000-tlb", {"dcache.size": "4KB"}),
    **{key: Acts(cores, "dec3000-mp", TWO) for key in COHERENT},
    "bus.request_ticks": Acts(
        cores, "dec3000-mp", TWO | {"bus.outstanding": "8", "bus.data_ticks": "1"}
    ),
    "bcache.private": Acts(header, "dec3000-mp", {"core.count": "1"}),
    "sync.bus": Acts(header, "power-series-33"),
    "sync.ticks": Acts(sync, "power-series-33", TWO),
}
# How each condition of `acts_if` is broken: a machine, settings, and what is known of the run.
BROKEN: dict[str, tuple[str, Settings, Settings]] = {
    "engine = board": ("dec3000-600", {}, {"engine": "exact"}),
    "code = mapped": ("dec3000-tlb", {}, {"code": "kseg"}),
    "core.translation = tlb": ("dec3000-600", {}, {}),
    "core.prediction = paper": ("dec3000-600", {"core.prediction": "ev4"}, {}),
    "core.prediction = ev4": ("dec3000-600", {}, {}),
    "core.count > 1": ("dec3000-mp", {"core.count": "1"}, {}),
    "icache.enable = on": ("dec3000-600", {"icache.enable": "off"}, {}),
    "icache.victims > 0": ("dec3000-600", {}, {}),
    "dcache.enable = on": ("dec3000-600", {"dcache.enable": "off"}, {}),
    "dcache.victims > 0": ("dec3000-600", {}, {}),
    "dcache.policy = back": ("dec3000-600", {}, {}),
    "dcache.policy = through": ("dec3000-600", {"dcache.policy": "back"}, {}),
    "write_buffer.enable = on": ("dec3000-600", {"write_buffer.enable": "off"}, {}),
    "write_buffer.drain_at <= write_buffer.entries": (
        "dec3000-600",
        {"write_buffer.entries": "2", "write_buffer.drain_at": "3"},
        {},
    ),
    "bcache.enable = on": ("dec3000-600", {"bcache.enable": "off"}, {}),
    "memory.ideal = off": ("dec3000-600", {"memory.ideal": "on"}, {}),
    "lance.wiring != pmad": ("dec3000-pmad", {}, {}),
    "lance.profile = am7990": ("dec3000-600", {"lance.profile": "ideal"}, {}),
}


def text(value: object) -> str:
    """A value as one types it."""
    return ("off", "on")[value] if isinstance(value, bool) else str(value)


# Where the number after the least is not to be had, or does as the least does.
NEXT = {"clock.ticks_per_us": 15, "tlb.refill_floor": 400}
NEXT |= {key: row["range"][0] + 1000 for key, row in SCHEMA.items() if key.endswith("_ns")}
NEXT["lance.poll_ns"] = 100_000


def values(key: str) -> list[str]:
    """The kinds of value that a parameter may have: of a number the least, the next and the most,
    of a switch both, of a choice each."""
    row = SCHEMA[key]
    found = row.get("only") or row.get("choices") or (False, True)
    if "range" in row and "only" not in row:
        low, high = row["range"]
        found = (low, NEXT.get(key, min(high, 2 * low if row.get("rule") else low + 1)), high)
    return list(dict.fromkeys(text(value) for value in found))
