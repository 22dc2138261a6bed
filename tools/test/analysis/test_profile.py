# SPDX-License-Identifier: BSD-2-Clause
"""Which instruction a tick belongs to, who called whom, and the files for other tools."""

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpi import api
from mcpi.analysis import attribution, calls, listing
from mcpi.analysis.attribution import NOBODY, Cost, Tick
from mcpi.analysis.profile import BY, Profile
from mcpi.base.errors import RunError, UserError
from mcpi.export import callgrind, flame, speedscope
from mcpi.results import measure

BRANCH, TARGET = 0x100, 0x200
OWNERS = ("i_demand", "d_miss", "taken_bubble", "mispredict", "exception", "idle", "shift")


def row(first: int, owner: str, pc: int | None = None, events: str = "", count: int = 1) -> Tick:
    return Tick(first, count, owner, pc, tuple(events.split()))


def costs(*ticks: Tick) -> dict[int, tuple[dict, dict]]:
    found = attribution.attribute(attribution.segments(ticks))
    return {pc: (dict(c.ticks), dict(c.events)) for pc, c in found.items()}


def test_a_wait_is_the_next_one_s_and_a_bubble_the_branch_s() -> None:
    assert costs(
        row(1, "issue", BRANCH, "icache.accesses"),
        row(2, "taken_bubble", None, "taken_branches", 6),
        row(8, "i_demand", None, "icache.misses"),
        row(9, "d_miss", count=3),
        row(12, "issue", TARGET, "icache.accesses"),
    ) == {
        BRANCH: ({"issue": 1, "taken_bubble": 6}, {"icache.accesses": 1, "taken_branches": 6}),
        TARGET: (
            {"i_demand": 1, "d_miss": 3, "issue": 1},
            {"icache.misses": 1, "icache.accesses": 1},
        ),
    }


def test_an_access_in_e1_is_the_instruction_s_before() -> None:
    found = costs(row(1, "issue", 4), row(2, "issue", 8, "dcache.accesses dcache.misses"))
    assert found[4][1] == {"dcache.accesses": 1, "dcache.misses": 1} and found[8][1] == {}


def test_a_pause_ends_what_waited() -> None:
    """Ticks that wait when a segment ends belong to the instruction before; to nobody if there is
    none."""
    found = costs(row(1, "issue", 4), row(2, "d_miss"), row(9, "shift"), row(20, "issue", 8))
    assert found == {4: ({"issue": 1, "d_miss": 1}, {}), NOBODY: ({"shift": 1}, {}),
                     8: ({"issue": 1}, {})}  # fmt: skip


@given(
    st.lists(
        st.tuples(
            st.sampled_from(("issue", *OWNERS)),
            st.integers(0, 3),
            st.integers(1, 3),
            st.lists(st.sampled_from(attribution.EVENTS), unique=True, max_size=3),
        )
    )
)
def test_nothing_is_lost(shape: list) -> None:
    """The instructions' ticks and events are those of the rows, whatever the rows are."""
    ticks, now = [], 0
    for owner, gap, count, events in shape:
        count = 1 if owner == "issue" else count
        now += gap
        pc = 4 * gap if owner == "issue" else None
        ticks.append(Tick(now, count, owner, pc, tuple(events)))
        now += count
    found = attribution.total(attribution.attribute(attribution.segments(ticks)).values())
    wanted = Cost()
    for tick in ticks:
        wanted.ticks[tick.owner] += tick.count
        for event in tick.events:
            wanted.events[event] += tick.count
    assert found == wanted


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A run with each side's ticks: TCP/IP as it is linked, RPC with copies."""
    found = {}
    for side, stack, variant in (("client", "tcp", "std"), ("server", "rpc", "all")):
        found[side] = tmp_path_factory.mktemp(side) / "run"
        given = {"stack": stack, "variant": variant, "engine": "exact", "tick_log": side}
        api.run(**given, round_trips=3, warmup=2, out=found[side])
    return found


@pytest.fixture(scope="module", params=["client", "server"])
def profile(runs: dict[str, Path], request: pytest.FixtureRequest) -> Profile:
    return Profile(runs[request.param], request.param)


@pytest.mark.parametrize("by", BY)
def test_rows_sum_to_the_counters(profile: Profile, by: str) -> None:
    counted = json.loads((profile.folder / "counters.json").read_text())["nodes"]
    path = counted[profile.side == "server"]["path"]
    rows = attribution.total(row.cost for row in profile.rows(by))
    assert rows.total == path["ticks"] and rows.ticks["issue"] == path["instructions"]
    for owner, ticks in rows.ticks.items():
        assert ticks == path[f"owner.{owner}"]
    assert rows.events["icache.misses"] == path["icache.misses"]
    assert profile.rows("line")[0].name.startswith("firmware/")


