# SPDX-License-Identifier: BSD-2-Clause
"""The production stack and the x-kernel's TCP between Table 3's points (docs/explanation/bsd.md):
costs, owners, predictions."""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from verify.second_hand.recount import claims, debug, raw
from verify.second_hand.recount.claims import Figures, Missing, Samples, bound
from verify.second_hand.recount.raw import Row
from verify.second_hand.recount.run import UP, Run

TITLES = {"bsd": "Production", "tcp": "TCP/IP"}
OLD, NEW = "dec3000-600", "alpha-300"
PARTS = ("hold", "probe")  # windows: up to TCP's input, from there to the socket's
BESIDES = ("LOCKS=1", "CROSSING=1", "POLLUTER=4", "POLLUTER=8", "NEIGHBOURS=1", "HDRPRED=0")
ROWS = [(m, stack, v, "") for m in (OLD, NEW) for stack in TITLES for v in ("std", "out", "clo")]
ROWS += [(OLD, "bsd", "bad", ""), *((OLD, "bsd", "std", f"BSD_{more}") for more in BESIDES)]
ROWS += [
    (OLD, "bsd", "std", "BSD_ONE_WAY=1"),
    (OLD, "bsd", "std", "BSD_ONE_WAY=1 BSD_HDRPRED=0"),
    (OLD, "tcp", "std", "XK_TCP_HDRPRED=1"),
    (OLD, "tcp", "std", "XK_ONE_WAY=1"),
    (OLD, "tcp", "std", "XK_ONE_WAY=1 XK_TCP_HDRPRED=1"),
]
# The paper's figures, by their rows in the list of its text's numbers.
IN_TEXT = {"bsd": {"instructions": "s19", "cpi": "s21", "mcpi": "s92"}}
IN_TEXT["tcp"] = {"instructions": "s20", "cpi": "s22"}


@dataclass(frozen=True)
class Passage:
    """Counters of both parts of the way."""

    times: int
    count: Counter

    def each(self, name: str) -> float:
        return self.count[name] / self.times

    @property
    def cpi(self) -> float:
        return self.count["ticks"] / self.count["instructions"]

    @property
    def owners(self) -> Row:
        """Ticks of an instruction by owner."""
        owned = {k: n for k, n in self.count.items() if k.startswith("owner.") and n}
        assert sum(owned.values()) == self.count["ticks"]
        n = self.count["instructions"]
        return {name.removeprefix("owner."): ticks / n for name, ticks in owned.items()}


def passage(folder: Path) -> Passage:
    """Raises Missing if the run counted no such thing."""
    parts = raw.windows(folder, *PARTS) if folder.is_dir() else []
    if not parts or not all(part["invocations"] for part in parts):
        raise Missing
    together: Counter = Counter()
    for part in parts:
        together.update(part)
    return Passage(parts[0]["invocations"], together)


@dataclass(frozen=True)
class Both(Run):
    """A run that counts between the points."""

    stack: str = "bsd"

    @cached_property
    def steady(self) -> Passage:
        return passage(self.place)

    @cached_property
    def cold(self) -> Passage:
        return passage(self.place / "cold")

    @cached_property
    def icpi_between(self) -> float:
        return passage(self.place / "ideal").cpi

    @property
    def mcpi_between(self) -> float:
        return self.steady.cpi - self.icpi_between

    def way(self, part: int) -> int:
        """Instructions of the first or second part, cold; PALcode is none of them."""
        return self.between(*UP[self.stack][part : part + 2])

    @cached_property
    def checksum(self) -> int:
        """Instructions of ipintr for the header's checksum, which is in line."""
        image = self.place / "image.elf"
        [outer] = [s for s in raw.symbols(image) if s.function and s.name == "ipintr"]
        inner = debug.in_line(image, "ip_header_cksum") & set(
            range(outer.at, outer.at + outer.size)
        )
        if not inner:
            raise Missing
        return sum(pc in inner for pc in self.addresses)


class Cells:
    """The runs below a folder, of a link order if one is given."""

    def __init__(self, root: Path, order: str = "") -> None:
        self.root, self.order = root, order

    def __call__(self, stack: str, version: str, define: str = "", machine: str = OLD) -> Both:
        words = ("production", machine, stack, version, *define.split(), self.order)
        place = self.root / "-".join(filter(None, words))
        if not place.is_dir():
            raise Missing
        return Both(place, machine, stack)


def costs(cells: Cells) -> dict:
    rows = {}
    for machine, stack, version, define in ROWS:
        row: Row = {}
        if (machine, version, define) == (OLD, "std", ""):
            for column, name in IN_TEXT[stack].items():
                row[f"{column} paper"] = raw.paper("sigcomm96/text_numbers", "value", id=name)
        try:
            row |= _costs(cells(stack, version, define, machine))
        except Missing:
            pass
        if row:
            rows[machine, TITLES[stack], f"{version.upper()} {define}".strip()] = row
    return rows


