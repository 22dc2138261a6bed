# SPDX-License-Identifier: BSD-2-Clause
"""The study of extensions: its plan, what it refuses, its figures and verdicts."""

import copy
import csv
import re

import pytest
from tools_support.command import mcpi

from mcpi import studies
from mcpi.base.errors import UserError
from mcpi.base.repo import ROOT
from mcpi.batch.plan import Wanted
from mcpi.spec.run_spec import BOARD, RunSpec
from mcpi.studies.extensions import blocks, collect, figures, page, places, plan, recognised, tables
from mcpi.studykit.claims import Missing
from mcpi.studykit.measured import Measured
from mcpi.studykit.verdicts import FAILS, HOLDS, UNDECIDED
from mcpi.tuning import placing

STUDY = studies.find("extensions")
TICKS = {1: (2000, 1980), 8: (2400, 2800), 64: (2500, 2900)}


def run(ticks: float, instructions: float, **more) -> dict:
    found = {"ticks": ticks, "instructions": instructions, "time_us": ticks / 175}
    found |= {"mean_us": 260.0, "icache_misses": 40.0, "d_ticks": 200.0}
    return found | {"taken": ticks / 40, "unused": 15.0} | more


def order(by: float = 0) -> dict:
    """Own code saves 15 instructions; 20 ticks with one connection, and it costs 400 with more.
    ``by``: ticks more of own code."""
    return {
        plan.at(machine, stack, n): {
            plan.SHARED: run(shared, 960),
            plan.OWN: run(own + by, 945, copies=n, copy_ticks=8000.0, without_slot=0),
        }
        for machine in plan.MACHINES
        for stack in plan.STACKS
        for n, (shared, own) in TICKS.items()
    }


PATH = dict(zip(blocks.VERSIONS, (12000, 11000, 10200, 9600, 10100)))
PRICE = dict(zip(blocks.VERSIONS, (15000, 13000, 13100, 13200, 13300)))
LAYOUT = {"searched": 33.0, "searched, code": 35.0, "bipartite": 41.0, "linear": 40.0}
LAYOUT |= {"worst": 75.0}
WHERE = [f"{machine} {stack}" for machine in plan.MACHINES for stack in blocks.STACKS]


def ordered(by: float = 0) -> dict:
    """Versions of each stack; ``by``: ticks more of TSP."""
    more = {"tsp": by}
    return {
        where: {v: run(ticks + more.get(v, 0), 3400) for v, ticks in PATH.items()}
        for where in WHERE
    }


def recognising() -> dict:
    """Versions on each wire: 25 instructions and 1 µs more with software than without, 4 and 0.3
    with the controller."""
    more = {recognised.NONE: (0, 0), recognised.SOFTWARE: (25, 1), recognised.CONTROLLER: (4, 0.3)}
    return {
        recognised.at(stack, mbps): {
            f"{variant} {way}": run(9000 + 175 * us, 2800 + n, mean_us=300 + us)
            for variant in recognised.VERSIONS
            for way, (n, us) in more.items()
        }
        for stack in recognised.STACKS
        for mbps in recognised.SPEEDS
    }


def placed() -> dict:
    prices = {"searched": 9000.0, "bipartite": 9100.0, "worst": 11000.0}
    own = {
        "bound": {"time_us": 27.0},
        "layouts": {name: {"time_us": t, "low": t, "high": t} for name, t in LAYOUT.items()},
        blocks.PRICES: dict.fromkeys(blocks.EVENTS, prices),
    }
    return {where: dict.fromkeys(places.VERSIONS, own) for where in WHERE}


def study(orders: tuple[float, ...] = (-10, 0, 4)) -> Measured:
    found = {plan.USUAL: order()} | {f"shuffle-{n}": order(by) for n, by in enumerate(orders, 1)}
    record = {plan.COPIES: found, "absent": {}, "maps": {}, "remarks": []}
    record[blocks.BLOCKS] = {name: ordered() for name in found}
    record[recognised.CLASSIFIER] = {name: recognising() for name in found}
    record[blocks.PRICES] = {where: dict.fromkeys(blocks.EVENTS, PRICE) for where in WHERE}
    record[places.PLACES] = placed()
    record["extent"] = {"round_trips": 128, "samples": {"tcp": 1}, "shuffles": len(orders)}
    return Measured(record | {"provenance": {"calibration": {}}})


