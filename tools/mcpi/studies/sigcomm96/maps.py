# SPDX-License-Identifier: BSD-2-Clause
"""The paper's Figure 2 from the images of the study: caches as maps of sets, by function; and the
ticks of each function in the same run."""

from pathlib import Path

from mcpi.analysis.profile import Profile
from mcpi.base.progress import Bar
from mcpi.engines import trace
from mcpi.layout import replay, shown, symbols
from mcpi.layout.cache_map import Geometry
from mcpi.study.plan import Experiment

PAIRS = (("std", "out"), ("clo", "bad"), ("pin", "all"))
SHOWN = 5  # pairs of functions that meet


def of(experiments: list[Experiment], bar: Bar) -> dict[str, dict]:
    """What ``mcpi.layout.shown`` says of each stack; and of each variant ``functions``: by name,
    ticks of an invocation by owner."""
    caches = experiments[0].machine.parameters
    g = Geometry(caches["icache.size"], caches["bcache.size"], caches["cache.block"])
    wanted = [e.record for e in experiments if e.whole]
    paths: dict[str, list] = {}
    functions: dict[str, list] = {}
    for record in wanted:
        if any(record.variant in pair for pair in PAIRS):
            words = (record.stack, record.variant, record.machine, record.settings)
            folder = trace.traced(*words, bar=bar)
            paths.setdefault(record.stack, []).append(symbols.read(folder, record.variant))
            functions.setdefault(record.stack, []).append(_functions(folder))
    found = {}
    for stack, traced in paths.items():
        replayed = [replay.replay(t, g.icache, g.bcache, g.block) for t in traced]
        found[stack] = shown.of(traced, replayed, g, SHOWN)
        for one, ticks in zip(found[stack]["variants"], functions[stack], strict=True):
            one["functions"] = ticks
    return found


def _functions(folder: Path) -> dict[str, dict[str, float]]:
    profile = Profile(folder, "client")
    return {
        row.name: {owner: round(n / profile.invocations, 3) for owner, n in row.cost.ticks.items()}
        for row in profile.rows()
    }