def _costs(run: Both) -> Row:
    row: Row = {"tp_us": run.tp}
    try:
        row |= {name: run.steady.each(name) for name in ("instructions", "ticks")}
        row |= {"cpi": run.steady.cpi, "icpi": run.icpi_between, "mcpi": run.mcpi_between}
        row |= {"cold_ticks": run.cold.each("ticks"), "cold_cpi": run.cold.cpi}
    except Missing:
        pass
    return row


def owners(cells: Cells) -> dict:
    rows = {}
    for stack, title in TITLES.items():
        try:
            run = cells(stack, "std")
        except Missing:
            continue
        rows |= {(title, "steady"): run.steady.owners, (title, "cold"): run.cold.owners}
    return rows


def table3(cells: Cells) -> Row:
    """The column of the production stack, by the paper's rows."""
    try:
        run = cells("bsd", "std")
    except Missing:
        return {}
    return {
        "instructions executed in ipintr": run.itself("ipintr"),
        "instructions executed in tcp_input": run.itself("tcp_input"),
        "instructions between IP input and TCP input": run.way(0),
        "instructions between TCP input and socket input": run.way(1),
    }


def figures(cells: Cells) -> Figures:
    """Figures of claims and predictions by their names in the lists."""

    def both(stacks: str, version: str) -> list[Both]:
        return [cells(stack, version) for stack in stacks.split()]

    def over(get) -> float:
        """First stack over second."""

        def figure(stacks: str, version: str) -> float:
            first, second = both(stacks, version)
            return get(first) / get(second)

        return figure

    def more(get, define: str):
        """With a switch less without it."""
        return lambda stack, v: get(cells(stack, v, define)) - get(cells(stack, v))

    def cpi(run: Both) -> float:
        return run.steady.cpi

    def mcpi(run: Both) -> float:
        return run.mcpi_between

    def ticks(run: Both) -> float:
        return run.steady.each("ticks")

    def cpi_more(stacks: str, version: str) -> float:
        first, second = both(stacks, version)
        return first.steady.cpi - second.steady.cpi

    def in_input(stack: str, version: str, define: str = "") -> int:
        return cells(stack, version, define).itself("tcp_input")

    def one_way(stack: str, version: str) -> float:
        """Per cent that header prediction adds, data one way."""
        on, off = "BSD_ONE_WAY=1", "BSD_ONE_WAY=1 BSD_HDRPRED=0"
        return 100 * in_input(stack, version, on) / in_input(stack, version, off) - 100

    def tp_ratio(where: str, slow: str, fast: str) -> float:
        *machine, stack = where.split()
        runs = [cells(stack, version, "", *machine) for version in (slow, fast)]
        return runs[0].tp / runs[1].tp

    return {
        "cpi_more": cpi_more,
        "cpi_ratio": over(cpi),
        "crossing": more(lambda run: run.length, "BSD_CROSSING=1"),
        "hdrpred_both": lambda s, v: in_input(s, v) - in_input(s, v, "BSD_HDRPRED=0"),
        "hdrpred_one": one_way,
        "ip_checksum": lambda stack, version: cells(stack, version).checksum,
        "ip_ratio": over(lambda run: run.way(0)),
        "locks": more(cpi, "BSD_LOCKS=1"),
        "mcpi": lambda stack, version: cells(stack, version).mcpi_between,
        "mcpi_between_ratio": over(mcpi),
        "polluter_4k": more(mcpi, "BSD_POLLUTER=4"),
        "polluter_8k": more(mcpi, "BSD_POLLUTER=8"),
        "sum_ratio": over(lambda run: run.way(0) + run.way(1)),
        "tcp_ratio": over(lambda run: run.way(1)),
        "tick_ratio": over(ticks),
        "tick_ratio_orders": over(ticks),
        "ticks_less_percent": lambda *words: 100 - 100 / over(ticks)(*words),
        "tp_ratio": tp_ratio,
    }


COUNTED = ("ip_ratio", "tcp_ratio", "sum_ratio", "ip_checksum", "hdrpred_both", "hdrpred_one")


def predictions(usual: Figures, samples: Samples) -> dict:
    """Judged as claims are; what the cold invocation's instructions say has one sample."""
    rows: dict = {}
    for line in raw.lines(claims.STUDIES / "sigcomm96" / "predictions.csv"):
        row: dict = {"rule": line["rule"]}
        over = "one: counted" if line["figure"] in COUNTED else ""
        asked = line | {"above": line["least"], "below": line["most"], "over": over}
        if (ours := claims.value(asked, usual)) is not None:
            found = {"figure": ours} | claims.judged(asked, ours, samples)
            if word := found.pop("ours", None):
                row |= {"least": bound(line["least"]), "most": bound(line["most"])}
                row["came out"] = word
            row |= {k: n for k, n in found.items() if k != "over"}
        rows[claims.numbered((line["prediction"],), rows)] = row
    return rows
