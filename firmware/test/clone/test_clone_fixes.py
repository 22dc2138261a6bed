# SPDX-License-Identifier: BSD-2-Clause
"""Each kind of fix on its own: fields, layouts, refusals, and mutants that must be seen.

The mutants leave out or falsify every record of one kind and run the two machines on the model,
with every seventh frame lost, so that outlined tails are executed too.
"""

import dataclasses
import subprocess

import pytest
from firmware_support.clone_machine import BLOCK, ICACHE, cloned
from firmware_support.pair_machines import run
from hypothesis import given
from hypothesis import strategies as st

from mcpi.base.errors import UserError
from mcpi.firmware import recipes
from mcpi.firmware.clone import alpha, fixes, layout, recipe
from mcpi.firmware.clone.fixes import Change, Copy, Fix
from mcpi.firmware.clone.layout import Area, Plan
from mcpi.firmware.clone.program import Function
from mcpi.machine import profile

START, BASE = 0x110000, 0x100000


@given(st.integers(-(1 << 31), (1 << 31) - 0x8001))
def test_ldah_and_lda_add_any_value(value):
    high, low = alpha.split(alpha.LDAH << 26, alpha.LDA << 26, value)
    assert alpha.joined(high, low) == value


@given(st.integers(-alpha.REACH, alpha.REACH - 1))
def test_branches_reach_what_they_reach(words):
    target = BASE + (1 << 23) + 4 + 4 * words
    word = alpha.with_target(alpha.BR << 26, BASE + (1 << 23), target)
    assert alpha.branch_target(word, BASE + (1 << 23)) == target
    assert alpha.opcode(word) == alpha.BR


@pytest.mark.parametrize("words", [-alpha.REACH - 1, alpha.REACH])
def test_a_branch_too_far(words):
    with pytest.raises(ValueError, match="does not reach"):
        alpha.with_target(alpha.BR << 26, 1 << 23, (1 << 23) + 4 + 4 * words)


def function(name: str, words: int, number: int) -> Copy:
    start = BASE + number * 0x800
    return Copy(Function(name, start, start + 4 * words, start + 4 * words, start), [])


def functions(*sizes: int) -> list[Copy]:
    return [function(f"f{i}", words, i) for i, words in enumerate(sizes)]


AREA = Area(START, START + 0x10000, ICACHE, BLOCK, 2 << 20)


