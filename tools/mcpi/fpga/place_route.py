# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi board build``: a board's top through yosys, nextpnr and ecppack.

Kept in ``build/boards/<digest of Verilog, pins, tools>/``: an interrupted build goes on, a repeated
one only prints. The bitstream is that of the first seed that meets every clock, or, where the user
says how many there are to be, of the fastest.
"""

import hashlib
import json
import math
import re
import shutil
import statistics
import time
from collections import Counter
from dataclasses import asdict, astuple, dataclass
from pathlib import Path

from mcpi.base import staging, yosys
from mcpi.base.errors import RunError
from mcpi.base.file_lock import hold
from mcpi.base.progress import Bar
from mcpi.base.repo import BUILD
from mcpi.fpga import block_rams, bram_image, builds, crossings, nextpnr
from mcpi.fpga import pins as board_pins
from mcpi.fpga.nextpnr import Longest
from mcpi.fpga.pace import UNMEASURED, Pace, held, words
from mcpi.hdl import blocks, cocotb_run
from mcpi.machine import profile, reserved_luts
from mcpi.machine.boards import Board

DEPTH = 5000  # asked of abc9, deeper than for the core alone: a node has more in a row
SYNTHESIS = (
    f"read_verilog top.v; proc -norom; scratchpad -set abc9.D {DEPTH}; synth_ecp5 -top {{top}}; "
)
_SYNTHESIS = SYNTHESIS + "write_json netlist.new"
ROUTER = "router1"
WEIGHT = 500  # of a path's time against the length of wires, for the placer, whose own is 10
MOST_SEEDS = 5  # tried one after the other, if the user does not say how many


@dataclass(frozen=True)
class Netlist:
    """Netlist that yosys made of a board's top. ``cells``: by block (synthesis.md), then type;
    ``spare``: LUTs kept empty (mcpi.machine.reserved_luts)."""

    board: Board
    folder: Path
    cells: dict[str, dict[str, int]]
    spare: int


@dataclass(frozen=True)
class Clock:
    """A clock of a routed design, MHz."""

    name: str
    wanted: float
    achieved: float
    path: Longest | None  # what stands in its way

    @property
    def margin(self) -> float:
        return self.achieved - self.wanted


@dataclass(frozen=True)
class Routed:
    """Result of a seed."""

    seed: int
    seconds: float
    clocks: tuple[Clock, ...]
    used: dict[str, tuple[int, int]]

    def node(self, board: Board) -> Clock:
        return node(self.clocks, board)


def node(clocks: tuple[Clock, ...], board: Board) -> Clock:
    """The node's clock: the slowest of those that want what board.toml says."""
    own = [c for c in clocks if abs(c.wanted - board.clock_mhz) < 0.01]
    if not own:
        raise RunError(f"nextpnr reports no clock of {board.clock_mhz:.2f} MHz.")
    return min(own, key=lambda clock: clock.achieved)


def ready(board: Board, name: str, settings: dict[str, str]) -> None:
    """UserError for what would end a build after minutes: a tool, the pin file, the machine or its
    size."""
    machine = profile.load(name, settings)
    machine.check_acts(settings, engine="board")
    blocks.check(board.top, machine)
    board.check_real_time(machine)
    for tool in (yosys.YOSYS, yosys.NEXTPNR):
        yosys.command(tool)
    board_pins.read(board.pins)
    verilog = elaborate(board, name, settings)
    block_rams.check(board, name, block_rams.of(verilog.read_text(), board.top))


def elaborate(board: Board, name: str, settings: dict[str, str]) -> Path:
    """The top's Verilog, its ports checked against the pins."""
    settings = profile.load(name, settings).shape
    try:
        verilog = cocotb_run.elaborate(board.top, name, settings)
    except RuntimeError as error:
        raise RunError(str(error)) from None
    board_pins.check(board.pins, verilog.read_text(), board.top)
    return verilog


def place(board: Board, verilog: Path) -> Path:
    """The folder of what is built of it."""
    how = f"{_SYNTHESIS} {yosys.version(yosys.YOSYS)} {board.device}"
    how += f" {board.spare} {reserved_luts.WHOLE} {board.embed}"
    digest = hashlib.sha256(verilog.read_bytes() + how.encode() + board.pins.read_bytes())
    return BUILD / "boards" / f"{board.name}-{digest.hexdigest()[:16]}"


