# SPDX-License-Identifier: BSD-2-Clause
"""How the exact engine is cut for the compiler: nothing is left out, and what is slow to compile is
where it is compiled once and cheaply."""

import re

import pytest

from mcpi.base.repo import ROOT
from mcpi.build import models

LARGE = {"CLI/CLI.hpp": "words", "nlohmann/json.hpp": "files"}
ENGINE = "mcpi-exact"
LEVEL = re.compile(r"-O\d")


def parts(name: str) -> dict[str, tuple[list[str], str]]:
    """By unit: the sources below sim/ that it has, and the level of optimisation. A source that is
    compiled alone is its own unit."""
    found = {}
    for edge in models.edges(name):
        if not edge.depfile:
            continue
        (source,) = edge.inputs
        level = LEVEL.findall(" ".join(map(str, edge.command)))[-1]
        if source.is_relative_to(models.SIM):
            path = str(source.relative_to(models.SIM))
            found[path] = [path], level
        else:
            found[source.stem] = re.findall(r'#include "(.+)"', source.read_text()), level
    return found


@pytest.mark.parametrize("name", [*models.SOURCES, models.WASM])
def test_each_source_is_compiled_once(name: str) -> None:
    compiled = sorted(path for sources, _ in parts(name).values() for path in sources)
    of = models.sources(ENGINE if name == models.WASM else name)
    assert compiled == sorted(str(path.relative_to(models.SIM)) for path in of)


def test_all_that_makes_ticks_is_optimised() -> None:
    for unit, (sources, level) in parts(ENGINE).items():
        ticks = [
            one
            for one in sources
            if one.startswith(("exact/core/", "exact/node/", "alpha/", "memory/", "lance/"))
        ]
        assert level == "-O2" or not ticks, unit


def test_optimised_units_are_linked_first() -> None:
    """A function of a header that two objects have is the first object's."""
    *compiled, link = models.edges(ENGINE)
    levels = {e.outputs[0]: LEVEL.findall(" ".join(map(str, e.command)))[-1] for e in compiled}
    order = [levels[path] for path in link.inputs]
    assert order == sorted(order, reverse=True) and set(order) == {"-O0", "-O1", "-O2"}


@pytest.mark.parametrize("name", [ENGINE, "mcpi-debug", "unit_pair", models.WASM])
@pytest.mark.parametrize("header", LARGE)
def test_a_large_header_is_in_one_unit(header: str, name: str) -> None:
    """Compiling nlohmann's or CLI11's templates once more costs seconds of the first start."""
    wanted = f"#include <{header}>"
    have = {
        unit
        for unit, (sources, _) in parts(name).items()
        if any(wanted in (models.SIM / one).read_text() for one in sources)
    }
    assert len(have) == 1 and have.pop().endswith(LARGE[header])
    own = [path for path in models.SIM.rglob("*.h") if wanted in path.read_text()]
    assert not own, [str(path.relative_to(ROOT)) for path in own]


@pytest.mark.parametrize("name", ["mcpi-debug", "unit_pair"])
def test_the_engine_is_compiled_once_for_all_its_programs(name: str) -> None:
    of_engine, of_program = (
        {edge.outputs[0] for edge in models.edges(n) if edge.depfile} for n in (ENGINE, name)
    )
    assert len(of_engine - of_program) == 1, "its command line alone is its own"
