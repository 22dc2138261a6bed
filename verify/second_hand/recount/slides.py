# SPDX-License-Identifier: BSD-2-Clause
"""Tables of the slides' study (docs/explanation/slides.md)."""

from pathlib import Path

from verify.second_hand.recount import claims, raw, slides_claims
from verify.second_hand.recount.raw import Row, Tables
from verify.second_hand.recount.run import Placed, Run
from verify.second_hand.recount.sigcomm96 import TITLES, orders_below

MACHINES = ("dec3000-600", "alpha-265", "alpha-300", "alpha-300-16k")
OLD = MACHINES[0]
VERSIONS = ("original", "bad", "std", "out", "clo", "pin", "all", "fast")
ENDS = ("std", "all")
LATENCIES = ("bcache.read_ticks", "memory.read_ticks")
SETTINGS = ("icache.prefetch=off", "cache.block=16B", "cache.block=64B", "core.translation=tlb")
WIRES = ("10 am7990", "10 ideal", "100 ideal")


class Study:
    """The runs of the study below a folder."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def of(self, machine: str, stack: str, version: str) -> Run | None:
        place = self.root / f"{machine}-{stack}-{version}"
        return Run(place, machine) if place.is_dir() else None

    def wire(self, wire: str, stack: str, version: str) -> Run | None:
        """The old machine at a wire; its own is the first."""
        if wire == WIRES[0]:
            return self.of(OLD, stack, version)
        place = self.root / f"{wire.replace(' ', '-')}-{stack}-{version}"
        return Run(place, OLD) if place.is_dir() else None

    def orders(self, machine: str, stack: str, version: str) -> list[Run]:
        found = self.root.glob(f"{machine}-{stack}-{version}-shuffle-*")
        return [Run(place, machine) for place in sorted(found)]

    def varied(self, stack: str, version: str, key: str) -> dict[str, Run]:
        """The old machine with a parameter changed, by its value."""
        head = f"{stack}-{version}-{key}-"
        return {p.name.removeprefix(head): Run(p, OLD) for p in self.root.glob(f"{head}*")}


class InOrder(Study):
    """The runs of one link order."""

    def __init__(self, root: Path, order: str) -> None:
        super().__init__(root)
        self.order, self.usual = order, Study(root)

    def of(self, machine: str, stack: str, version: str) -> Run | None:
        usual = self.usual.of(machine, stack, version)
        return self._placed(f"{machine}-{stack}-{version}", machine, usual)

    def wire(self, wire: str, stack: str, version: str) -> Run | None:
        name = OLD if wire == WIRES[0] else wire.replace(" ", "-")
        usual = self.usual.wire(wire, stack, version)
        return self._placed(f"{name}-{stack}-{version}", OLD, usual)

    def _placed(self, name: str, machine: str, usual: Run | None) -> Run | None:
        place = self.root / f"{name}-{self.order}"
        return Placed(place, machine, usual) if usual and place.is_dir() else None

    def varied(self, stack: str, version: str, key: str) -> dict[str, Run]:
        found = {}
        for value in self.usual.varied(stack, version, key):
            place = self.root / f"{key}-{value}-{stack}-{version}-{self.order}"
            found |= {value: Run(place, OLD)} if place.is_dir() else {}
        return found


def tables(root: Path) -> Tables:
    study = Study(root)
    found = {"machines": machines(study), "cpi_owners": owners(study), "latency": latency(study)}
    found |= {"settings": settings(study), "wires": wires(study)}
    figures = slides_claims.of(study, line)
    orders = [slides_claims.of(InOrder(root, order), line) for order in orders_below(root)]
    found["claims"] = claims.claims("slides", figures, claims.Samples("link orders", orders))
    return found | {"predictions": claims.predictions("slides", figures)}


def machines(study: Study) -> dict:
    rows = {}
    for machine in MACHINES:
        for stack, title in TITLES.items():
            for version in VERSIONS:
                if run := study.of(machine, stack, version):
                    rows[machine, title, version.upper()] = _machine(run)
    return rows


def _machine(run: Run) -> Row:
    cold = raw.counts(run.place / "cold")
    return {
        "tp_us": run.tp,
        "ticks": run.each("ticks"),
        "instructions": run.length,
        "icpi": run.icpi,
        "mcpi": run.mcpi,
        "i_misses": run.each("icache.misses"),
        "b_misses": run.each("bcache.misses"),
        "cold_us": cold["ticks"] / cold["invocations"] / run.per_us,
        "te_us": run.te,
    }


def owners(study: Study) -> dict:
    """Ticks of an instruction by owner; columns of owners that no version has are left out."""
    rows = {}
    for machine in MACHINES:
        for stack, title in TITLES.items():
            for version in ENDS:
                if run := study.of(machine, stack, version):
                    rows[f"{machine}, {title}", version.upper()] = {
                        name.removeprefix("owner."): n / run.path["instructions"]
                        for name, n in run.path.items()
                        if name.startswith("owner.")
                    }
    seen = {owner for row in rows.values() for owner, n in row.items() if n}
    return {key: {k: v for k, v in row.items() if k in seen} for key, row in rows.items()}


def _line(points: list[tuple[float, float]]) -> tuple[float, float]:
    """Slope of the line of least squares, and how far its worst point lies off, per cent."""
    n = len(points)
    x, y = (sum(values) for values in zip(*points, strict=True))
    xx, xy = sum(a * a for a, _ in points), sum(a * b for a, b in points)
    slope = (n * xy - x * y) / (n * xx - x * x)
    start = (y - slope * x) / n
    return slope, max(100 * abs((start + slope * a) / b - 1) for a, b in points)


def line(study: Study, stack: str, version: str, key: str) -> tuple[float, float] | None:
    """Slope and worst point of T_p by a latency of the old machine, in ticks; None: not varied."""
    found = study.varied(stack, version, key)
    if not found:
        return None
    section, name = key.split(".")
    own = study.of(OLD, stack, version).each("ticks")
    points = [(float(raw.machine(OLD)[section][name]), own)]
    return _line(points + [(float(value), run.each("ticks")) for value, run in found.items()])


def latency(study: Study) -> dict:
    rows = {}
    for stack, title in TITLES.items():
        for version in ENDS:
            for key in LATENCIES:
                if found := line(study, stack, version, key):
                    row = dict(zip(("slope", "error"), found, strict=True))
                    rows[title, version.upper(), key] = row
    return rows


def settings(study: Study) -> dict:
    rows = {}
    for stack, title in TITLES.items():
        for version in ENDS:
            for setting in SETTINGS:
                key, value = setting.split("=")
                if run := study.varied(stack, version, key).get(value):
                    own = study.of(OLD, stack, version).sample_paths[0]
                    rows[title, version.upper(), setting] = {
                        "tp_us": run.tp,
                        "more": 100 * (run.tp - own) / own,
                    }
    return rows


def wires(study: Study) -> dict:
    rows = {}
    for wire in WIRES:
        for stack, title in TITLES.items():
            for version in ENDS:
                if run := study.wire(wire, stack, version):
                    rows[wire, title, version.upper()] = _wire(run)
    return rows


def _wire(run: Run) -> Row:
    parts = run.parts
    processing = sum(parts[k] for k in ("client_send_us", "server_us", "client_receive_us"))
    return {
        "te_us": run.te,
        "processing_us": processing,
        "wire_us": sum(run.wires),
        "controllers_us": parts["request_controller_us"] + parts["reply_controller_us"],
        "share": 100 * processing / run.te,
    }
