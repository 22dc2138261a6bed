# SPDX-License-Identifier: BSD-2-Clause
"""Which instruction a tick belongs to, who called whom, and the files for other tools."""

from hypothesis import given
from hypothesis import strategies as st

from mcpi.analysis import attribution
from mcpi.analysis.attribution import NOBODY, Cost, Tick

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
    """What waits when a segment ends is of the instruction before; nobody's if there is none."""
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