def test_the_plan_has_each_version_and_the_two_in_each_link_order() -> None:
    found = plan.plan(Wanted(), plan.FULL)
    assert len({e.name for e in found}) == len(found)
    usual = [e for e in found if e.spec.layout == plan.USUAL]
    assert len(usual) == 2 * len(plan.MACHINES) * len(plan.CONNECTIONS) * len(plan.VERSIONS)
    others = [e for e in found if e not in usual]
    assert len(others) == 2 * 2 * 3 * 2 * plan.FULL.shuffles
    assert {e.spec.variant for e in others} == {plan.SHARED, plan.OWN}
    assert {e.spec.defines for e in found} == {(f"XK_CONNECTIONS={n}",) for n in (1, 8, 64)}
    assert {(e.spec.stack, e.spec.warmup) for e in found} == {("tcp", 64), ("rpc", 128)}
    for e in found:
        e.spec.check()


def test_the_plan_has_each_outlined_version_of_each_stack_in_each_link_order() -> None:
    found = blocks.plan(Wanted(), plan.FULL)
    assert len({e.name for e in found}) == len(found) == 5 * 3 * 2 * (blocks.ORDERS + 1)
    for e in found:
        e.spec.check()
    assert {e.spec.stack for e in blocks.plan(Wanted(stacks=("rpc",)), plan.QUICK)} == {"rpc"}
    whole = STUDY.plan(Wanted(), plan.QUICK)
    assert whole == [e for p in (plan, blocks, recognised) for e in p.plan(Wanted(), plan.QUICK)]


def test_the_plan_has_each_way_to_recognise_frames_in_each_link_order() -> None:
    found = recognised.plan(Wanted(), plan.FULL)
    assert len({e.name for e in found}) == len(found) == 36 * (recognised.ORDERS + 1)
    kinds = set()
    for e in found:
        e.spec.check()
        way = e.part[3].split()[1]
        on = e.spec.settings.get("lance.classifier") == "on"
        assert on == (way == recognised.CONTROLLER)
        kinds.add((e.spec.variant, way, e.spec.defines))
    assert len(kinds) == 9 and ("all", "software", ("PIN_GUARD_INSIDE=1",)) in kinds
    assert ("fast", "none", ("XK_FAST_GUARD=0",)) in kinds and ("fast", "software", ()) in kinds
    few = recognised.plan(Wanted(stacks=("rpc",), variants=("all",)), plan.QUICK)
    assert {e.part[2] for e in few} == {"dec3000-600 rpc 10", "dec3000-600 rpc 100"}


def test_both_engines_make_a_run_of_each_version() -> None:
    versions = {e.spec.variant for e in STUDY.pairs(Wanted(), plan.QUICK)}
    assert versions == {plan.SHARED, plan.OWN, blocks.PAIRED}
    assert not STUDY.pairs(Wanted(variants=("pin",)), plan.QUICK)
    of_rpc = [e.spec.variant for e in STUDY.pairs(Wanted(stacks=("rpc",)), plan.QUICK)]
    assert of_rpc == [plan.SHARED, plan.OWN]


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        (Wanted(RunSpec(machine="alpha-300")), "sets them itself"),
        (Wanted(RunSpec(settings={"icache.size": "16KB"})), "sets them itself"),
        (Wanted(RunSpec(engine=BOARD)), "not built for boards"),
        (Wanted(stacks=("udp",)), "no stack 'udp'"),
        (Wanted(variants=("flat",)), "no version 'flat'"),
    ],
)
def test_what_it_has_not_is_refused(wanted, said) -> None:
    with pytest.raises(UserError, match=said):
        STUDY.plan(wanted, plan.QUICK)


