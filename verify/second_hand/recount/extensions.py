# SPDX-License-Identifier: BSD-2-Clause
"""Tables of the study of extensions (docs/explanation/extensions.md), of its planned runs. Searched
layouts and prices of moved code come of no planned run, and are not here."""

import re
import statistics
from collections.abc import Callable
from pathlib import Path

from verify.second_hand.recount import claims, raw
from verify.second_hand.recount.claims import Figures, Missing
from verify.second_hand.recount.raw import Row, Tables
from verify.second_hand.recount.run import WORDS, Run
from verify.second_hand.recount.sigcomm96 import orders_below

MACHINES = ("dec3000-600", "alpha-300")
CONNECTIONS = ("1", "8", "64")
CLONED = ("tcp", "rpc")
COPIES = ("pin", "all", "fast", "shared", "specialised")
STACKS = ("tcp", "rpc", "bsd")
OUTLINED = ("std", "out", "auto", "tsp", "stale")
WIRES = ("10", "100")
RECOGNISED = ("pin", "all", "fast")
WAYS = ("none", "software", "controller")
DATA = ("d_miss", "memory_port", "write_buffer_full")
USUAL = "default"
MADE = re.compile(r"^own code: (\d+) made in (\d+) ticks", re.M)
ELSEWHERE = ("again", "request", "place", "over_rules", "worst_over_std", "place_again")


def run(root: Path, name: str, order: str = USUAL) -> Run:
    place = root / f"{name}-{order}"
    if not place.is_dir():
        raise Missing
    return Run(place, next(m for m in MACHINES if m in name))


def clone(root: Path, where: str, version: str, order: str = USUAL) -> Run:
    """A version with so many connections; ``where``: machine, stack and number."""
    return run(root, f"{where.replace(' ', '-')}-{version}", order)


def outlined(root: Path, where: str, version: str, order: str = USUAL) -> Run:
    """A version of a stack; ``where``: machine and stack."""
    return run(root, f"blocks-{where.replace(' ', '-')}-{version}", order)


def recognised(root: Path, where: str, version: str, way: str, order: str = USUAL) -> Run:
    """A version whose frames are recognised in a way; ``where``: machine, stack, Mb/s."""
    return run(root, f"classifier-{where.replace(' ', '-')}-{version}-{way}", order)


def each_copy(one: Run) -> float:
    """Ticks that a copy took, by the client's own words."""
    number, ticks = MADE.search((one.place / "console.0.txt").read_text()).groups()
    return int(ticks) / int(number)


def unused(one: Run) -> float:
    """Per cent of the words of the fetched blocks of the path that were not executed."""
    words = one.path["fetch.blocks"] * WORDS
    return 100 - 100 * one.path["fetch.words"] / words


def figures(root: Path, order: str = USUAL) -> Figures:
    def gain(where: str) -> float:
        return ticks(clone, where, "shared") - ticks(clone, where, "specialised")

    def ticks(of: Callable[..., Run], where: str, version: str) -> float:
        return of(root, where, version, order).each("ticks")

    def ratio(where: str, one: str, other: str) -> float:
        return ticks(outlined, where, one) / ticks(outlined, where, other)

    def taken(where: str, one: str, other: str) -> float:
        a, b = (outlined(root, where, v, order).each("taken_branches") for v in (one, other))
        return a / b

    def saved(where: str) -> float:
        a, b = (clone(root, where, v, order).length for v in ("shared", "specialised"))
        return a - b

    def over_one(where: str) -> float:
        one = " ".join([*where.split()[:2], "1"])
        return ticks(clone, where, "shared") / ticks(clone, one, "shared")

    def less(of: Callable[[Run], float]) -> Callable[..., float]:
        def difference(where: str, version: str, one: str, other: str) -> float:
            a, b = (of(recognised(root, where, version, way, order)) for way in (one, other))
            return a - b

        return difference

    def nothing(*_: str) -> float:
        raise Missing

    return dict.fromkeys(ELSEWHERE, nothing) | {
        "copy_ticks": lambda where: each_copy(clone(root, where, "specialised", order)),
        "gain": gain,
        "instructions": saved,
        "path_instructions": less(lambda one: one.length),
        "path_round_trip": less(lambda one: one.te),
        "path_time": less(lambda one: one.tp),
        "shared_ratio": over_one,
        "taken": taken,
        "time": ratio,
        "tp_ratio": lambda w: ticks(clone, w, "specialised") / ticks(clone, w, "shared"),
    }


