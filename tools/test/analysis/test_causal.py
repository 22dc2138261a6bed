# SPDX-License-Identifier: BSD-2-Clause
"""A causal profile's sums: which experiments it wants, and what each of them is."""

from collections import Counter

from mcpi.analysis import causal
from mcpi.machine import counters

TICKS = {
    ("f", "issue"): 10,
    ("g", "issue"): 20,
    ("f", "d_miss"): 30,
    ("f", "io"): 40,
    ("g", "idle"): 50,
}
ALONE = {("f", "d_miss"): 30, ("g", "issue"): 5, ("f", "issue"): 4}


def outcome_of(experiments: list) -> causal.Effect:
    """Savings of each experiment: together 7 more than its pairs alone, if it has several."""

    def outcome(n: int) -> tuple[int | None, Counter, str]:
        which = experiments[n]
        return sum(ALONE[p] for p in which) + 7 * (len(which) > 1), Counter(), ""

    return outcome


def test_pairs_that_wait_for_the_world_do_not_vanish() -> None:
    assert list(causal.vanishing(TICKS)) == [("f", "d_miss"), ("g", "issue"), ("f", "issue")]


def test_every_owner_is_of_memory_of_the_world_or_of_the_core() -> None:
    known = set(counters.owners())
    assert causal.OF_MEMORY | causal.OF_WORLD <= known
    assert not causal.OF_MEMORY & causal.OF_WORLD


def test_each_group_has_its_sum_and_its_interaction() -> None:
    pairs = causal.vanishing(TICKS)
    experiments = causal.sets_of(pairs, [{("f", "issue"), ("g", "issue")}])
    effects = causal.effects(pairs, experiments, outcome_of(experiments))
    alone, functions, owners, every, memory, sets = causal.read(pairs, effects, 1)
    assert {(e.function, e.owner): e.shorter for e in alone} == ALONE
    assert [e.shorter for e in alone] == [30, 5, 4]
    assert {e.function: (e.ticks, e.shorter, e.alone) for e in functions} == {
        "f": (40, 41, 34),
        "g": (20, 5, 5),
    }
    assert {e.owner: (e.ticks, e.interaction) for e in owners} == {
        "issue": (30, 7),
        "d_miss": (30, 0),
    }
    assert (every.ticks, every.shorter, every.alone) == (60, 46, 39)
    assert (memory.owner, memory.ticks, memory.shorter) == ("d_miss", 30, 30)
    assert [(e.owner, e.shorter) for e in sets] == [("issue", 16)]


def test_an_experiment_that_did_not_end_has_no_sum() -> None:
    pairs = causal.vanishing(TICKS)
    experiments = causal.sets_of(pairs, [])

    def outcome(n: int) -> tuple[int | None, Counter, str]:
        fails = ("g", "issue") in experiments[n]
        return (None, Counter(), "waits") if fails else outcome_of(experiments)(n)

    effects = causal.effects(pairs, experiments, outcome)
    _, functions, _, every, _, _ = causal.read(pairs, effects, 0)
    assert [(e.function, e.shorter, e.failed) for e in functions] == [
        ("f", 41, ""),
        ("g", None, "waits"),
    ]
    assert every.alone is None and every.interaction is None