def synthesise(board: Board, verilog: Path) -> Netlist:
    """``synth_ecp5``; some minutes, or nothing if it was done before."""
    folder = place(board, verilog)
    with hold(folder.with_suffix(".lock"), f"builds {board.name}"):
        if not (folder / "cells.json").exists():
            folder.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(verilog, folder / "top.v")
            shutil.copyfile(verilog.with_name("Node.json"), folder / "Node.json")
            shutil.copyfile(board.pins, folder / "pins.lpf")
            crossings.check(verilog, board.top, folder)
            script = _SYNTHESIS.format(top=board.top)
            began = time.monotonic()
            yosys.run(yosys.YOSYS, ["-q", "-l", "yosys.log", "-p", script], folder, "yosys.out")
            made = json.loads((folder / "netlist.new").read_text())
            found = {"cells": by_block(made, board.top)}
            found["spare"] = reserved_luts.leave(made, board.top, board.device[0], board.spare)
            if board.embed:
                numbered = bram_image.number(made["modules"][board.top]["cells"])
                found["embed"] = [astuple(part) for part in numbered]
            (folder / "netlist.new").write_text(json.dumps(made))
            (folder / "netlist.new").rename(folder / "netlist.json")
            found["seconds"] = round(time.monotonic() - began, 1)
            staging.write(folder / "cells.json", json.dumps(found, indent=1))
    found = json.loads((folder / "cells.json").read_text())
    return Netlist(board, folder, found["cells"], found["spare"])


# Where a cell belongs, by the beginning of its name in the flattened netlist; first match counts.
BLOCKS = (
    ("core", r"node\.core"),
    ("counters", r"node\.(counters|gate|cold|measure)"),
    ("b-cache tags", r"node\.memory\.tags"),
    ("memory system", r"node\.(memory|ram|merge|governor)"),
    ("LANCE and wiring", r"node\.lance"),
    ("TURBOchannel", r"node\.turbochannel"),
    ("host link, registers, console", r"node\.(link|registers|console|system|timer|decoder)"),
    ("gateway and PHY adapter", r"gateway|adapter|phy_[rt]x\w*"),
    ("page map", r"map"),
    ("board RAM", r"ram|sdram|io_blocks|chipClock"),
    ("serial line, board registers", r"line|registers|phy_"),
)


def block_of(cell: str) -> str:
    """The block a flattened cell belongs to."""
    name = re.sub(r"^(area_)?inner\.", "", cell.removeprefix("\\"))
    name = re.sub(r"^area_", "", name)
    name = re.sub(r"_\d+(?=[._]|$)", "", name)  # SpinalHDL's numbers: node_1, registers_1_io_x
    for block, start in BLOCKS:
        if re.match(rf"(?:{start})(?:\b|_)", name):
            return block
    return "the rest"


def by_block(netlist: dict, top: str) -> dict[str, dict[str, int]]:
    """Cells by block and type; synchronisers are modules of their own, kept so by SpinalHDL."""
    found: dict[str, Counter] = {}
    modules = netlist["modules"]
    for name, cell in modules[top]["cells"].items():
        inner = modules.get(cell["type"], {"attributes": {"blackbox": 1}})
        boxed = {"blackbox", "whitebox", "lib_whitebox"} & set(inner["attributes"])
        kinds = [cell["type"]] if boxed else [c["type"] for c in inner["cells"].values()]
        found.setdefault(block_of(name), Counter()).update(
            kind for kind in kinds if not kind.startswith("$scopeinfo")
        )
    return {block: dict(cells) for block, cells in sorted(found.items())}


def route_until_met(netlist: Netlist, jobs: int, bar: Bar) -> list[Routed]:
    """Place and route with more seeds, ``jobs`` of them at a time, until one meets every clock."""
    for seeds in range(jobs, MOST_SEEDS + jobs, jobs):
        runs = route(netlist, min(seeds, MOST_SEEDS), jobs, bar)
        for number, run in enumerate(runs, 1):
            if not missed(run, netlist.board):
                return runs[:number]
    return runs


def route(netlist: Netlist, seeds: int, jobs: int, bar: Bar) -> list[Routed]:
    """Place and route with so many seeds, ``jobs`` at a time."""
    wanted = range(1, seeds + 1)

    def words(seed: int) -> list[str]:
        board = netlist.board
        own = [*board.device, "--package", board.package, "--speed", str(board.speed)]
        own += ["--lpf", "pins.lpf", "--seed", str(seed), "--router", ROUTER]
        own += ["--placer-heap-timingweight", str(WEIGHT)]
        return [*own, "--textcfg", f"{_stem(seed)}.config", "--log", f"{_stem(seed)}.log"]

    def report(seed: int) -> Path:
        return netlist.folder / f"{_stem(seed)}.json"

    name = netlist.board.name
    nextpnr.place_and_route(netlist.folder, name, wanted, report, words, jobs, bar)
    return [parse(seed, json.loads(report(seed).read_text()), netlist.spare) for seed in wanted]


def _stem(seed: int) -> str:
    return f"seed{seed}-{ROUTER}-{WEIGHT}-nextpnr-{yosys.version(yosys.NEXTPNR)}"


def clocks(report: dict) -> tuple[Clock, ...]:
    return tuple(
        Clock(_clock_name(name), row["constraint"], row["achieved"], nextpnr.longest(report, name))
        for name, row in sorted(report["fmax"].items())
    )


