# SPDX-License-Identifier: BSD-2-Clause
"""The paper's Figure 2 from the images of the study: caches as maps of sets, by function."""

from mcpi.engines.model import client_path
from mcpi.engines.model.recording import Recording
from mcpi.layout import replay, shown
from mcpi.layout.cache_map import Geometry
from mcpi.machine.profile import Machine

PAIRS = (("std", "out"), ("clo", "bad"), ("pin", "all"))
SHOWN = 5  # pairs of functions that meet


def of(recordings: list[Recording], machine: Machine) -> dict[str, dict]:
    """What ``mcpi.layout.shown`` says of each stack."""
    caches = machine.parameters
    g = Geometry(caches["icache.size"], caches["bcache.size"], caches["cache.block"])
    paths: dict[str, list] = {}
    for made in recordings:
        if any(made.record.variant in pair for pair in PAIRS):
            paths.setdefault(made.record.stack, []).append(client_path.traced(made))
    return {
        stack: shown.of(
            traced, [replay.replay(t, g.icache, g.bcache, g.block) for t in traced], g, SHOWN
        )
        for stack, traced in paths.items()
    }
