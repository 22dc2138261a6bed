# SPDX-License-Identifier: BSD-2-Clause
"""The slides' study: its plan, what it refuses, its figures, and each verdict of its tables."""

import copy
import csv

import pytest
from tools_support import study_example

from mcpi import studies
from mcpi.base.errors import UserError
from mcpi.base.repo import ROOT
from mcpi.batch import repeat
from mcpi.batch.perform import by_machine
from mcpi.batch.plan import ORDERS, Wanted
from mcpi.papers.sigcomm96 import round_trip
from mcpi.spec.run_spec import BOARD, RunSpec
from mcpi.studies.slides import figures, page, plan, tables
from mcpi.studykit.claims import Missing
from mcpi.studykit.measured import Measured

STUDY = studies.find("slides")
NAMES = {"tcp": 8, "rpc": 7}


def path(ticks: float, **more) -> dict:
    """A client's steady path of 1,000 instructions with an iCPI of 2."""
    owners = {"issue": 1000.0, "taken_bubble": 1000.0, "i_demand": ticks - 2400, "d_miss": 400.0}
    found = {"ticks": ticks, "time_us": ticks / 100, "instructions": 1000.0, "cpi": ticks / 1000}
    found |= {"icpi": 2.0, "mcpi": ticks / 1000 - 2, "owners": owners}
    return found | {"icache": {"misses": 50.0}, "bcache": {"misses": 1.0}} | more


def result(ticks: float, trip: float) -> dict:
    """A round trip of ``trip`` µs, of which the processors have both paths and 10 µs."""
    busy, wire = 2 * ticks / 100 + 10, {"request": 5.0, "reply": 5.0}
    half = (trip - busy) / 2
    parts = {"client_send": ticks / 100, "server": ticks / 100, "client_receive": 10.0}
    parts |= {f"{way}_controller_and_wire": half for way in wire}
    found = {
        "round_trip": {"mean_us": trip, "ticks_per_us": 100},
        "breakdown_us": parts,
        "wire_us": wire,
    }
    return found | {"steady": {"client": path(ticks)}, "cold": {"client": {"time_us": 99.0}}}


def study() -> Measured:
    """BAD 6,000 ticks, STD 4,000, ALL 3,200; the new machines 1.5 times as many, ALL 1.4 times."""
    ticks = {"bad": 6000, "std": 4000, "all": 3200}
    found: dict = {"results": {}, "latency": {}, "absent": {}, "maps": {}, "remarks": []}
    for stack in NAMES:
        for where in (*plan.MACHINES, *plan.WIRES):
            new = where in plan.MACHINES[1:]
            times = {v: n * (1.4 if v == "all" else 1.5) if new else n for v, n in ticks.items()}
            trip = 120 if "100" in where else 300
            own = {v: result(n, trip) for v, n in times.items()}
            found["results"][plan.at(where, stack)] = own
        for variant in plan.ENDS:
            base = ticks[variant]
            points = {f"bcache.read_ticks={n}": base + 100 * (n - 10) for n in (17, 63)}
            points |= {"icache.prefetch=off": base + 400, "core.translation=tlb": base + 4}
            found["latency"].setdefault(stack, {})[variant] = {
                k: {"time_us": n / 100, "cpi": n / 1000, "instructions": 1000.0}
                for k, n in points.items()
            }
    found["extent"] = {"round_trips": 8, "samples": {"tcp": 1, "rpc": 1}, "shuffles": 3}
    found["provenance"] = {"calibration": {}}
    return Measured(found)


def of(table, label: str):
    """The first row with that label."""
    return next(row for row in table.rows if any(label in text for text in row.labels))


def test_the_plan_has_every_version_on_every_machine() -> None:
    experiments = plan.plan(Wanted(), plan.FULL)
    names = [e.name for e in experiments]
    assert len(set(names)) == len(names)
    first = [e for e in experiments if e.whole and e.spec.cold]
    assert len(first) == len(plan.MACHINES) * sum(NAMES.values())
    assert {e.machine.name for e in experiments} == set(plan.MACHINES)
    ordered = {e.part[1:3] for e in experiments if e.part[0] == ORDERS}
    ends = {(plan.at(m, s), v) for m in (plan.OLD, plan.NEW) for s in NAMES for v in plan.ENDS}
    bad = {(plan.at(plan.OLD, s), "bad") for s in NAMES}
    assert ordered == ends | bad | {(plan.at("100 ideal", s), "std") for s in NAMES}
    assert sum(e.part[0] == ORDERS for e in experiments) == len(ordered) * plan.FULL.shuffles
    seeds = {e.spec.layout: e.spec.seed for e in experiments if e.part[0] == ORDERS}
    assert seeds == {f"shuffle-{n}": n for n in range(1, plan.FULL.shuffles + 1)}
    ticks = {e.machine.parameters["memory.read_ticks"] for e in experiments}
    assert {48, 103, 110, 255} <= ticks