@pytest.mark.parametrize(
    ("wrong", "word"),
    [
        (lambda rows: [r.replace("i_demand", "i_stream", 1) for r in rows], "i_demand"),
        (lambda rows: [r.replace("dcache.misses", "", 1) for r in rows], "dcache.misses"),
        (lambda rows: rows[: len(rows) // 2], "not there"),
    ],
)
def test_ticks_that_are_not_the_counters_are_refused(
    runs: dict[str, Path], tmp_path: Path, wrong: Callable, word: str
) -> None:
    place = shutil.copytree(runs["client"], tmp_path / "run")
    file = place / "ticks.csv"
    file.write_text("\n".join(wrong(file.read_text().splitlines())) + "\n")
    with pytest.raises(RunError, match=word):
        Profile(place, "client")


def test_a_path_that_was_under_way_does_not_count(runs: dict[str, Path], tmp_path: Path) -> None:
    """Paused when counting began: what comes after the pause is in the log alone."""
    place = shutil.copytree(runs["client"], tmp_path / "run")
    events = (place / "events.csv").read_text()
    [start] = re.findall(rf"^(\d+),0,{measure.MEASURE_START}$", events, re.M)
    earlier = int(start) - 10
    (place / "events.csv").write_text(events.replace(f"\n{start},0,", f"\n{earlier},0,"))
    head, *rows = (place / "ticks.csv").read_text().splitlines()
    at = next(n for n, row in enumerate(rows) if int(row.split(",")[0]) > earlier)
    pc = rows[at + 1].split(",")[3] or rows[at + 2].split(",")[3]
    rows.insert(at, f"{earlier + 1},1,issue,{pc},")
    (place / "ticks.csv").write_text("\n".join([head, *rows]) + "\n")
    assert Profile(place, "client").sum == Profile(runs["client"], "client").sum


def test_a_run_without_a_tick_log_is_refused(runs: dict[str, Path], tmp_path: Path) -> None:
    place = shutil.copytree(runs["client"], tmp_path / "run")
    (place / "ticks.csv").unlink()
    with pytest.raises(UserError, match="--tick-log"):
        Profile(place, "client")


def test_calls_nest_as_the_sources_do(profile: Profile) -> None:
    costs, times = calls.stacks(profile)
    assert attribution.total(costs.values()) == profile.sum
    if profile.side == "client":
        assert any(stack[-2:] == ("ip_push", "vnet_push") for stack in costs)
        assert times["lance_push", "plat_ipl_raise"] == profile.invocations
    assert not any(stack[:-1].count(stack[-1]) > 1 for stack in costs), "a return was missed"
    assert any(name.startswith("PAL ") for stack in costs for name in stack)


def test_the_files_have_every_tick(profile: Profile) -> None:
    content = json.loads(speedscope.text(profile))
    one = content["profiles"][0]
    assert sum(one["weights"]) == one["endValue"] == profile.sum.total
    assert max(max(s) for s in one["samples"]) == len(content["shared"]["frames"]) - 1
    lines = callgrind.text(profile).splitlines()
    names = next(line for line in lines if line.startswith("events: ")).split()[1:]
    own, called = dict.fromkeys(names, 0), False
    for line in lines:
        if line[:1].isdigit() and not called:
            for name, value in zip(names, line.split()[1:], strict=True):
                own[name] += int(value)
        called = line.startswith("calls=")
    assert own["ticks"] == profile.sum.total
    assert own["icache_misses"] == profile.sum.events["icache.misses"]
    assert lines[-1].split()[1] == str(profile.sum.total)
    drawing = ElementTree.fromstring(flame.svg(profile))
    boxes = drawing.findall(".//{*}rect")
    rows = {}
    for box in boxes:
        rows[box.get("y")] = rows.get(box.get("y"), 0) + float(box.get("width"))
    assert max(rows.values()) == pytest.approx(flame.WIDTH, abs=1)


def test_a_listing_has_the_function_s_ticks(profile: Profile) -> None:
    row = profile.rows()[0]
    lines = list(listing.listing(profile, row.name))
    assert attribution.total(line.cost for line in lines if line.cost) == row.cost
    with pytest.raises(UserError, match=f"Did you mean {row.name}"):
        list(listing.listing(profile, row.name + "x"))
