# SPDX-License-Identifier: BSD-2-Clause
"""The paper's Figure 2 from the images of the study: caches as maps of sets, by function; and the
ticks of each function in the same run."""

from pathlib import Path

from mcpi.analysis.profile import Profile
from mcpi.base.progress import Bar
from mcpi.batch.plan import ORDERS, Experiment
from mcpi.engines import trace
from mcpi.layout import map_data, replay, symbols
from mcpi.layout.cache_map import Geometry

PAIRS = (("std", "out"), ("clo", "bad"), ("pin", "all"))
SHOWN = 5  # pairs of functions that meet
PROFILED = 3  # link orders in which the functions are timed, too: a second of work each


def of(experiments: list[Experiment], bar: Bar) -> dict[str, dict]:
    """Cache maps of each stack (``mcpi.layout.map_data``); and for each variant ``functions``: by
    name, ticks of an invocation by owner, and ``function_orders``: the same in link orders."""
    caches = experiments[0].machine.parameters
    sizes = caches["icache.size"], caches["bcache.size"], caches["cache.block"]
    g = Geometry(*sizes, caches["icache.ways"])
    wanted = [e.spec for e in experiments if e.whole]
    shuffled = [e.spec for e in experiments if e.part[:1] == (ORDERS,)]
    paths: dict[str, list] = {}
    functions: dict[str, list] = {}
    for record in wanted:
        if any(record.variant in pair for pair in PAIRS):
            words = (record.stack, record.variant, record.machine, record.settings)
            folder = trace.traced(*words, bar=bar)
            paths.setdefault(record.stack, []).append(symbols.read(folder, record.variant))
            same = (record.stack, record.variant)
            own = [one for one in shuffled if (one.stack, one.variant) == same][:PROFILED]
            orders = [trace.traced(*words, bar=bar, layout=one.layout) for one in own]
            ticks = {"functions": _functions(folder)}
            ticks["function_orders"] = [_functions(order) for order in orders]
            functions.setdefault(record.stack, []).append(ticks)
    found = {}
    for stack, traced in paths.items():
        replayed = [replay.replay(t, g.icache, g.bcache, g.block, g.ways) for t in traced]
        found[stack] = map_data.of(traced, replayed, g, SHOWN)
        for one, ticks in zip(found[stack]["variants"], functions[stack], strict=True):
            one |= ticks
    return found


def _functions(folder: Path) -> dict[str, dict[str, float]]:
    profile = Profile(folder, "client")
    return {
        row.name: {owner: round(n / profile.invocations, 3) for owner, n in row.cost.ticks.items()}
        for row in profile.rows()
    }