def sets(c: Copy) -> set[int]:
    return {at % ICACHE // BLOCK for at in range(c.target, c.target + 4 * c.words, 4)}


def test_linear_has_no_gaps():
    copies = functions(10, 3, 700, 1)
    layout.place("linear", Plan(copies, set()), AREA)
    assert [c.target - START for c in copies] == [0, 40, 52, 2852]


@given(st.lists(st.integers(1, 300), min_size=1, max_size=30), st.data())
def test_bipartite_keeps_the_library_to_itself(sizes, data):
    copies = functions(*sizes)
    few = data.draw(st.sets(st.sampled_from([c.function.name for c in copies]), max_size=3))
    layout.place("bipartite", Plan(copies, few), AREA)
    library = [c for c in copies if c.function.name in few]
    path = [c for c in copies if c.function.name not in few]
    used = set().union(*(sets(c) for c in library))
    assert all(not used & sets(c) for c in path)
    assert [c.target for c in path] == sorted(c.target for c in path)


def test_bipartite_goes_on_behind_the_library_when_the_cache_is_just_full():
    copies = functions(1, 2040, 1)
    layout.place("bipartite", Plan(copies, {"f0"}), AREA)
    assert copies[1].target + 4 * 2040 == START + ICACHE
    assert copies[2].target == START + ICACHE + BLOCK


def test_bipartite_refuses_a_library_of_half_the_cache():
    copies = functions(500, 600, 10)
    with pytest.raises(UserError, match="more than half"):
        layout.place("bipartite", Plan(copies, {"f0", "f1"}), AREA)


def test_micro_takes_positions_and_makes_room():
    copies = functions(16, 16, 16)
    layout.place("micro", Plan(copies, set(), {"f0": 64, "f1": 96, "f2": 0}), AREA)
    assert [c.target % ICACHE for c in copies] == [64, 96, 0]
    assert copies[1].target // ICACHE != copies[0].target // ICACHE
    with pytest.raises(UserError, match="no position for f1"):
        layout.place("micro", Plan(copies, set(), {"f0": 64}), AREA)


def test_pessimal_is_one_set_and_meets_data():
    copies = functions(40, 16, 8)
    data = [START + (2 << 20) + 5 * ICACHE + 0x400 + BLOCK * i for i in range(5)]
    area = dataclasses.replace(AREA, end=START + (2 << 20))
    layout.place("pessimal", Plan(copies, set(), data=data), area)
    assert len({c.target % ICACHE for c in copies}) == 1
    assert len({c.target // ICACHE for c in copies}) == 3
    blocks = {at // BLOCK for at in range(copies[0].target, copies[0].target + 160, 4)}
    assert {(d - (2 << 20)) // BLOCK for d in data} <= blocks


def test_pessimal_has_pairs_a_bcache_apart():
    """Where the area is as large: two and two in the same sets of both caches, within reach."""
    copies = functions(40, 16, 8, 24, 4)
    text = START - (1 << 16)
    area = dataclasses.replace(AREA, end=START + 0x3C0000, text=text)
    layout.place("pessimal", Plan(copies, set()), area)
    at = [c.target for c in copies]
    assert len({a % ICACHE for a in at}) == 1
    assert [b - a for a, b in zip(at[::2], at[1::2])] == [2 << 20, 2 << 20]
    assert len({a % (2 << 20) for a in at}) == 3
    assert all(c.target + 4 * c.words - text <= 4 << 20 for c in copies)


def test_copies_may_not_overlap_or_leave_the_area():
    one, two = functions(8, 8)
    one.target, two.target = START, START + 28
    with pytest.raises(UserError, match="f0 and f1 overlap"):
        layout.check([one, two], AREA)
    two.target = AREA.end - 4
    with pytest.raises(UserError, match="outside the clone area"):
        layout.check([one, two], AREA)


def test_targets_out_of_reach_are_refused():
    """The area moved 8 MB away: the first branch into an outlined tail says so."""
    there = cloned("clo", "tcp")
    for c in there.copies:
        c.target += 8 << 20
    with pytest.raises(UserError, match="does not reach .* more than 4 MB away"):
        fixes.check_reach(there.program, there.copies, there.changes)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"layout": "best"}, "no layout 'best'"),
        ({"area": 100}, "a multiple of 8192"),
        ({"drop": "gp"}, "drop = 'gp'"),
        ({"speed": 1}, "has no speed"),
        ({"own": "tcp_push"}, "own = 'tcp_push': a list for each stack wanted"),
        ({"own": {"tcp": "tcp_push"}}, "own = {'tcp': 'tcp_push'}: a list for each stack wanted"),
    ],
)
def test_recipes_are_checked(change, said):
    rules = recipes.recipe("clo")
    rules["clone"] = rules["clone"] | change
    with pytest.raises(UserError, match=said):
        recipe.checked(rules, "clo", profile.load("dec3000-600"))


def left_out(kind: Fix):
    return lambda change: [] if change.kind == kind else [change]


def falsified(kind: Fix, by: int):
    def one(change: Change):
        moved = dataclasses.replace(change, at=change.at + by)
        return [moved if change.kind == kind else change]

    return one


MUTANTS = {
    "call left out": left_out(Fix.CALL),
    "gp left out": left_out(Fix.GP),
    "address left out": left_out(Fix.ADDRESS),
    "branch left out": left_out(Fix.BRANCH),
    "pointer left out": left_out(Fix.POINTER),
    "another word dropped": falsified(Fix.DROP, -4),
    "another word a no-op": falsified(Fix.UNOP, -4),
}
TRIPS = ("round_trips=10", "warmup=2")


def mutated(there, change):
    for c in there.copies:
        edits = [e for old in c.edits for e in change(old)]
        c.edits = list({e.at: e for e in sorted(edits, key=lambda e: e.at)}.values())
    there.changes[:] = [e for old in there.changes for e in change(old)]


def runs(there, folder) -> None:
    """TCP to itself; AssertionError when either machine does not end well."""
    images = there.with_table(folder)
    plan = dataclasses.replace(there.plan, folder=folder)
    (folder / "image.elf").write_bytes(images.read_bytes())
    (folder / "pal.elf").write_bytes(there.plan.pal.read_bytes())
    run("tcp", plan, plan, 3 * 10**9, "--lose", "7", *TRIPS)


@pytest.mark.parametrize("drop", [fixes.DROPS, ("load",), (), (fixes.NOTHING,)])
def test_every_way_to_drop_runs(drop, tmp_path):
    runs(cloned("clo", "tcp", "linear", drop), tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("what", MUTANTS)
def test_mutants_are_seen(what, tmp_path):
    there = cloned("clo", "tcp", "linear", () if "no-op" in what else fixes.DROPS)
    mutated(there, MUTANTS[what])
    with pytest.raises((AssertionError, subprocess.TimeoutExpired)):
        runs(there, tmp_path)