def test_machines_that_differ_at_run_time_alone_are_built_once() -> None:
    alike = by_machine(plan.plan(Wanted(), plan.QUICK))
    # Four machines, two sizes of a block, TLBs, two wires.
    assert len(alike) == len(plan.MACHINES) + 3 + len(plan.WIRES)
    old = next(some for some in alike if some[0].spec.machine == plan.OLD)
    assert len({e.machine.to_json() for e in old}) > 4


def test_what_is_asked_for_alone() -> None:
    some = plan.plan(Wanted(stacks=("rpc",), variants=("std",)), plan.QUICK)
    assert {(e.spec.stack, e.spec.variant) for e in some} == {("rpc", "std")}


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        (Wanted(RunSpec(machine="alpha-300")), "sets them itself"),
        (Wanted(RunSpec(settings={"icache.size": "16KB"})), "sets them itself"),
        (Wanted(RunSpec(engine=BOARD)), "not built for boards"),
        (Wanted(stacks=("udp",)), "no stack 'udp'"),
        (Wanted(variants=("flat",)), "no version 'flat'"),
        (Wanted(stacks=("rpc",), variants=("original",)), "RPC has no ORIGINAL"),
    ],
)
def test_what_it_has_not_is_refused(wanted, said) -> None:
    with pytest.raises(UserError, match=said):
        plan.plan(wanted, plan.QUICK)


@pytest.mark.parametrize(
    ("extent", "machines"), [(plan.QUICK, {plan.OLD}), (plan.FULL, set(plan.MACHINES))]
)
def test_runs_of_any_machine_are_repeated_on_the_rtl(extent, machines) -> None:
    """A first look is repeated on the paper's machine alone, whose simulator there is."""
    experiments = plan.plan(Wanted(), extent)
    part = repeat.chosen(experiments, extent, 1)
    assert sum(len(e.jobs) for e in part) == extent.repeats
    assert {repeat.on_rtl(e).spec.engine for e in part} == {"rtl"}
    drawn = [e for n in range(9) for e in repeat.chosen(experiments, extent, n)]
    assert {e.spec.machine for e in drawn} == machines
    shaped = {"cache.block", "link.mbps"} & {k for e in drawn for k in e.spec.settings}
    assert bool(shaped) == (extent is plan.FULL)


def test_figures() -> None:
    measured = study()
    figure = figures.FIGURES
    assert figure["tp_ratio"](measured, "dec3000-600 tcp", "std", "all") == 4000 / 3200
    assert figure["gap_ratio"](measured, "tcp", "std", "all") == pytest.approx(1.5 / 1.4)
    assert figure["instruction_side"](measured, "dec3000-600 tcp", "std") == 1600 / 400
    assert figure["instruction_share"](measured, "dec3000-600 tcp", "std") == 40
    assert figure["memory_share"](measured, "dec3000-600 rpc", "std") == 50
    assert figure["processing_share"](measured, "dec3000-600 tcp", "std") == 30
    assert figure["share_ratio"](measured, "tcp", "std") == pytest.approx(300 / 120)
    assert figure["translation_percent"](measured, "tcp", "std") == pytest.approx(0.1)
    assert figure["no_prefetch"](measured, "tcp", "std", "all") == pytest.approx(12.5 - 10)
    assert figures.line(measured, "tcp", "std", "bcache.read_ticks") == pytest.approx((100, 0))


def test_a_line_that_is_bent_is_called_so() -> None:
    measured = study()
    measured.record["latency"]["tcp"]["std"]["bcache.read_ticks=17"]["cpi"] += 0.5
    slope, error = figures.line(measured, "tcp", "std", "bcache.read_ticks")
    assert slope != pytest.approx(100, abs=0.5) and error > 5


@pytest.mark.parametrize(
    ("figure", "words"),
    [
        ("tp_ratio", ("alpha-300 tcp", "out", "clo")),
        ("line_error", ("tcp memory.read_ticks", "std")),
        ("order_range", ("alpha-300 tcp", "std")),
    ],
)
def test_what_was_not_measured_is_said(figure, words) -> None:
    with pytest.raises(Missing):
        figures.FIGURES[figure](study(), *words)


