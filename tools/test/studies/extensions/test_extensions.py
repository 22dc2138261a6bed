# SPDX-License-Identifier: BSD-2-Clause
"""The study of a connection's own clones: its plan, what it refuses, its figures and verdicts."""

import copy
import re

import pytest

from mcpi import studies
from mcpi.base.errors import UserError
from mcpi.base.repo import ROOT
from mcpi.batch.plan import Wanted
from mcpi.spec.run_spec import BOARD, RunSpec
from mcpi.studies.extensions import collect, figures, page, plan, tables
from mcpi.studykit.claims import Missing
from mcpi.studykit.measured import Measured
from mcpi.studykit.verdicts import FAILS, HOLDS, UNDECIDED

STUDY = studies.find("extensions")
TICKS = {1: (2000, 1980), 8: (2400, 2800), 64: (2500, 2900)}


def run(ticks: float, instructions: float, **more) -> dict:
    found = {"ticks": ticks, "instructions": instructions, "time_us": ticks / 175}
    return found | {"mean_us": 260.0, "icache_misses": 40.0, "d_ticks": 200.0} | more


def order(by: float = 0) -> dict:
    """Own code saves 15 instructions; 20 ticks with one connection, and it costs 400 with more.
    ``by``: ticks more of own code."""
    return {
        plan.at(machine, n): {
            plan.SHARED: run(shared, 960),
            plan.OWN: run(own + by, 945, copies=n, copy_ticks=8000.0, without_slot=0),
        }
        for machine in plan.MACHINES
        for n, (shared, own) in TICKS.items()
    }


def study(orders: tuple[float, ...] = (-10, 0, 4)) -> Measured:
    found = {plan.USUAL: order()} | {f"shuffle-{n}": order(by) for n, by in enumerate(orders, 1)}
    record = {plan.COPIES: found, "absent": {}, "maps": {}, "remarks": []}
    record["extent"] = {"round_trips": 128, "samples": {"tcp": 1}, "shuffles": len(orders)}
    return Measured(record | {"provenance": {"calibration": {}}})


def test_the_plan_has_each_version_and_the_two_in_each_link_order() -> None:
    found = plan.plan(Wanted(), plan.FULL)
    assert len({e.name for e in found}) == len(found)
    usual = [e for e in found if e.spec.layout == plan.USUAL]
    assert len(usual) == len(plan.MACHINES) * len(plan.CONNECTIONS) * len(plan.VERSIONS)
    others = [e for e in found if e not in usual]
    assert len(others) == 2 * 3 * 2 * plan.FULL.shuffles
    assert {e.spec.variant for e in others} == {plan.SHARED, plan.OWN}
    assert {e.spec.defines for e in found} == {(f"XK_CONNECTIONS={n}",) for n in (1, 8, 64)}
    assert all(e.spec.warmup >= 64 for e in found)
    for e in found:
        e.spec.check()


def test_both_engines_make_a_run_of_each_version() -> None:
    assert {e.spec.variant for e in plan.pairs(Wanted(), plan.QUICK)} == {plan.SHARED, plan.OWN}
    assert not plan.pairs(Wanted(variants=("pin",)), plan.QUICK)


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        (Wanted(RunSpec(machine="alpha-300")), "sets them itself"),
        (Wanted(RunSpec(settings={"icache.size": "16KB"})), "sets them itself"),
        (Wanted(RunSpec(engine=BOARD)), "not built for boards"),
        (Wanted(stacks=("rpc",)), "connections open in tcp alone"),
        (Wanted(variants=("std",)), "no version 'std'"),
    ],
)
def test_what_it_has_not_is_refused(wanted, said) -> None:
    with pytest.raises(UserError, match=said):
        plan.plan(wanted, plan.QUICK)