class Over:
    """Figures over the link orders of the runs below a folder."""

    def __init__(self, root: Path) -> None:
        self.samples = [figures(root, order) for order in orders_below(root)]

    def values(self, figure: str, *words: str) -> list[float]:
        return [one[figure](*words) for one in self.samples]

    def median(self, figure: str, *words: str) -> float:
        if figure != "break_even":
            return statistics.median(self.values(figure, *words))
        gain = self.median("gain", *words)
        if gain <= 0:
            raise Missing
        return self.median("copy_ticks", *words) / gain


def tables(root: Path) -> Tables:
    over = Over(root)
    samples = claims.Samples("link orders", over.samples)
    return {
        "claims": claims.claims("extensions", figures(root), samples),
        "predictions": predictions(over),
        "copies": copies(root),
        "orders": orders(over),
        "blocks": blocks(root, over),
        "classifier": classifier(root, over),
    }


def there(make: Callable[[], Row]) -> Row:
    """A row; empty if a run of it is missing."""
    try:
        return make()
    except Missing:
        return {}


def predictions(over: Over) -> dict:
    rows: dict = {}
    for line in raw.lines(claims.STUDIES / "extensions" / "predictions.csv"):
        least, most = float(line["least"]), float(line["most"])
        machine, of = line["stack"].split(maxsplit=1)
        row: Row = {"least": least, "most": most, "machine": machine, "of": of}
        row["rule"] = line["rule"]
        words = line["stack"], *line["versions"].split()
        if found := there(lambda figure=line["figure"], w=words: {"x": over.median(figure, *w)}):
            row["figure"] = found["x"]
            inside = least <= found["x"] <= most
            row["came out"] = "as predicted" if inside else "not as predicted"
        rows[claims.numbered((line["prediction"],), rows)] = row
    return rows


def copies(root: Path) -> dict:
    def row(where: str, version: str) -> Row:
        one = clone(root, where, version)
        found = common(one) | {"ticks": one.each("ticks"), "mean_us": one.te}
        found["d_ticks"] = one.each(*(f"owner.{name}" for name in DATA))
        return found | ({"copy_ticks": each_copy(one)} if version == "specialised" else {})

    rows = {
        (machine, stack.upper(), number, version.upper()): there(
            lambda w=f"{machine} {stack} {number}", v=version: row(w, v)
        )
        for machine in MACHINES
        for stack in CLONED
        for number in CONNECTIONS
        for version in COPIES
    }
    return {key: row for key, row in rows.items() if row}


def common(one: Run) -> Row:
    return {
        "instructions": one.length,
        "icache_misses": one.each("icache.misses"),
        "time_us": one.tp,
    }


def orders(over: Over) -> dict:
    def row(where: str) -> Row:
        ratios = over.values("tp_ratio", where)
        found = {"low": min(ratios), "high": max(ratios)}
        for key in ("tp_ratio", "gain", "copy_ticks"):
            found[key] = over.median(key, where)
        return found | there(lambda: {"break_even": over.median("break_even", where)})

    rows = {
        (m, s.upper(), n): there(lambda w=f"{m} {s} {n}": row(w))
        for m in MACHINES
        for s in CLONED
        for n in CONNECTIONS
    }
    return {key: row for key, row in rows.items() if row}


def blocks(root: Path, over: Over) -> dict:
    def row(where: str, version: str) -> Row:
        one = outlined(root, where, version)
        found = common(one) | {"taken": one.each("taken_branches"), "unused": unused(one)}

        def spread() -> Row:
            ratios = over.values("time", where, version, "out")
            median = statistics.median(ratios)
            return {"median": median, "low": min(ratios), "high": max(ratios)}

        return found | there(spread)

    rows = {
        (machine, stack.upper(), version.upper()): there(
            lambda w=f"{machine} {stack}", v=version: row(w, v)
        )
        for machine in MACHINES
        for stack in STACKS
        for version in OUTLINED
    }
    return {key: row for key, row in rows.items() if row}


def classifier(root: Path, over: Over) -> dict:
    def row(where: str, version: str, way: str) -> Row:
        one = recognised(root, where, version, way)
        found = {"instructions": one.length, "time_us": one.tp, "mean_us": one.te}
        if way == "software":
            return found
        late = over.values("path_round_trip", where, version, way, "software")
        return found | {"median": statistics.median(late), "low": min(late), "high": max(late)}

    rows = {
        (mbps, stack.upper(), version.upper(), way): there(
            lambda w=f"{MACHINES[0]} {stack} {mbps}", v=version, how=way: row(w, v, how)
        )
        for mbps in WIRES
        for stack in STACKS[:2]
        for version in RECOGNISED
        for way in WAYS
    }
    return {key: row for key, row in rows.items() if row}
