# SPDX-License-Identifier: BSD-2-Clause
"""When a message comes to each step on its way to the reader: one boot of each structure, whose
functions are followed as they are entered. Ticks after the last bit of the message."""

import csv
import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from elftools.elf.elffile import ELFFile

from mcpi.base.errors import RunError
from mcpi.base.progress import Bar
from mcpi.studies.tr9304 import frames
from mcpi.studies.tr9304.bench import Bench
from mcpi.studies.tr9304.cells import WORDS
from mcpi.studies.tr9304.plan import LARGE, SYSTEMS, TITLES, WARMUP, Configuration
from mcpi.studies.tr9304.probes import PROBES
from mcpi.studies.tr9304.run import FIRST_TICK, Run
from mcpi.study.cell import Cell, Row, Table
from mcpi.study.measured import Measured

FOLLOWED = tuple(Configuration(system, LARGE) for system in SYSTEMS)
PHYSICAL = (1 << 34) - 1
GAP_BITS = 96  # of a frame's, after its last bit
_BSDNET = {"IP": "ip_input", "whole": "udp_input", "queued": "socket_append"}
# Before the probes the last frame's, by structure; and after them.
_DRIVER = {"interrupt": "lance_interrupt", "frame handed up": "shepherd_deliver"}
BEFORE = {
    "bsd": _DRIVER | {"into mbufs": "driver_copy"} | _BSDNET,
    "hpux": _DRIVER | {"into mbufs": "driver_filled"} | _BSDNET,
    "mach": _DRIVER | {"into mbufs": "driver_copy"} | _BSDNET,
    "xkernel": _DRIVER | {"IP": "ip_demux", "whole": "udp_demux", "queued": "demux"},
}
FIRST_PROBE, LAST_PROBE = "first probe begins", "last probe has ended"
AFTER = {"reader asks for the next": "user_receive"}


@dataclass(frozen=True)
class Followed(Run):
    """A run that writes down when its functions are entered."""

    @property
    def functions(self) -> dict[str, str]:
        return BEFORE[self.configuration.structure] | AFTER

    def prepare(self, folder: Path) -> list[str]:
        words = super().prepare(folder)
        text = "".join(f"{place:#x}\n" for place in self.places())
        (folder / "places.txt").write_text(text)
        return [*words, "--node", f"0:calls={folder / 'places.txt'}"]

    def places(self) -> dict[int, str]:
        """The step of each function's address. RunError for one that no image has."""
        found = symbols(sorted(self.images[0].folder.glob("*.elf")), self.functions.values())
        return {found[name] & PHYSICAL: step for step, name in self.functions.items()}

    def record(self, folder: Path) -> dict:
        """Median ticks of each step, over the messages after the warm-up."""
        entered: dict[str, list[int]] = {step: [] for step in self.functions}
        places = self.places()
        with (folder / "calls.0.csv").open() as file:
            for row in csv.DictReader(file):
                entered[places[int(row["pc"], 16)]].append(int(row["tick"]))
        probes = _probes((folder / "stamps.csv").read_text())
        if len(probes) != self.messages + WARMUP:
            raise RunError(f"{self.name}: a message was lost; steps want all of them.")
        per_us = self.machine.parameters["clock.ticks_per_us"]
        message = frames.message_ticks(self.machine)
        period = message + int(self.configuration.gap * 1000 * per_us)
        gap = GAP_BITS * per_us // self.machine.parameters["link.mbps"]
        last = [FIRST_TICK + n * period + message - gap for n in range(len(probes))]
        return of(entered, last[WARMUP:], probes[WARMUP:])


def _probes(stamps: str) -> list[tuple[int, int]]:
    """Of each message the tick in which its first probe begins, and its last one's loads end."""
    rows = [r for r in csv.DictReader(stamps.splitlines()) if r["node"] == "0"]
    opened = [int(r["tick"]) for r in rows if r["stamp"] == "probe_open"]
    closed = [int(r["tick"]) for r in rows if r["stamp"] == "probe_close"]
    return list(zip(opened[::PROBES], closed[PROBES - 1 :: PROBES]))


def of(
    entered: dict[str, list[int]], last: list[int], probes: list[tuple[int, int]]
) -> dict[str, float]:
    """By step the median of ticks after ``last``, the tick of a message's last bit: of the last
    entry before the message's first probe, or of the first one after its last."""
    found = {
        step: [max((t for t in ticks if t <= first), default=0) for first, _ in probes]
        for step, ticks in entered.items()
        if step not in AFTER
    }
    found |= {FIRST_PROBE: [a for a, _ in probes], LAST_PROBE: [b for _, b in probes]}
    found |= {
        step: [min((t for t in entered[step] if t >= end), default=end) for _, end in probes]
        for step in AFTER
    }
    return {
        step: median(t - at for t, at in zip(ticks, last, strict=True))
        for step, ticks in found.items()
    }


def symbols(files: Iterable[Path], names: Iterable[str]) -> dict[str, int]:
    """Addresses of functions. RunError for one that is in none of the files, or in several."""
    wanted, found = set(names), {}
    for path in files:
        with path.open("rb") as file:
            table = ELFFile(file).get_section_by_name(".symtab")
            for symbol in table.iter_symbols() if table else ():
                if symbol.name in wanted and symbol["st_info"]["type"] == "STT_FUNC":
                    if symbol.name in found:
                        raise RunError(f"{path}: a second function {symbol.name}.")
                    found[symbol.name] = symbol["st_value"]
    if missing := wanted - found.keys():
        raise RunError(f"no function {', '.join(sorted(missing))} in the image: was it inlined?")
    return found


def measured(wanted: list[Configuration], bench: Bench, bar: Bar) -> dict[str, dict[str, float]]:
    """By structure; of the configurations that are followed."""
    there = [c for c in FOLLOWED if c in wanted]
    found = {}
    with bar.task("steps", len(there)) as update:
        for n, c in enumerate(there, 1):
            [run] = bench.runs(c, 1, bench.extent.round_trips)
            own = {field.name: getattr(run, field.name) for field in dataclasses.fields(Run)}
            found[c.structure] = Followed(**own).done(bench.out / "steps", bench.stop)
            update(n, len(there), c.structure)
    return found


def table(study: Measured) -> Table:
    rows = []
    steps = study.record.get("steps", {})
    for system, found in steps.items():
        before = 0.0
        for step, ticks in found.items():
            cells = {"after": Cell(ticks), "since": Cell(ticks - before)}
            rows.append(Row((TITLES[system], step), cells))
            before = ticks
    return WORDS.table("steps", rows)
