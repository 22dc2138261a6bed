# SPDX-License-Identifier: BSD-2-Clause
"""Which files of sim/ include which: arrows between folders go one way, and no file is in a
circle."""

import graphlib
import re
from pathlib import Path

import pytest
from sim_support import SIM

# A folder includes itself and what stands before it.
LAYERS = ["base", "link", "host", "log", "memory", "alpha", "lib/lance", "lance/model", "lance"]
LAYERS += ["check", "testbed", "exact/core", "exact/node", "exact/run", "rtl", "rtl/cores"]
LAYERS += ["placing", "bench/core", "bench/lance", "bench/lance/histories", "bench/lance/saturate"]
LAYERS += ["programs", "test"]
INCLUDE = re.compile(r'^#include "([^"]+)"', re.M)
GENERATED = re.compile(r"V[A-Z]\w*\.h|verilated\.h|machines/counters\.h")


def includes() -> dict[Path, set[Path]]:
    """By file, below sim/; generated headers are left out."""
    found = {}
    for path in sorted(p for p in SIM.rglob("*") if p.suffix in (".c", ".cpp", ".h")):
        file = path.relative_to(SIM)
        names = [n for n in INCLUDE.findall(path.read_text()) if not GENERATED.fullmatch(n)]
        places = [next(p for p in (path.parent / n, SIM / n) if p.exists()) for n in names]
        found[file] = {place.relative_to(SIM) for place in places}
    return found


def wrong_arrows(graph: dict[Path, set[Path]]) -> list[str]:
    level = {Path(folder): n for n, folder in enumerate(LAYERS)}
    return [
        f"{file} includes {other}"
        for file, others in graph.items()
        for other in others
        if level[other.parent] > level[file.parent]
    ]


def circle(graph: dict[Path, set[Path]]) -> list[Path]:
    """Files that include each other, a header and its .cpp as one; none: empty."""
    joined: dict[Path, set[Path]] = {}
    for file, others in graph.items():
        one = file.with_suffix("")
        joined.setdefault(one, set()).update({o.with_suffix("") for o in others} - {one})
    try:
        graphlib.TopologicalSorter(joined).prepare()
    except graphlib.CycleError as error:
        return error.args[1]
    return []


def test_layers_of_folders():
    assert not (found := wrong_arrows(includes())), "\n".join(found)


def test_no_circles_of_files():
    assert not (found := circle(includes())), " - ".join(map(str, found))


@pytest.mark.parametrize(
    ("file", "other", "arrow", "closes"),
    [
        ("base/error.h", "testbed/options.h", True, True),
        ("link/wire.h", "link/segment.h", False, True),
        ("check/account.h", "rtl/sdram_model.h", True, False),
        ("programs/mcpi_sim.cpp", "check/oracle.h", False, False),
    ],
)
def test_a_wrong_include_is_found(file, other, arrow, closes):
    graph = includes()
    graph[Path(file)] = graph[Path(file)] | {Path(other)}
    assert bool(wrong_arrows(graph)) == arrow and bool(circle(graph)) == closes