def test_figures() -> None:
    figure, measured = figures.FIGURES, study()
    assert figure["tp_ratio"](measured, "dec3000-600 tcp 8") == 2800 / 2400
    assert figure["instructions"](measured, "alpha-300 tcp 64") == 15
    assert figure["shared_ratio"](measured, "dec3000-600 tcp 64") == 2500 / 2000
    assert figure["copy_ticks"](measured, "dec3000-600 tcp 1") == 8000
    assert figure["gain"](measured, "dec3000-600 tcp 8") == -400
    with pytest.raises(Missing, match="SHARED at vax tcp 8"):
        figure["gain"](measured, "vax tcp 8")


def test_figures_of_outlining_and_layouts() -> None:
    figure, measured, old = tables.FIGURES, study(), "dec3000-600 tcp"
    assert figure["time"](measured, old, "tsp", "out") == 9600 / 11000
    assert figure["taken"](measured, old, "tsp", "out") == pytest.approx(9600 / 11000)
    assert figure["request"](measured, old, "tsp", "std") == 13200 / 15000
    assert figure["place"](measured, old, "all", "searched", "bipartite") == 33 / 41
    assert figure["over_rules"](measured, old, "clo") == 33 / 40  # the best rule is linear
    assert figure["worst_over_std"](measured, old, "clo") == pytest.approx(75 / (12000 / 175))
    assert figure["place_again"](measured, old, "all", "worst", "bipartite") == 11000 / 9100
    for name, words in (("time", ("fast", "out")), ("again", ("fast", "out"))):
        with pytest.raises(Missing, match="FAST at dec3000-600 tcp: not measured"):
            figure[name](measured, old, *words)
    with pytest.raises(Missing, match="PIN at"):
        figure["over_rules"](measured, old, "pin")


def test_figures_of_who_recognises_frames() -> None:
    figure, measured, where = tables.FIGURES, study(), "dec3000-600 rpc 100"
    assert figure["path_instructions"](measured, where, "all", "controller", "none") == 4
    late = figure["path_round_trip"](measured, where, "fast", "controller", "software")
    assert late == pytest.approx(-0.7)
    assert figure["path_time"](measured, where, "pin", "software", "none") == pytest.approx(1)
    with pytest.raises(Missing, match="STD NONE at dec3000-600 rpc 100: not measured"):
        figure["path_time"](measured, where, "std", "none", "software")


def test_every_claim_and_prediction_names_a_figure() -> None:
    for table in (tables.judged(study()), tables.predicted(study())):
        cells = [row.cells["figure"] for row in table.rows]
        assert all(cell.ours is not None for cell in cells)


def test_every_claim_is_read_alone() -> None:
    """The page lists the undecided claims without the others."""
    claims = [row.labels[0] for row in tables.judged(study()).rows]
    assert len(set(claims)) == len(claims)
    assert not [claim for claim in claims if re.match(r"The same|They|It\b", claim)]


def test_what_a_search_found_is_kept_until_something_differs(tmp_path, monkeypatch) -> None:
    made = []

    def run_(wanted, out, bar):
        made.append(wanted.spec.variant)
        names = ("searched", "bipartite", "worst")
        return [placing.Judged(n, 1, 1, 1, 1, 1, [2.0, 3.0], [1.0]) for n in names], BOUND

    monkeypatch.setattr(places.placing, "run", run_)
    monkeypatch.setattr(blocks.outlining, "prices", lambda specs, _: prices(specs))
    key = ["one"]
    monkeypatch.setattr(places, "_made_of", lambda *_: key[0])
    first = places.searched(Wanted(stacks=("tcp",)), plan.QUICK, tmp_path, None)
    assert first == places.searched(Wanted(stacks=("tcp",)), plan.QUICK, tmp_path, None)
    assert made == ["clo", "all"] and list(first) == ["dec3000-600 tcp"]
    assert first["dec3000-600 tcp"]["all"]["layouts"]["worst"]["time_us"] == 2.5
    key[0] = "two"
    places.searched(Wanted(variants=("clo",)), plan.FULL, tmp_path, None)
    assert made[2:] == ["clo"] * 4  # both stacks on both machines


