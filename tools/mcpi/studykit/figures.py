# SPDX-License-Identifier: BSD-2-Clause
"""Data of the figures on a study's page, and the scripts that draw them. Vega-Lite's script is
copied from the installed package into the page.

In ``html/``, ``bars.json``, ``map.json`` and ``sets.json`` are the figures in Vega-Lite's language;
``figures.js`` gives them the rows of what is chosen.
"""

import json
from dataclasses import dataclass, field
from pathlib import Path

from mcpi.base import staging
from mcpi.base.repo import BUILD
from mcpi.batch.plan import ORDERS
from mcpi.results import causes
from mcpi.results.summary import OWNERS
from mcpi.studykit.measured import Measured

HERE = Path(__file__).parent / "html"
SPECS = ("bars", "map", "sets")
Owners = dict[str, float]  # µs by owner


@dataclass(frozen=True)
class Bar:
    """A version's bar: µs by part, the same in each of its link ``orders``, and the paper's sum."""

    parts: dict[str, float]
    orders: list[dict[str, float]]
    paper: float | None = None


@dataclass(frozen=True)
class Part:
    """A part of a round trip; parts of one ``group`` share a panel."""

    key: str
    title: str
    group: str
    colour: str


@dataclass(frozen=True)
class Figures:
    """Every field by stack, then by version. ``shown``: the version that the page begins with.
    ``path``: its parts are owners. ``functions``: µs by function and owner; ``function_orders``:
    the same in each of some link orders. ``maps``: the caches' (``mcpi.layout.map_data``)."""

    stacks: dict[str, str]
    versions: tuple[str, ...]
    base: str
    shown: str
    path: dict[str, dict[str, Bar]]
    parts: tuple[Part, ...] = ()
    trip: dict[str, dict[str, Bar]] = field(default_factory=dict)
    functions: dict[str, dict[str, dict[str, Owners]]] = field(default_factory=dict)
    function_orders: dict[str, dict[str, list[dict[str, Owners]]]] = field(default_factory=dict)
    maps: dict[str, dict[str, dict]] = field(default_factory=dict)

    def causes(self) -> list[dict]:
        """The causes that own anything, with their owners that do."""
        there = {o for s in self.path.values() for bar in s.values() for o, us in bar.parts.items()}
        found = []
        for cause in (*causes.CAUSES, causes.OTHER):
            own = [o for o in OWNERS if causes.of(o) is cause and o in there]
            owners = [{"key": o, "title": f"{OWNERS[o]} ({o})"} for o in own]
            if owners:
                found.append({"title": cause.title, "colour": cause.colour, "owners": owners})
        return found

    def profiled(self) -> int:
        """In how many link orders the functions were timed."""
        counts = (len(one) for s in self.function_orders.values() for one in s.values())
        return max(counts, default=0)

    def papers(self) -> bool:
        """Return true if the paper has any of the values."""
        figures = (self.path, self.trip)
        return any(bar.paper is not None for f in figures for s in f.values() for bar in s.values())

    def record(self) -> dict:
        """Data that the script reads."""
        return {
            "stacks": self.stacks,
            "versions": self.versions,
            "base": self.base,
            "shown": self.shown,
            "causes": self.causes(),
            "parts": [vars(part) for part in self.parts],
            "path": _bars(self.path, "owners"),
            "trip": _bars(self.trip, "parts"),
            "functions": self.functions,
            "functionOrders": self.function_orders,
            "maps": self.maps,
        }


def _bars(figure: dict[str, dict[str, Bar]], name: str) -> dict:
    return {
        stack: {
            version: {name: bar.parts, "orders": bar.orders, "paper": bar.paper}
            for version, bar in versions.items()
        }
        for stack, versions in figure.items()
    }


def orders(study: Measured, where: str, version: str) -> list[dict]:
    """The figures of a version in its link orders. ``where``: its key in results."""
    return list((study.of(ORDERS, where, version) or {}).values())


def path_bar(study: Measured, where: str, version: str, paper: float | None = None) -> Bar:
    """The client's path by owner, of a version that was measured."""
    result = study.result(where, version)
    per_us = result["round_trip"]["ticks_per_us"]

    def owners(ticks: dict[str, float]) -> dict[str, float]:
        return {owner: round(n / per_us, 4) for owner, n in ticks.items() if n}

    return Bar(
        owners(result["steady"]["client"]["owners"]),
        [owners(one["owners"]) for one in orders(study, where, version) if "owners" in one],
        paper,
    )


def specs() -> dict[str, dict]:
    """The figures in Vega-Lite's language, by name."""
    return {name: json.loads((HERE / f"{name}.json").read_text()) for name in SPECS}


def script() -> str:
    """Ours, which draws the figures."""
    return (HERE / "figures.js").read_text()


def sorting() -> str:
    """Ours, which sorts and unfolds tables."""
    return (HERE / "tables.js").read_text()


def library() -> str:
    """Vega, Vega-Lite and Vega-Embed as one script, which is put together once (2 s)."""
    import vl_convert

    made = BUILD / "page" / f"vega-{vl_convert.__version__}.js"
    if not made.exists():
        staging.write(made, vl_convert.javascript_bundle().replace("</script", "<\\/script"))
    return made.read_text()
