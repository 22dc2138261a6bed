# SPDX-License-Identifier: BSD-2-Clause
"""The study of OSDI'94: its points, and tables and claims of a record that is made up."""

import pytest

from mcpi.base.errors import UserError
from mcpi.spec.run_spec import RunSpec
from mcpi.studies.osdi94 import plan, tables
from mcpi.study.measured import Measured
from mcpi.study.plan import Wanted


def made_up(rates: dict[str, list[float]]) -> Measured:
    """A record with these Mb/s by point."""
    run = {"packets": [10, 10], "ticks": 1000, "owners": {"issue": 1500, "d_miss": 500}}
    results = {
        key: {"runs": [run | {"mbps": rate} for rate in all_]} for key, all_ in rates.items()
    }
    return Measured({"results": results, "absent": {}})


def test_the_whole_study_has_each_number_of_processors() -> None:
    assert len(plan.points(plan.FULL)) == 4 * 8
    assert {p.cores for p in plan.points(plan.QUICK)} == {1, 2, 4, 8}


def test_speedup_is_over_one_processor_of_the_same_curve() -> None:
    study = made_up({"challenge-100-send-1": [100, 120], "challenge-100-send-8": [550, 770]})
    row = tables.speedup(study).rows[0]
    assert row.labels == ("challenge-100", "UDP send")
    assert row.cells["p8"].ours == 6 and row.cells["p1"].ours == 1
    assert row.cells["p8"].sd == pytest.approx(2**0.5)
    assert row.cells["p2"].ours is None and "not measured" in row.cells["p2"].why


def test_owners_of_a_packet_sum_to_its_ticks() -> None:
    row = tables.owners(made_up({"dec3000-mp-receive-2": [50]})).rows[0]
    assert {k: cell.ours for k, cell in row.cells.items()} == {"issue": 75, "d_miss": 25}


@pytest.mark.parametrize(("eight", "verdict"), [(501, "holds"), (499, "does not hold")])
def test_a_claim_is_judged_by_its_bound(eight: float, verdict: str) -> None:
    study = made_up({"challenge-100-send-1": [100], "challenge-100-send-8": [eight]})
    claim = tables.judged(study).rows[0]
    assert claim.labels[1] == verdict and claim.cells["figure"].ours == eight / 100


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        (Wanted(stacks=("tcp",)), "not stacks or versions"),
        (Wanted(usual=RunSpec(machine="dec3000-mp")), "leave --machine"),
        (Wanted(usual=RunSpec(engine="rtl")), "the exact engine's alone"),
    ],
)
def test_what_the_study_has_not_is_refused(wanted: Wanted, said: str) -> None:
    with pytest.raises(UserError, match=said):
        plan.plan(wanted, plan.QUICK)