def test_figures() -> None:
    figure, measured = figures.FIGURES, study()
    assert figure["tp_ratio"](measured, "dec3000-600 8") == 2800 / 2400
    assert figure["instructions"](measured, "alpha-300 64") == 15
    assert figure["shared_ratio"](measured, "dec3000-600 64") == 2500 / 2000
    assert figure["copy_ticks"](measured, "dec3000-600 1") == 8000
    assert figure["gain"](measured, "dec3000-600 8") == -400
    with pytest.raises(Missing, match="SHARED at vax 8"):
        figure["gain"](measured, "vax 8")


def test_medians_are_of_the_link_orders() -> None:
    assert tables.median(study(), "gain", "dec3000-600 1").ours == 20
    assert tables.median(study((-10, 6, 8)), "gain", "dec3000-600 1").ours == 14
    assert tables.median(study(()), "gain", "dec3000-600 1").ours == 20
    assert tables.median(study((-10, 6, 8)), "break_even", "dec3000-600 1").ours == 8000 / 14
    never = tables.median(study(), "break_even", "dec3000-600 8")
    assert never.ours is None and never.why.startswith("never")


def verdicts(measured: Measured) -> dict[str, str]:
    return {row.labels[0]: row.labels[1] for row in tables.judged(measured).rows}


def test_claims_hold_fail_and_stay_open() -> None:
    found = list(verdicts(study()).values())
    assert found == [HOLDS] * len(found)
    one = next(iter(key for key in verdicts(study()) if "pay with 1" in key))
    assert verdicts(study((30, 40, 50)))[one] == FAILS
    assert verdicts(study((-10, 0, 50)))[one] == UNDECIDED


def test_what_was_not_measured_is_not_judged() -> None:
    record = copy.deepcopy(study().record)
    for order_ in record[plan.COPIES].values():
        del order_["alpha-300 8"]
    rows = {row.labels: row.cells["figure"] for row in tables.judged(Measured(record)).rows}
    assert [cell.ours for cell in rows.values()].count(None) == 1


def test_predictions_are_judged_by_their_bounds() -> None:
    rows = tables.predicted(study()).rows
    said = {(row.labels[0], row.labels[2], row.labels[1]): row.labels[3] for row in rows}
    ratio = "T_p, own code over shared"
    assert said[ratio, "1", "dec3000-600"] == tables.AS
    far = tables.predicted(study((400, 400, 400))).rows
    assert next(r for r in far if r.labels[0] == ratio).labels[3] == tables.NOT_AS


def test_the_page_has_every_table() -> None:
    measured = study()
    made = tables.of(measured)
    assert [table.key for table in made] == ["claims", "predictions", "copies", "orders"]
    assert sum(len(keys) for _, keys in page.PARTS) == len(made)
    assert "0.99 with 1" in page.answers(measured)[0]


def test_the_console_says_what_a_copy_took() -> None:
    line = "own code: 8 made in 61000 ticks, 0 closed, 2 without a slot, 0 without place"
    assert collect.made(line) == {"copies": 8, "copy_ticks": 7625.0, "without_slot": 2}
    assert collect.made("tcptest: 41 exchanges, connection closed") == {}


def test_the_prose_of_the_page_has_the_numbers_of_its_table() -> None:
    """Per cent of T_p and round trips, by connections, at 175 and at 300 MHz."""
    text = (ROOT / "docs" / "explanation" / "extensions.md").read_text()
    prose = " ".join(text.partition("## Claims")[0].split()).partition("**One connection**")[2]
    rows = re.findall(
        r"^\| (?:dec3000-600|alpha-300) \| (\d+) \| ([\d.]+) .* (\S+) \|$", text, re.M
    )
    wanted = {
        n: [f"{abs(100 * float(ratio) - 100):.0f}" for k, ratio, _ in rows if k == n]
        for n in ("1", "8", "64")
    }
    said = re.findall(r"(\d+) %(?: \(175 MHz\))? or (\d+) %", prose)
    assert [list(pair) for pair in said] == list(wanted.values())
    assert re.search(r"after (\d+) or (\d+) round trips", prose).groups() == tuple(
        pays for n, _, pays in rows if n == "1"
    )