def parse(seed: int, report: dict, empty: int = 0) -> Routed:
    """A nextpnr report as figures; ``empty``: LUTs in it that are kept empty."""
    used = {
        name: (row["used"] - (empty if name == "TRELLIS_COMB" else 0), row["available"])
        for name, row in report["utilization"].items()
    }
    return Routed(
        seed=seed,
        seconds=report.get("mcpi_seconds", 0.0),
        clocks=clocks(report),
        used=used,
    )


def _clock_name(name: str) -> str:
    return name.removeprefix("$glbnet$").removesuffix("$TRELLIS_IO_IN")


def pack(netlist: Netlist, seed: int) -> Path:
    """The bitstream of a seed."""
    bitstream = netlist.folder / f"{_stem(seed)}.bit"
    if not bitstream.exists():
        packed(netlist.board, netlist.folder / f"{_stem(seed)}.config", bitstream)
    return bitstream


def packed(board: Board, config: Path, bitstream: Path) -> None:
    """``config`` through ecppack; both in one folder."""
    words = ["--compress"]
    words += ["--idcode", board.idcode] if board.idcode else []
    words += [config.name, f"{bitstream.name}.new"]
    yosys.run("yowasp-ecppack", words, config.parent, f"{config.stem}.ecppack.log")
    bitstream.with_name(f"{bitstream.name}.new").rename(bitstream)


def fastest(runs: list[Routed], board: Board) -> Routed:
    """By the node's clock."""
    return max(runs, key=lambda run: run.node(board).achieved)


@dataclass(frozen=True)
class Missed:
    """A clock that a seed does not reach."""

    seed: int
    clock: Clock

    def words(self, board: Board, seeds: int) -> str:
        """Message that says what is wrong, where, and what to type."""
        wanted, achieved = self.clock.wanted, self.clock.achieved
        path = self.clock.path.words() if self.clock.path else "nextpnr names no path"
        said = (
            f"{board.title}: the clock {self.clock.name} is not met: {wanted:.1f} MHz wanted, "
            f"seed {self.seed} reaches {achieved:.1f}, slack {1e3 / wanted - 1e3 / achieved:.2f} "
            f"ns. In the way: {path}. No bitstream was made. For other placements type: "
            f"./mcpi board build {board.name} --seeds {seeds + 4}"
        )
        if abs(wanted - board.clock_mhz) > 0.01:
            return said
        divider = math.ceil(board.vco_mhz / achieved)
        return (
            f"{said}   Or set clock_divider = {divider} ({board.vco_mhz / divider:.1f} MHz) in "
            f"boards/{board.name}/board.toml."
        )


def missed(run: Routed, board: Board) -> Missed | None:
    """The first clock that ``run`` does not meet, the node's before others."""
    own = run.node(board)
    for clock in (own, *run.clocks):
        if clock.margin < 0:
            return Missed(run.seed, clock)
    return None


def build(
    board: Board,
    name: str,
    settings: dict[str, str],
    seeds: int | None,
    jobs: int,
    paces: list[Pace],
    as_json: bool,
) -> dict:
    """Everything; returns the record. ``seeds``: placements; None: until one meets every clock.

    RunError if none does.
    """
    with Bar() as bar:
        with bar.task("elaborate", 1) as update:
            update(0, 1, board.top)
            verilog = elaborate(board, name, settings)
        with bar.task("synthesis", 1) as update:
            update(0, 1, "yosys: some minutes")
            netlist = synthesise(board, verilog)
        if seeds:
            runs = route(netlist, seeds, jobs, bar)
        else:
            runs = route_until_met(netlist, jobs, bar)
        meets = [run for run in runs if not missed(run, board)]
        best = fastest(meets or runs, board)
        if lacks := missed(best, board):
            raise RunError(lacks.words(board, len(runs)))
        with bar.task("bitstream", 1) as update:
            update(0, 1, "ecppack")
            bitstream = pack(netlist, best.seed)
    found = {
        "board": board.name,
        "machine": name,
        "settings": settings,
        "bitstream": str(bitstream),
        "rtl_digest": json.loads((netlist.folder / "Node.json").read_text())["rtl_digest"],
        "median_mhz": statistics.median(run.node(board).achieved for run in runs),
        "wanted_mhz": board.clock_mhz,
        "paces": [asdict(pace) for pace in paces],
        "ticks_per_second": round(held(board, paces) * 1e6) if paces else None,
        "cells": netlist.cells,
        "runs": [asdict(run) for run in runs],
        "tools": {t: yosys.version(t) for t in (yosys.YOSYS, yosys.NEXTPNR)},
    }
    staging.write(netlist.folder / builds.RECORD, json.dumps(found, indent=1) + "\n")
    if as_json:
        print(json.dumps(found, indent=1))
    else:
        from mcpi.fpga import table as board_table

        board_table.show(board, netlist, runs, best, bitstream)
        print(words(board, paces) if paces else UNMEASURED)
    return found
