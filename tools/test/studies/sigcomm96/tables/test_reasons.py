# SPDX-License-Identifier: BSD-2-Clause
"""Tables and claims that vary a reason: each fails where the reason does not hold."""

import copy

import pytest
from tools_support import study_example

from mcpi.studies.sigcomm96 import claims
from mcpi.studies.sigcomm96.tables import reasons
from mcpi.studykit import claims as listed
from mcpi.studykit.cell import Table
from mcpi.studykit.measured import Measured

STUDY = study_example.study()
ORDERS = study_example.SHUFFLED


def rows(table: Table) -> dict[tuple[str, ...], dict]:
    return {row.labels: row.cells for row in table.rows}


def test_the_papers_own_figures_give_its_straight_line():
    found = rows(reasons.lines(STUDY))
    for stack, start, slope in (("TCP/IP", 182, 1.89), ("RPC", 320, 0.90)):
        cells = found[stack, "all"]
        for cell, value in ((cells["start_us"], start), (cells["slope"], slope)):
            assert cell.ours == pytest.approx(cell.theirs) == pytest.approx(value, rel=0.01)
        assert found[stack, "but BAD"]["start_us"].theirs != cells["start_us"].theirs
        other = found[stack, "all, another split"]
        assert other["start_us"].ours == pytest.approx(cells["start_us"].ours - 12)
        assert other["slope"].ours == pytest.approx(cells["slope"].ours)


def test_a_line_without_a_version_is_not_drawn():
    record = copy.deepcopy(STUDY.record)
    del record["results"]["tcp"]["pin"], record["split"]["tcp"]["pin"]
    for (stack, _), cells in rows(reasons.lines(Measured(record))).items():
        assert (cells["slope"].ours is None) == (stack == "TCP/IP")


def test_each_cloned_step_is_there_with_its_loads_and_without():
    found = rows(reasons.kept(STUDY))
    assert [labels for labels in found if labels[0] == "RPC"] == [
        ("RPC", step, loads)
        for step in ("BAD → CLO", "OUT → CLO", "PIN → ALL")
        for loads in ("left out", "kept")
    ]
    cells = found["TCP/IP", "OUT → CLO", "kept"]
    assert cells["length"].ours == cells["length"].theirs == 44
    record = copy.deepcopy(STUDY.record)
    record["results"]["tcp"]["clokeep"]["steady"]["client"]["instructions"] -= 10
    changed = rows(reasons.kept(Measured(record)))
    assert changed["TCP/IP", "OUT → CLO", "kept"]["length"].ours == 54
    assert changed["TCP/IP", "OUT → CLO", "left out"]["length"].ours == 44


def test_throughput_has_its_range():
    record = copy.deepcopy(STUDY.record)
    record["in_orders"]["stream"][ORDERS[0]]["rpc"]["pin"]["mean_us"] = 2500.0
    cells = rows(reasons.streams(Measured(record)))["RPC", "PIN"]
    found = [round(cells[key].ours, 3) for key in ("mbps", "median", "low", "high")]
    assert found == [26.214, 26.214, 13.107, 26.214]


def slower(record: dict, one: dict) -> None:
    one["stream"]["tcp"]["pin"]["mean_us"] *= 1.02


def longer(record: dict, one: dict) -> None:
    record["switches"]["XK_TCP_HDRPRED"]["instructions"] += 1


def with_data_misses(record: dict, one: dict) -> None:
    """The loads that were left out are no longer there: half of the step is the d-cache's."""
    for run in (record["results"], record["orders"]):
        kept = run["tcp"]["clokeep"]
        for each in [kept] if "replay" in kept else kept.values():
            each["replay"]["client"]["dcache_write_buffer"]["misses"] -= 50


def lost_anyway(record: dict, one: dict) -> None:
    one["unfetched"]["tcp"]["clo"]["micro"]["mean_us"] += 5


def no_b_miss(record: dict, one: dict) -> None:
    one["layouts"]["tcp"]["clo"]["micro"]["b_misses"] = 0.0


@pytest.mark.parametrize(
    ("key", "spoil"),
    [
        ("throughput-tcp", slower),
        ("header-prediction", longer),
        ("side-cloning-tcp-kept", with_data_misses),
        ("micro-sequential", lost_anyway),
        ("micro-b-misses", no_b_miss),
    ],
)
def test_each_claim_of_a_reason_can_fail(key, spoil):
    title = next(one["claim"] for one in listed.listed(claims.CLAIMS) if one["key"] == key)

    def verdict(study: Measured) -> str:
        return next(r.labels[1] for r in claims.table(study).rows if r.labels[0] == title)

    assert verdict(STUDY) == "holds"
    record = copy.deepcopy(STUDY.record)
    for order in ORDERS:
        spoil(record, {k: v[order] for k, v in record["in_orders"].items()})
        if key == "header-prediction":
            break
    assert verdict(Measured(record)) == "does not hold"