def test_prices_are_kept_until_an_image_differs(tmp_path, monkeypatch) -> None:
    asked: list[str] = []

    def prices_(specs, _):
        asked.append(specs[0].stack)
        return {event: tuple(range(len(specs))) for event in blocks.EVENTS.values()}

    monkeypatch.setattr(blocks.outlining, "prices", prices_)
    key = ["one"]
    monkeypatch.setattr(blocks.kept, "key", lambda *_: key[0])
    wanted = Wanted(stacks=("rpc",), variants=("out", "tsp"))
    first = blocks.prices(wanted, tmp_path, None)
    assert first["alpha-300 rpc"]["reply"] == {"out": 0, "tsp": 1}
    assert blocks.prices(wanted, tmp_path, None) == first and asked == ["rpc"] * 2
    key[0] = "two"
    blocks.prices(wanted, tmp_path, None)
    assert asked == ["rpc"] * 4
    assert not blocks.prices(Wanted(variants=("pin",)), tmp_path, None)


BOUND = placing.Bound(1, 2, 3, 4)


def prices(specs: list[RunSpec]) -> dict:
    assert specs[0].layout.endswith("searched.positions.csv") and specs[1].layout == "default"
    return dict.fromkeys(blocks.EVENTS.values(), (1.0, 2.0, 3.0))


def test_medians_are_of_the_link_orders() -> None:
    assert tables.median(study(), "gain", "dec3000-600 tcp 1").ours == 20
    assert tables.median(study((-10, 6, 8)), "gain", "dec3000-600 tcp 1").ours == 14
    assert tables.median(study(()), "gain", "dec3000-600 tcp 1").ours == 20
    assert tables.median(study((-10, 6, 8)), "break_even", "dec3000-600 tcp 1").ours == 8000 / 14
    never = tables.median(study(), "break_even", "dec3000-600 tcp 8")
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
        del order_["alpha-300 tcp 8"]
    rows = {row.labels: row.cells["figure"] for row in tables.judged(Measured(record)).rows}
    left = [labels[0] for labels, cell in rows.items() if cell.ours is None]
    assert len(left) == 1 and left[0].endswith("8 connections of TCP/IP, alpha-300")


def test_predictions_are_judged_by_their_bounds() -> None:
    rows = tables.predicted(study()).rows
    said = {(row.labels[0], row.labels[2], row.labels[1]): row.labels[3] for row in rows}
    ratio = "T_p, own code over shared"
    assert said[ratio, "tcp 1", "dec3000-600"] == tables.AS
    far = tables.predicted(study((400, 400, 400))).rows
    assert next(r for r in far if r.labels[0] == ratio).labels[3] == tables.NOT_AS


def test_the_page_has_every_table() -> None:
    measured = study()
    made = tables.of(measured)
    names = ["claims", "predictions", "copies", "orders", "blocks", "places", "classifier"]
    assert [table.key for table in made] == names
    assert all(len({c.title for c in table.columns}) == len(table.columns) for table in made)
    assert sum(len(keys) for _, keys in page.PARTS) == len(made)
    assert "0.99 with 1" in page.answers(measured)[0]
    assert "T_p over OUT's, BSD: AUTO 0.93, TSP 0.87, STALE 0.92." in page.answers(measured)


def test_the_console_says_what_a_copy_took() -> None:
    line = "own code: 8 made in 61000 ticks, 0 closed, 2 without a slot, 0 without place"
    assert collect.made(line) == {"copies": 8, "copy_ticks": 7625.0, "without_slot": 2}
    assert collect.made("tcptest: 41 exchanges, connection closed") == {}