def test_every_claim_and_prediction_is_judged() -> None:
    made = {table.key: table for table in STUDY.tables(study())}
    claims = made["claims"]
    assert of(claims, "S1, TCP/IP").labels[1] == "holds"
    assert of(claims, "S4").labels[1] == "not judged: no production stack"
    assert of(claims, "S6").labels[1] == "holds"
    assert of(claims, "S3").labels[1] == ""  # no link orders were measured
    seen = {row.labels[1] for row in made["predictions"].rows}
    assert seen == {tables.AS, tables.NOT_AS, ""}
    wires = of(made["wires"], "100 ideal").cells
    assert [round(cell.ours) for cell in wires.values()] == [120, 90, 10, 20, 75]


def test_verdicts_turn_with_the_figures() -> None:
    measured = study()
    before = of(tables.judged(measured), "S1, TCP/IP").labels[1]
    other = copy.deepcopy(measured.record)
    steady = other["results"][plan.at(plan.NEW, "tcp")]["all"]["steady"]
    steady["client"] = path(3200 * 1.6)
    after = of(tables.judged(Measured(other)), "S1, TCP/IP").labels[1]
    assert (before, after) == ("holds", "does not hold")
    said = [page.answers(Measured(one))[0] for one in (measured.record, other)]
    assert said[0].endswith("worth more.") and said[1].endswith("worth not more.")


def in_orders(*longer: float) -> Measured:
    """Link orders in which ALL's path on the new machine takes so many times as long."""
    measured = study()
    orders, tlbs = {}, {}
    for n, times in enumerate(longer, 1):
        for where, versions in measured.record["results"].items():
            for variant, own in versions.items():
                steady = own["steady"]["client"]
                ticks = steady["ticks"] * (times if (where, variant) == SLOWER else 1)
                one = path(ticks) | {"mean_us": own["round_trip"]["mean_us"]}
                one |= {"breakdown_us": own["breakdown_us"], "i_misses": 50.0, "b_misses": 1.0}
                orders.setdefault(where, {}).setdefault(variant, {})[f"shuffle-{n}"] = one
        tlbs[f"shuffle-{n}"] = measured.record["latency"]
    measured.record.update({"orders": orders, "in_orders": {"latency": tlbs}})
    return measured


SLOWER = (plan.at(plan.NEW, "tcp"), "all")


@pytest.mark.parametrize(
    ("longer", "word", "turned"),
    [
        ((1, 1, 1), "holds", 0),
        ((1, 1, 1.2), "undecided", 100 / 3),
        ((1.2, 1.3), "does not hold", 0),
    ],
)
def test_a_claim_is_judged_on_the_link_orders(longer, word, turned) -> None:
    row = of(tables.judged(in_orders(*longer)), "S1, TCP/IP")
    assert row.labels[1:] == (word, "link orders")
    assert row.cells["figure"].ours == pytest.approx(1.5 / 1.4)  # of the usual order
    assert row.cells["n"].ours == len(longer)
    assert row.cells["turned"].ours == pytest.approx(turned)
    assert of(tables.judged(in_orders(*longer)), "S6, RPC").labels[1:] == ("holds", "link orders")


def test_a_costly_translation_is_a_bottleneck() -> None:
    measured = study()
    measured.record["latency"]["tcp"]["std"]["core.translation=tlb"]["time_us"] *= 1.02
    assert of(tables.judged(measured), "S6, TCP/IP").labels[1] == "does not hold"


def test_the_page_has_the_path_of_each_machine() -> None:
    measured = study()
    whole = study_example.study().record
    measured.record.update({part: whole[part] for part in ("provenance", "extent")})
    measured.record["extent"]["shuffles"] = 0
    text = page.page(measured, tables.of(measured))
    for machine in plan.MACHINES:
        assert f"TCP/IP on {machine}: the client" in text
        assert f'id="path-{machine}-rpc-whole"' in text
    shown = text.partition("<script")[0]
    assert "the paper's value" not in shown and "range over" not in shown


def test_the_slides_numbers_are_the_papers() -> None:
    with (ROOT / "papers/slides96/text_numbers.csv").open(newline="") as stream:
        slides = {row["quantity"]: float(row["value"]) for row in csv.DictReader(stream)}
    for stack in ("tcp", "rpc"):
        for name, variant in {"BAD": "bad", "STD": "std", "OPT": "all"}.items():
            whole = slides[f"{stack.upper()} round trip {name}"]
            assert abs(whole - round_trip(stack, variant)["mean_us"]) <= 0.05
            assert slides[f"{stack.upper()} processing {name}"] == pytest.approx(whole - 210)
