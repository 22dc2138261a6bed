# SPDX-License-Identifier: BSD-2-Clause
"""Which data miss, by objects of the heap."""

import dataclasses
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from tools_support.command import mcpi, refused

from mcpi import api as stacks
from mcpi.analysis import data_misses
from mcpi.analysis.data_misses import OBJECT, SITE, SYMBOL
from mcpi.analysis.profile import Profile
from mcpi.api import single_run as api
from mcpi.base.errors import UserError
from mcpi.base.repo import FIRMWARE
from mcpi.spec.program_spec import ProgramSpec
from mcpi.spec.run_spec import EXACT, RTL, RunSpec

SOURCE = FIRMWARE / "test" / "programs" / "heap.c"
# So slow that the size of an object is still on its way when malloc begins. Mutant: an engine that
# logs what the register had before.
SLOW = {"write_buffer.write_ticks": "60"}
SPEC = ProgramSpec((str(SOURCE),), settings=SLOW, tick_log="client", recording=True)
NODES = 200


def line(words: str) -> str:
    """The name of what the line with ``words`` allocates."""
    rows = SOURCE.read_text().splitlines()
    (n,) = (n for n, row in enumerate(rows, 1) if words in row)
    return f"heap.c:{n}"


TABLE, NODE, AGAIN = f"sized ({line('ldq $16')})", line("calloc"), line("realloc")


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> Path:
    return api.perform(SPEC, tmp_path_factory.mktemp("heap") / "run")[0]


def misses(run: Path, what: str) -> dict[str, int]:
    profile = Profile(run, "client")
    found = {name: one.misses for name, one in data_misses.by(profile, what).items()}
    assert sum(found.values()) == profile.sum.events["dcache.misses"]
    return found


def test_each_object_of_a_list(run: Path) -> None:
    """The list's nodes put the table's blocks out, and the table's blocks theirs."""
    found = misses(run, OBJECT)
    nodes = {name: n for name, n in found.items() if NODE in name}
    numbers = {int(re.search(r"#(\d+)$", name)[1]) for name in nodes}
    assert numbers <= set(range(1, NODES + 1)) and len(numbers) > NODES / 2
    assert all(name.startswith("make (") and n <= 2 for name, n in nodes.items())
    assert f"main ({AGAIN}) #1" in found  # not that which was freed
    sites = misses(run, SITE)
    assert sites[f"make ({NODE})"] == sum(nodes.values()) and len(sites) < 8
    assert misses(run, SYMBOL)["heap"] == sum(n for name, n in sites.items() if "heap.c" in name)


@pytest.mark.long
def test_both_engines_log_the_same_calls(run: Path, tmp_path: Path) -> None:
    """Also where the size is still on its way from memory, and in a stack, whose copies of the
    allocator run."""
    spec = dataclasses.replace(SPEC, engine=RTL, recording=False, trace="client")
    other, _ = api.perform(spec, tmp_path / "rtl")
    exact = (run / "calls.0.csv").read_text()
    assert (other / "calls.0.csv").read_text() == exact and exact.count("\n") > 3 * NODES
    sizes = [int(row.split(",")[3], 16) for row in exact.splitlines()[1:]]
    assert {8192, 100, 90, 64} <= set(sizes)
    spec = RunSpec(variant="all", round_trips=2, warmup=2, tick_log="server", trace="server")
    logs = []
    for engine in (EXACT, RTL):
        place, _ = stacks.perform(dataclasses.replace(spec, engine=engine), tmp_path / engine)
        logs.append((place / "calls.1.csv").read_text())
    assert logs[0] == logs[1] and logs[0].count("\n") > 100


def test_objects_of_a_stack(tmp_path: Path) -> None:
    spec = RunSpec(engine=EXACT, round_trips=3, tick_log="client", recording=True)
    place, _ = stacks.perform(spec, tmp_path / "run")
    sites = misses(place, SITE)
    assert any(name.startswith("tcp_session_make (") for name in sites), sites
    assert any("thread.c" in name for name in sites)  # a stack of a thread


def without(kind: Callable[[list[str]], bool]) -> Callable[[str], str]:
    """Mutant: the log without rows of that kind."""
    return lambda text: "".join(
        row for row in text.splitlines(keepends=True) if not kind(row.rstrip().split(","))
    )


@pytest.mark.parametrize(
    "wrong",
    [
        without(lambda row: row[3] == "5a"),  # the call of malloc that gets the freed object
        without(lambda row: row[3] == "40"),  # those of the nodes
        lambda text: text.replace(",2000,", ",20,"),  # the table is small
    ],
)
def test_a_log_that_misses_something_gives_other_names(run: Path, tmp_path: Path, wrong) -> None:
    place = tmp_path / "run"
    shutil.copytree(run, place)
    text = (run / "calls.0.csv").read_text()
    assert wrong(text) != text
    (place / "calls.0.csv").write_text(wrong(text))
    assert misses(place, SITE) != misses(run, SITE)


def test_a_run_whose_heap_nobody_followed(run: Path, tmp_path: Path) -> None:
    place = tmp_path / "run"
    shutil.copytree(run, place)
    (place / "calls.0.csv").unlink()
    assert data_misses.usual(Profile(place, "client")) == SYMBOL
    with pytest.raises(UserError, match="a new run, without --run"):
        misses(place, OBJECT)


def test_the_command(run: Path) -> None:
    done = mcpi("profile", "--run", str(run), "--data")
    assert "by site" in done.stdout and NODE in done.stdout and TABLE in done.stdout, done.stderr
    assert "Did you mean object?" in refused(
        "profile", "--run", str(run), "--data", "--by", "objetc"
    )