def test_the_prose_of_the_page_has_the_numbers_of_its_table() -> None:
    """Per cent of TCP/IP's T_p and round trips, by connections, at 175 and at 300 MHz."""
    text = (ROOT / "docs" / "explanation" / "extensions.md").read_text()
    prose = " ".join(text.partition("## Claims")[0].split()).partition("**One connection**")[2]
    prose = prose.partition("**RPC**")[0]
    rows = re.findall(
        r"^\| (?:dec3000-600|alpha-300) \| TCP \| (\d+) \| ([\d.]+) .* (\S+) \|$", text, re.M
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


def test_the_prose_on_outlining_has_the_numbers_of_its_data() -> None:
    """Each median over OUT's; unused words of TSP and OUT; prices over OUT's and over STD's."""
    prose = (ROOT / "docs" / "explanation" / "extensions.md").read_text()
    prose = prose.partition("## Outlining by profiles")[2].partition("## Layouts")[0]
    with (ROOT / "docs" / "data" / "extensions" / "blocks.csv").open(newline="") as stream:
        rows = {tuple(row.values())[:3]: row for row in csv.DictReader(stream)}
    old = {key[1:]: row for key, row in rows.items() if key[0] == plan.OLD}
    said = re.findall(r"^\| ([A-Z]+) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|$", prose, re.M)
    assert [version for version, *_ in said] == ["STD", "AUTO", "TSP", "STALE"]
    for version, *medians in said:
        stacks = [stack.upper() for stack in blocks.STACKS]
        assert medians == [old[stack, version]["over OUT"] for stack in stacks]
    flat = " ".join(prose.split())
    unused = [old["TCP", version]["unused, %"] for version in ("TSP", "OUT")]
    assert re.search(r"leaves ([\d.]+) % .* in place of ([\d.]+)\.", flat).groups() == tuple(unused)
    prices = {
        other: [
            float(row[title]) / float(rows[key[0], key[1], other][title])
            for key, row in rows.items()
            if key[2] == "TSP"
            for title in ("a frame lost", "request twice", "reply twice")
        ]
        for other in ("OUT", "STD")
    }
    said = re.findall(r"([\d.]+) to ([\d.]+) of (OUT|STD)'s", flat)
    assert said == [(f"{min(p):.2f}", f"{max(p):.2f}", version) for version, p in prices.items()]


def test_the_prose_on_layouts_has_the_numbers_of_its_data() -> None:
    prose = (ROOT / "docs" / "explanation" / "extensions.md").read_text()
    flat = " ".join(prose.partition("## Layouts")[2].partition("## Claims")[0].split())
    with (ROOT / "docs" / "data" / "extensions" / "places.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == 8

    def ratios(one: str, other: str) -> tuple[str, str]:
        found = [float(row[one]) / float(row[other]) for row in rows]
        return f"{min(found):.2f}", f"{max(found):.2f}"

    said = re.findall(r"([\d.]+) to ([\d.]+) of", flat)
    columns = (("searched", "best by rule"), ("worst", "STD"))
    columns += (("lost: searched", "lost: recipe"), ("lost: worst", "lost: recipe"))
    assert said == [ratios(*pair) for pair in columns]


def of_data(name: str) -> list[dict[str, str]]:
    with (ROOT / "docs" / "data" / "extensions" / f"{name}.csv").open(newline="") as stream:
        return list(csv.DictReader(stream))


def test_the_prose_on_the_classifier_has_the_numbers_of_its_data() -> None:
    """Instructions over none, and medians of T_e over software, of PIN with ALL, and of FAST."""
    text = (ROOT / "docs" / "explanation" / "extensions.md").read_text()
    prose = " ".join(text.partition("## The classifier")[2].partition("## Claims")[0].split())
    rows = {tuple(row.values())[:4]: row for row in of_data("classifier")}
    assert len(rows) == 36

    def more(versions: tuple[str, ...], way: str = "software") -> tuple[str, str]:
        found = [
            float(row["instructions"]) - float(rows[*key[:3], "none"]["instructions"])
            for key, row in rows.items()
            if key[2] in versions and key[3] == way
        ]
        return f"{min(found):.0f}", f"{max(found):.0f}"

    def late(stacks: tuple[str, ...], versions: tuple[str, ...]) -> tuple[str, str]:
        found = [
            abs(float(row["T_e over software, µs"]))
            for key, row in rows.items()
            if key[1] in stacks and key[2] in versions and key[3] == "controller"
        ]
        return f"{min(found):.1f}", f"{max(found):.1f}"

    hand, fast = ("PIN", "ALL"), ("FAST",)
    said = re.findall(r"costs (?:an invocation of PIN and ALL )?(\d+) to (\d+)", prose)
    assert said == [more(hand), more(fast)]
    predicted = [
        row for row in of_data("predictions") if "controller over none" in row["Prediction"]
    ]
    assert [f"{float(row['ours']):.0f}" for row in predicted] == ["4"] * 4 + ["6", "8"]
    low, high = more(hand, "controller")
    assert f"controller {low} to {high}." in prose and "id 6 (TCP/IP) or 8 (RPC)" in prose
    said = re.findall(r"([\d.]+) to ([\d.]+) µs", prose)
    assert said == [late(("TCP",), hand), late(("RPC",), hand), late(("TCP", "RPC"), fast)]
    sides = [
        float(row["lowest"]) < 0 < float(row["highest"])
        for key, row in rows.items()
        if key[3] == "controller"
    ]
    assert (sides.count(True), len(sides)) == (8, 12), sides
    assert "change the sign of the difference in eight of twelve cases" in prose


def test_the_prose_says_how_many_predictions_came_out_otherwise() -> None:
    text = (ROOT / "docs" / "explanation" / "extensions.md").read_text()
    rows = of_data("predictions")
    otherwise = [row for row in rows if row["Came out"] == tables.NOT_AS]
    assert (len(otherwise), len(rows)) == (12, 70)
    prose = " ".join(text.split())
    assert "Twelve of the 70 predictions failed." in prose
    clones = [row for row in rows if re.fullmatch(r"rpc \d+", row["Of"]) and row in rows[:21]]
    assert (len(clones), tables.NOT_AS in {row["Came out"] for row in clones}) == (10, False)
    assert "The ten of RPC's clones came out" in prose


def test_the_prose_on_clones_of_channels_has_the_numbers_of_its_tables() -> None:
    """Medians over link orders; misses of the usual order."""
    text = (ROOT / "docs" / "explanation" / "extensions.md").read_text()
    prose = " ".join(text.partition("**RPC**")[2].partition("## Outlining")[0].split())
    orders = re.findall(r"^\| (\S+) \| RPC \| \d+ \| (\S+) \| (\S+) \| (\S+) \|", text, re.M)
    assert len(orders) == 6
    for machine, clock in zip(plan.MACHINES, ("175 MHz", "300 MHz"), strict=True):
        medians = [f"{float(median):.2f}" for where, median, _, _ in orders if where == machine]
        assert re.search(rf"{medians[0]},? {medians[1]} and {medians[2]}.* at {clock}", prose)
    assert f"as little as {min(float(low) for _, _, low, _ in orders):.2f}" in prose
    assert f"as much as {max(float(high) for *_, high in orders):.2f}" in prose
    misses = {
        (row["Connections"], row["Version"]): row["i-misses"]
        for row in of_data("copies")
        if (row["Machine"], row["Stack"]) == ("dec3000-600", "RPC")
    }
    for version, words in (("SPECIALISED", "has {} or {} I-"), ("SHARED", "code {} or {}.")):
        assert words.format(misses["8", version], misses["64", version]) in prose


@pytest.mark.slow
def test_a_run_as_short_as_the_rtls_ends(tmp_path):
    """The client waits until its sessions are freed, which is most of the run's ticks."""
    words = [f"--{key.replace('_', '-')}={value}" for key, value in plan.ON_RTL.items()]
    words += ["--stack=rpc", f"--variant={plan.SHARED}", "--define=XK_CONNECTIONS=8"]
    done = mcpi("run", *words, "--set=clock.ticks_per_us=300", f"--out={tmp_path / 'run'}")
    assert done.returncode == 0, done.stderr
