# SPDX-License-Identifier: BSD-2-Clause
"""Limits of a program's ticks, on records of two places that nothing has run."""

from types import SimpleNamespace

import pytest

from mcpi.api.limits import Limits


def result(**places: dict[str, float]) -> SimpleNamespace:
    """Record of places by the ticks of their owners."""
    found = {
        name: SimpleNamespace(ticks=sum(owners.values()), owners=owners)
        for name, owners in places.items()
    }
    return SimpleNamespace(regions=SimpleNamespace(client=found))


BEFORE = result(sum={"issue": 60.0, "d_miss": 40.0}, sort={"issue": 7.0})


@pytest.mark.parametrize(("most", "fails"), [(101, 0), (100, 0), (99.5, 1)])
def test_a_place_may_have_as_many_ticks_as_allowed(most, fails):
    assert len(Limits({"sum": most, "sort": 7}).exceeded(BEFORE)) == fails


def test_a_place_that_is_gone_is_said():
    now = result(sum={"issue": 60.0})
    assert Limits({}, BEFORE, "old.json").exceeded(now) == [
        "sort: old.json has it, and it is not measured now"
    ]


def test_what_grew_is_named_the_most_first():
    now = result(sum={"issue": 58.0, "d_miss": 43.0, "shift": 9.0}, sort={"issue": 7.0})
    (said,) = Limits({}, BEFORE, "old.json").exceeded(now)
    assert said == "sum: 110.0 ticks, 10.0 more than in old.json: shift +9.0, d_miss +3.0"
