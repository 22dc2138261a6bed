# SPDX-License-Identifier: BSD-2-Clause
"""Which files of sim/ include which: arrows between folders go one way, and no file is in a
circle."""

import graphlib
from pathlib import Path

import pytest
from sim_support.includes import includes

# A folder includes itself and what stands before it.
LAYERS = [
    "base",
    "link",
    "host",
    "log",
    "memory",
    "alpha",
    "lance/classifier",
    "lance",
    "lib/lance",
]
LAYERS += [
    "lib/lance/exact",
    "check/program",
    "check",
    "testbed",
    "network",
    "exact/core",
    "exact/node",
    "exact/run",
    "debug",
    "rtl",
    "rtl/debug",
    "rtl/cores",
    "rtl/cable",
]
LAYERS += ["placing", "bench/core", "bench/lance", "bench/lance/histories", "bench/lance/saturate"]
LAYERS += ["programs", "test"]


def wrong_arrows(graph: dict[Path, set[Path]]) -> list[str]:
    level = {Path(folder): n for n, folder in enumerate(LAYERS)}
    level |= {file.parent: level[Path("test")] for file in graph if file.parts[0] == "test"}
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
