# SPDX-License-Identifier: BSD-2-Clause
"""The study of OSDI'94: its points, and tables and claims of a record that is made up."""

import csv
import json

import pytest
from tools_support import figure_standard

from mcpi.base.errors import RunError, UserError
from mcpi.batch.plan import Wanted
from mcpi.machine.profile import load
from mcpi.results.cold_replay import Function
from mcpi.spec.run_spec import RunSpec
from mcpi.studies.osdi94 import (
    anatomy,
    beyond,
    collect,
    drawings,
    figures,
    page,
    plan,
    reasons,
    tables,
)
from mcpi.studies.osdi94.words import WORDS
from mcpi.studykit.measured import Measured


def made_up(rates: dict[str, list[float]], **more) -> Measured:
    """A record with these Mb/s by point; ``more``: of each run."""
    run = {"packets": [10, 10], "ticks": 1000, "instructions": 1600}
    run |= {"owners": {"issue": 1500, "d_miss": 500}, "causes": {"remote": 400}}
    run |= {"waiting": {}}
    run |= {"said": {"data": 20, "disordered": 5, "misordered": 1}}
    run |= {"windows": {"spin": {"ticks": 500, "instructions": 400}, "hold": {"ticks": 900}}}
    results = {
        key: {"runs": [run | more | {"mbps": rate, "order": n} for n, rate in enumerate(all_)]}
        for key, all_ in rates.items()
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
        some = plan.WAYS[one.way].few or one.stack == plan.LOCKS
        assert counts == [n for n in range(1, one.most + 1) if not some or n in (1, 2, 4, 8)]
    assert {p.cores for p in plan.points(plan.QUICK)} == {1, 2, 4, 8}
    assert set(plan.points(plan.QUICK)) < set(every)


def test_each_way_has_a_curve_and_a_machine() -> None:
    assert {c.way for c in plan.curves()} == set(plan.WAYS)
    for curve in plan.curves():
        way = plan.WAYS[curve.way]
        machine = load(curve.machine, way.settings | {"core.count": "1"})
        assert "XK_MP_SYNC=1" not in way.switches or machine.parameters["sync.bus"]
        assert way.bytes == 4096 or "MPBENCH_BYTES=1024" in way.defines


def test_each_curve_has_words_and_each_claim_has_curves() -> None:
    assert set(WORDS.about["ways"]) == {way or "base" for way in plan.WAYS}
    known = {c.key for c in plan.curves()}
    for claim in csv.DictReader(plan.CLAIMS.open(newline="")):
        named = [word for word in claim["versions"].split() if not word.isdigit()]
        known_here = {*plan.MACHINES, "mcs", "tas"} if claim["figure"] == "dearer" else known
        assert named and set(named) <= known_here, claim["claim"]
        assert claim["figure"] in tables.FIGURES
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
        (Wanted(usual=RunSpec(engine="board")), "no board is a challenge-100"),
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


def test_waiting_for_the_state_is_no_reason() -> None:
    """Two processors spin for 2,400 ticks of d_miss more; at work they issue 10 a packet more."""
    one = made_up({f"{RECEIVE}-1": [100]}).record["results"]
    more = {"owners": {"issue": 1700, "d_miss": 2900}, "waiting": {"d_miss": 2400}}
    both = Measured({"results": one | made_up({f"{RECEIVE}-2": [90]}, **more).record["results"]})
    assert reasons.reason(both, "ratio", f"{RECEIVE} 2 1") == "issue +10"


def test_memory_that_is_summed() -> None:
    key = "challenge-100-sum"
    study = made_up({f"{key}-1": [320], f"{key}-8": [2048]})
    assert figures.megabytes(study, "", key, "8") == 32
    assert figures.each(study, "", key, "8") == 0.8
    assert figures.fed(study, "", key, "8") == 40  # of 1,280 MB/s


def test_there_is_no_scheduler() -> None:
    rows = {row.labels[0]: row for row in tables.judged(made_up({})).rows}
    row = next(row for claim, row in rows.items() if "unwired" in claim)
    assert (
        row.labels[1] == "not judged: there is no scheduler, so a thread never leaves its processor"
    )


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


def lock(count: int, wait: int, hold: int, **more) -> dict:
    """``wait``, ``hold``: ticks of each of ``count``."""

    def times(ticks: int) -> dict:
        bits = [0] * ticks.bit_length() + [count]
        return {"count": count, "ticks": count * ticks, "bits": bits}

    own = {"wait": times(wait), "hold": times(hold), "release": times(20)}
    own |= {"hand_over": {"count": 2, "ticks": 600, "bits": [0] * 9 + [2]}, "overtaken": 5}
    return own | {"free": 4, "free_ticks": 240, "first": 1000, "last": 2000} | more


def test_anatomy_is_by_lock_whoever_asks_for_it() -> None:
    locks = {"tcp_enter": lock(20, 100, 50), "lock_half": lock(20, 300, 50), "odd": lock(1, 1, 1)}
    study = made_up({f"{RECEIVE}-2": [50]}, locks=locks)
    (row,) = anatomy.anatomy(study).rows  # odd is left out: a twentieth of the packets
    assert row.labels == ("TCP receive", "baseline", "2", "TCP's state")
    ours = {k: cell.ours for k, cell in row.cells.items()}
    assert ours == {
        "takes": 2,
        "taken": 80,
        "wait": 200,
        "hold": 50,
        "hand_over": 300,
        "overtaken": 0.25,
        "share": 400,  # of 2,000 ticks that are made up
    }
    waits, holds, gives = anatomy.histograms(study).rows
    assert waits.labels[-1] == "waits" and waits.cells["b7"].ours == waits.cells["b9"].ours == 50
    assert holds.cells["b6"].ours == 100 and gives.cells["b9"].ours == 100


def test_a_kind_of_lock_costs_what_one_processor_alone_pays() -> None:
    all_ = {"tas": lock(10, 60, 25), "mcs": lock(10, 60, 25, free_ticks=400)}
    study = made_up({"challenge-100-locks-1": [0], "challenge-100-locks-8": [0]}, locks=all_)
    row = next(r for r in anatomy.kinds(study).rows if r.labels[1] == "MCS")
    assert row.labels == ("challenge-100", "MCS")
    assert row.cells["take"].ours == 100 and row.cells["release"].ours == 20
    assert row.cells["p8"].ours == 100 and row.cells["overtaken"].ours == 0.5
    assert anatomy.dearer(study, "", "challenge-100", "mcs", "tas") == 120 / 80


def test_the_second_processors_ticks_and_whose_they_are() -> None:
    one = {"causes": dict.fromkeys(beyond.CAUSES, 0)}
    two = {"causes": dict.fromkeys(beyond.CAUSES, 100), "owners": {"issue": 1500, "d_miss": 1500}}
    key = "challenge-100-udp-receive"
    record = made_up({f"{key}-1": [50]}, **one).record["results"]
    record |= made_up({f"{key}-2": [60]}, **two).record["results"]
    (row,) = beyond.dip(Measured({"results": record})).rows
    ours = {k: cell.ours for k, cell in row.cells.items()}
    assert ours["ratio"] == 1.2 and ours["one"] == 100 and ours["more"] == 50
    assert ours["remote"] == 5 and ours["issue"] == 0
    assert beyond.extra(Measured({"results": record}), "", key) == 20


def test_memory_s_share_of_an_instruction() -> None:
    fast, slow = "challenge-100-tcp-send", "power-series-33-tcp-send"
    study = made_up({f"{fast}-1": [50], f"{slow}-1": [20]})
    row = next(r for r in beyond.riddle(study).rows if r.labels == ("TCP send", "challenge-100"))
    ours = {k: cell.ours for k, cell in row.cells.items()}
    assert ours["icpi"] == 1500 / 1600 and ours["mcpi"] == 500 / 1600 and ours["faster"] == 2.5
    assert beyond.mcpi_share(study, "", fast) == 25


def test_connections_and_sweeps_have_their_rows() -> None:
    causes = dict.fromkeys(beyond.CAUSES, 40)
    ways = ("-mcs", "-spread", "-each", "-miss-70", "")
    study = made_up(
        {f"{RECEIVE}{way}-{n}": [50 * n] for way in ways for n in (1, 2)}, causes=causes
    )
    rows = beyond.connections(study).rows
    assert [r.labels[1] for r in rows] == [
        WORDS.about["ways"][w] for w in ("mcs", "spread", "each")
    ]
    assert rows[0].cells["p2"].ours == 100 and rows[0].cells["disorder"].ours == 25
    swept = beyond.sweeps(study).rows
    assert len(swept) == 2 and swept[0].cells["s2"].ours == 2
    assert swept[0].cells["coherence"].ours == 80 / 20


def test_a_kind_s_lock_is_not_what_another_kind_wants_itself(tmp_path, monkeypatch) -> None:
    known = [Function("lock_tas_acquire", 0x100, 0x40), Function("percpu_node_give", 0x200, 0x40)]
    known.append(Function("processor_main", 0x300, 0x80))
    monkeypatch.setattr(collect, "functions", lambda image: known)
    times = {name: {"count": 1, "ticks": 8, "bits": [0, 0, 0, 0, 1]} for name in collect.TIMES}
    site = times | {"free": 1, "free_ticks": 8, "overtaken": 0, "function": 0x100}
    sites = [
        site | {"at": 0x380, "first": 10, "last": 30},
        site | {"at": 0x210, "first": 90, "last": 99},
    ]
    (tmp_path / "locks.json").write_text(json.dumps({"lost": 0, "sites": sites}))
    by_kind = collect._locks(tmp_path, by_kind=True)
    assert list(by_kind) == ["tas"] and by_kind["tas"]["last"] == 30
    by_asker = collect._locks(tmp_path, by_kind=False)
    assert set(by_asker) == {"processor_main", "percpu_node_give"}
    (tmp_path / "locks.json").write_text(json.dumps({"lost": 2, "sites": []}))
    with pytest.raises(RunError, match="2 locks were released"):
        collect._locks(tmp_path, by_kind=True)


def test_a_cause_is_summed_over_its_owners(tmp_path, monkeypatch) -> None:
    """And over the cores; an owner that misses a tick ends the study."""
    core = {
        "ticks": 10,
        "instructions": 4,
        "owner.issue": 4,
        "owner.d_miss": 4,
        "owner.bus_wait": 2,
    }
    core |= {"cause.d_miss.remote": 3, "cause.d_miss.bcache": 1, "cause.bus_wait.remote": 2}
    window = {"ticks": 1, "instructions": 1}
    windows = {"spin": window, "hold": window, "probe": {"invocations": 2}}
    content = {"ticks": 10, "machine": {}, "cores": [{"all": core, "windows": windows}] * 2}
    (tmp_path / "counters.json").write_text(json.dumps(content))
    (tmp_path / "locks.json").write_text('{"lost": 0, "sites": []}')
    (tmp_path / "console.txt").write_text("data 4\n")
    monkeypatch.setattr(collect, "functions", lambda image: [])
    point = plan.Point(plan.Curve("challenge-100", "udp", "receive"), 2)
    how = tmp_path, point, load("challenge-100")
    found = collect.recorded(*how)
    assert found["causes"] == {"remote": 10, "bcache": 2} and found["said"] == {"data": 4}
    assert found["owners"] == {"issue": 8, "d_miss": 8, "bus_wait": 4}
    assert found["mbps"] == 4 * 4096 * 8 * 100 / 10
    (tmp_path / "counters.json").write_text(json.dumps(content | {"ticks": 11}))
    with pytest.raises(RunError, match="not every tick has an owner"):
        collect.recorded(*how)


def test_what_the_rtl_repeats_has_every_number_of_processors() -> None:
    assert {point.cores for point in plan.PART} == set(plan.COUNTS) and len(plan.PART) >= 12
    known = {point.key for point in plan.points(plan.FULL)}
    assert {point.key for point in plan.PART} <= known
    assert plan.FULL.repeats and not plan.QUICK.repeats


def test_points_that_a_claim_reads_have_ten_orders_and_the_others_three() -> None:
    every = plan.plan(Wanted(), plan.FULL)
    orders: dict[str, list] = {}
    for e in every:
        orders.setdefault(e.part[1], []).append(e.spec.shuffle)
    read = plan.read_by_claims()
    for point in plan.points(plan.FULL):
        alone = point.curve.stack == plan.LOCKS
        count = 10 if point.key in read else 1 if alone else 3
        assert orders[point.key] == [None, *range(1, count)], point.key
    assert len({e.name for e in every}) == len(every) and {e.spec.seed for e in every} == {1}
    assert "challenge-100-udp-send-7" in read and "challenge-100-udp-send-1k-8" not in read
    assert {f"{RECEIVE}-mcs-{n}" for n in plan.COUNTS} < read  # a curve that is gone through
    assert {e.spec.shuffle for e in plan.plan(Wanted(), plan.QUICK)} == {None}


@pytest.mark.parametrize(
    ("eight", "word"),
    [
        ((600, 700, 900), "holds"),
        ((600, 400, 900), "undecided"),
        ((300, 400, 499), "does not hold"),
    ],
)
def test_a_claim_is_judged_on_the_orders_of_functions(eight, word) -> None:
    one = "challenge-100-udp-send-1"
    study = made_up({one: [100, 100, 100], "challenge-100-udp-send-8": eight})
    row = tables.judged(study).rows[0]
    assert row.labels[1:3] == (word, "orders of functions")
    cells = [row.cells[k].ours for k in ("figure", "median", "low", "high", "n")]
    ratios = sorted(n / 100 for n in eight)
    assert cells == pytest.approx([eight[0] / 100, ratios[1], ratios[0], ratios[2], 3])


def test_a_claim_without_an_order_of_a_point_is_not_judged() -> None:
    study = made_up({"challenge-100-udp-send-1": [100, 100], "challenge-100-udp-send-8": [600]})
    row = tables.judged(study).rows[0]
    assert row.labels[1].startswith("not judged: 1 of 2 orders of functions lack")


def test_figures_keep_the_standard() -> None:
    """Whiskers go from the lowest order to the highest; the paper's values are there."""
    keys = {c.key for one in drawings.lines() for c in one.curves.values()}
    rates = {f"{key}-{n}": [100 * n, 90 * n, 120 * n] for key in keys for n in (1, 2, 4)}
    rates |= {f"challenge-100-udp-{side}-1": [5] for side in plan.SIDES}
    of_packet = {"owners": {"issue": 1500, "d_miss": 400, "bus_wait": 100}}
    study = made_up(rates, **of_packet)
    first, ticks = drawings.figures(study).values()
    figure_standard.check([*first[:3], first[-1], *ticks])
    figure_standard.check_axes(first, "processors", r"n = (1 or )?3 orders; whiskers: lowest to hi")
    figure_standard.check_axes(ticks, "ticks")
    assert [one.title for one in first[:2]] == list(drawings.FIRST)
    send = next(one for one in first if one.title == "Figure 6: TCP send")
    assert "the paper: 215" in send.svg() and "4 KB: 103 with 1, 207 with 2" in send.about
    assert "mutex, the paper" in first[-1].svg() and "54" in first[-1].about
    (axes,) = send.figure.axes
    assert axes.collections[0].get_segments()[1].tolist() == [[2, 180], [2, 240]]
    assert page.answers(study)[0] == (
        "TCP receive, 4 KB: most with 4 processors, 413 Mb/s, 4.0 times one processor's; "
        "413 Mb/s with 4."
    )


def test_a_drawing_of_all_figures_has_a_panel_for_each() -> None:
    svg = drawings.curves(made_up(curve(RECEIVE, 100, 150)))
    assert all(one.title in svg for one in drawings.lines())
    assert svg.count("<title") == svg.count("<desc") == 1
