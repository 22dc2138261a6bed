# SPDX-License-Identifier: BSD-2-Clause
"""The study of OSDI'94: its points, and tables and claims of a record that is made up."""

import csv

import pytest

from mcpi.base.errors import UserError
from mcpi.spec.run_spec import RunSpec
from mcpi.studies.osdi94 import figures, plan, reasons, tables
from mcpi.study.measured import Measured
from mcpi.study.plan import Wanted


def made_up(rates: dict[str, list[float]], **more) -> Measured:
    """A record with these Mb/s by point; ``more``: of each run."""
    run = {"packets": [10, 10], "ticks": 1000, "instructions": 1600}
    run |= {"owners": {"issue": 1500, "d_miss": 500}, "causes": {"remote": 400}}
    run |= {"said": {"data": 20, "disordered": 5, "misordered": 1}}
    run |= {"windows": {"spin": {"ticks": 500, "instructions": 400}, "hold": {"ticks": 900}}}
    results = {
        key: {"runs": [run | more | {"mbps": rate} for rate in all_]} for key, all_ in rates.items()
    }
    return Measured({"results": results, "absent": {}})


RECEIVE = "challenge-100-tcp-receive"


def curve(key: str, *rates: float) -> dict[str, list[float]]:
    """With 1, 2, … processors."""
    return {f"{key}-{n}": [rate] for n, rate in enumerate(rates, 1)}


def test_the_whole_study_has_each_number_of_processors() -> None:
    every = plan.points(plan.FULL)
    assert len({p.key for p in every}) == len(every)
    for one in plan.curves():
        counts = [p.cores for p in every if p.curve == one]
        assert counts == list(range(1, plan.most(one.machine) + 1))
    assert {p.cores for p in plan.points(plan.QUICK)} == {1, 2, 4, 8}


def test_each_curve_has_words_and_each_claim_has_curves() -> None:
    assert set(tables.WAYS) == {way or "base" for way in plan.WAYS}
    known = {c.key for c in plan.curves()}
    for claim in csv.DictReader((tables.HERE / "claims.csv").open(newline="")):
        named = [word for word in claim["versions"].split() if not word.isdigit()]
        assert named and set(named) <= known, claim["claim"]
        assert claim["figure"] in figures.FIGURES
        assert claim["above"] or claim["below"]


def test_speedup_is_over_one_processor_of_the_same_curve() -> None:
    study = made_up(
        {"challenge-100-udp-send-1": [100, 120], "challenge-100-udp-send-8": [550, 770]}
    )
    row = tables.speedup(study).rows[0]
    assert row.labels == ("challenge-100", "UDP send", "baseline")
    assert row.cells["p8"].ours == 6 and row.cells["p1"].ours == 1
    assert row.cells["p8"].sd == pytest.approx(2**0.5)
    assert row.cells["p2"].ours is None and "not measured" in row.cells["p2"].why


def test_owners_of_a_packet_sum_to_its_ticks() -> None:
    study = made_up({"dec3000-mp-udp-receive-2": [50]})
    row = tables.owners(study).rows[0]
    assert {k: cell.ours for k, cell in row.cells.items()} == {"issue": 75, "d_miss": 25}
    assert tables.causes(study).rows[0].cells["remote"].ours == 20


def test_waiting_and_holding_are_shares_of_all_processors() -> None:
    study = made_up({f"{RECEIVE}-2": [50]})
    row = tables.locks(study).rows[0]
    assert row.labels == ("TCP receive", "baseline", "2")
    ours = {k: cell.ours for k, cell in row.cells.items()}
    assert ours == {"waits": 25, "instructions": 25, "held": 90, "hold": 45}


def test_disorder_stands_beside_table_1() -> None:
    row = tables.disorder(made_up({f"{RECEIVE}-2": [50]})).rows[0]
    assert row.labels == ("mutex",) and row.cells["p2"].ours == 25 and row.cells["p2"].theirs == 2
    assert row.cells["p8"].ours is None and row.cells["p8"].theirs == 54


def test_figures_of_curves() -> None:
    study = made_up(curve("a", 100, 180, 300, 150) | curve("b", 100, 200, 200, 300))
    assert figures.peak(study, "", "a") == 3
    assert figures.fall(study, "", "a") == 0.5
    assert figures.least(study, "", "a", "b") == 0.5
    assert figures.step(study, "", "a") == 0.5
    assert figures.gain(study, "", "a", "b") == pytest.approx(100 * (3.9 / 4 - 1))
    assert figures.against(study, "", "a", "b", "3") == 1.5
    assert figures.scaling(study, "", "a", "b", "4") == 0.5
    assert figures.repaired(study, "", "a", "a", "b", "4") == 0
    assert figures.misordered(study, "", "a", "2") == 5
    assert figures.disorder_ratio(study, "", "a", "b", "2") == 1
    assert figures.disorder_error(made_up(curve(RECEIVE, 1, 1)), "", RECEIVE, "4") == 25


@pytest.mark.parametrize(("eight", "verdict"), [(501, "holds"), (499, "does not hold")])
def test_a_claim_is_judged_by_its_bound(eight: float, verdict: str) -> None:
    study = made_up({"challenge-100-udp-send-1": [100], "challenge-100-udp-send-8": [eight]})
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


def test_a_claim_is_explained_by_the_owner_that_changed_most() -> None:
    one = made_up({f"{RECEIVE}-1": [100]}).record["results"]
    more = {"owners": {"issue": 1600, "d_miss": 2500}}
    both = Measured({"results": one | made_up({f"{RECEIVE}-2": [90]}, **more).record["results"]})
    assert reasons.reason(both, "ratio", f"{RECEIVE} 2 1") == "d_miss +100"
    assert reasons.reason(both, "ratio", f"{RECEIVE} 1 2") == "d_miss -100"
    assert reasons.reason(both, "fall", RECEIVE) == "d_miss +100"
    assert reasons.reason(both, "ratio", f"{RECEIVE} 8 1") == ""


@pytest.mark.parametrize(
    ("figure", "words", "places"),
    [
        ("against", "a b 2", (("b", 2), ("a", 2))),
        ("gain", "a b", (("b", 3), ("a", 3))),
        ("repaired", "a b c 2", (("a", 2), ("b", 2))),
        ("step", "a", (("a", 1), ("a", 4))),
        ("peak", "a", (("a", 3), ("a", 4))),
        ("waiting", "a 3", (("a", 1), ("a", 3))),
    ],
)
def test_points_that_a_figure_compares(figure: str, words: str, places: tuple) -> None:
    study = made_up(curve("a", 100, 180, 300, 150) | curve("b", 100, 200, 200))
    assert reasons.compared(study, figure, words.split()) == places
