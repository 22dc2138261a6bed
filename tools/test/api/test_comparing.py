# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi compare``: differences that sum to the difference, their range, and the sentence."""

import csv
import dataclasses
import json
import subprocess
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.main import get_command

from mcpi import api
from mcpi.analysis import cost_of_path, explanation
from mcpi.analysis.comparison import Comparison
from mcpi.analysis.cost_of_path import PathCost
from mcpi.analysis.profile import Profile
from mcpi.api import comparand, comparing
from mcpi.base.errors import RunError, UserError
from mcpi.cli import compare as cli
from mcpi.cli import main
from mcpi.export import difference
from mcpi.firmware import recipes
from mcpi.results import causes
from mcpi.results.summary import OWNERS
from mcpi.spec.run_spec import RunSpec

COMMAND = get_command(main.app)
USUAL = RunSpec(engine="exact", round_trips=3, warmup=2)
A, B = "std", "std,icache.size=16KB"


def cost(title: str, functions: dict[str, dict[str, int]], times: int = 1) -> PathCost:
    """A path of these functions with ticks by owner, over ``times`` invocations."""
    means = {f: {o: Fraction(n, times) for o, n in own.items()} for f, own in functions.items()}
    owners: dict[str, Fraction] = {}
    for own in means.values():
        for owner, ticks in own.items():
            owners[owner] = owners.get(owner, Fraction(0)) + ticks
    figures = {"time_us": float(sum(owners.values(), Fraction(0))) / 175}
    return PathCost(title, times, figures, owners, means)


SOME = st.dictionaries(st.sampled_from(tuple(OWNERS)), st.integers(0, 999), max_size=4)
COSTS = st.builds(
    cost,
    st.sampled_from(("old", "new")),
    st.dictionaries(st.sampled_from("pqrst"), SOME, max_size=4),
    st.integers(1, 20),
)


@given(COSTS, COSTS, st.lists(st.tuples(COSTS, COSTS), max_size=2))
def test_differences_sum_to_the_difference(a: PathCost, b: PathCost, orders: list) -> None:
    """Whatever the runs are, to the last tick; and there is always one sentence."""
    found = Comparison(a, b, "client", tuple(map(str, range(len(orders)))), tuple(orders))
    whole = b.ticks - a.ticks
    for changes in (found.owners(), found.causes(), found.functions()):
        if changes or (a.functions and b.functions):
            assert sum(c.difference for c in changes) == whole
    for change in found.functions():
        assert sum(ticks for _, ticks in change.causes) == change.difference
    for n, (one, other) in enumerate(orders):
        there = {c.name for c in found.owners()}
        lost = sum(
            (other.owners.get(o, 0) - one.owners.get(o, 0))
            for o in {**one.owners, **other.owners}
            if o not in there
        )
        assert sum(c.orders[n] for c in found.owners()) == other.ticks - one.ticks - lost
    said = explanation.sentence(found)
    assert said.endswith(".") and "\n" not in said
    difference.text(found), json.dumps(difference.plain(found))


BASE = {"p": {"issue": 100, "i_demand": 50}, "q": {"d_miss": 30}}


@pytest.mark.parametrize(
    ("functions", "said"),
    [
        (BASE, "as many ticks as old, and no owner differs."),
        ({"p": {"issue": 50, "i_demand": 100}, "q": {"d_miss": 30}}, "the owners of the ticks d"),
        ({"p": {"issue": 100, "i_demand": 10}, "q": {"d_miss": 30}}, "40 fewer ticks than old "
         "(−22.2 %): I-cache −40; of the functions, p differs most (−40)."),
        ({"p": {"issue": 100, "i_demand": 150}, "q": {}}, "70 more ticks than old (+38.9 %): "
         "I-cache +100, against D-cache −30; of the functions, p differs most (+100)."),
        ({"r": {"issue": 100}}, "functions of old alone 2 (−180), of new alone 1 (+100)."),
        ({"p": {"issue": 110, "i_demand": 60, "shift": 10, "taken_bubble": 10},
          "q": {"d_miss": 40, "write_buffer_full": 10, "io": 10}}, "no 3 causes explain half"),
    ],
)  # fmt: skip
def test_the_sentence_says_what_the_figures_say(functions: dict, said: str) -> None:
    found = Comparison(cost("old", BASE), cost("new", functions), "client")
    assert said in explanation.sentence(found)


@pytest.mark.parametrize(
    ("last", "said"), [(40, "−80 to −40 ticks over link orders."), (200, "can turn the difference")]
)
def test_the_sentence_says_when_the_layout_decides(last: int, said: str) -> None:
    old, new = cost("old", {"p": {"issue": 120}}), cost("new", {"p": {"issue": 40}})
    orders = ((old, new), (cost("old", {"p": {"issue": 80}}), cost("new", {"p": {"issue": last}})))
    found = Comparison(old, new, "client", ("shuffle-1", "shuffle-2"), orders)
    assert said in explanation.sentence(found)
    assert found.ticks.is_clear == (last == 40)
    (issue,) = found.owners()
    assert (issue.difference, issue.low, issue.high) == (-80, -80, last - 80)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda c: dataclasses.replace(c, functions={"p": c.functions["p"]}),
        lambda c: dataclasses.replace(c, owners=c.owners | {"d_miss": Fraction(29)}),
        lambda c: dataclasses.replace(
            c, functions={f: {o: n / 2 for o, n in own.items()} for f, own in c.functions.items()}
        ),
        lambda c: dataclasses.replace(c, functions=c.functions | {"z": {"issue": Fraction(1, 3)}}),
    ],
    ids=["a function lost", "a tick lost", "other invocations", "a third of a tick too many"],
)
@pytest.mark.parametrize("side", ["a", "b"])
def test_parts_that_are_not_the_whole_are_refused(wrong: Callable, side: str) -> None:
    both = {"a": cost("old", BASE), "b": cost("new", BASE)}
    Comparison(**both, side="client")
    with pytest.raises(RunError, match="what they are made of sums to"):
        Comparison(**both | {side: wrong(both[side])}, side="client")


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Comparison]:
    """A comparison of two caches with two link orders, and where its runs are."""
    place = tmp_path_factory.mktemp("compare") / "runs"
    both = comparand.of(A, USUAL), comparand.of(B, USUAL)
    return place, api.compare(*both, side="client", layouts=2, out=place).comparison


def test_it_says_what_the_counters_say(runs: tuple[Path, Comparison]) -> None:
    """Owners from the two runs' counters, read here by other means."""
    place, found = runs
    path = [
        json.loads((place / name / "counters.json").read_text())["nodes"][0]["path"]
        for name in ("a", "b")
    ]
    wanted = {
        key.removeprefix("owner."): Fraction(path[1][key], path[1]["invocations"])
        - Fraction(path[0][key], path[0]["invocations"])
        for key in path[0]
        if key.startswith("owner.") and (path[0][key] or path[1][key])
    }
    assert {change.name: change.difference for change in found.owners()} == wanted
    assert found.ticks.difference == sum(wanted.values()) != 0
    assert found.causes()[0].name == "I-cache" and found.ticks.difference < 0
    assert {change.name for change in found.functions()} >= {"tcp_output", "ip_demux"}
    assert len(found.functions()) > 40


def test_the_range_is_that_of_runs_in_these_link_orders(
    runs: tuple[Path, Comparison], tmp_path: Path
) -> None:
    _, found = runs
    assert found.names == ("shuffle-1", "shuffle-2")
    given = {"engine": "exact", "round_trips": 3, "warmup": 2}
    ticks = []
    for n in (1, 2):
        some = [
            api.run(layout=f"shuffle-{n}", out=tmp_path / "run", **given, **more)
            for more in ({}, {"icache_size": "16KB"})
        ]
        a, b = (run.client.path.totals.ticks for run in some)
        ticks.append(Fraction(b - a, 3))
    assert found.ticks.orders == tuple(ticks) and len(set(ticks)) == 2
    assert (found.ticks.low, found.ticks.high) == (min(ticks), max(ticks))


def test_folders_say_what_their_runs_said(runs: tuple[Path, Comparison], tmp_path: Path) -> None:
    place, found = runs
    both = comparand.of(str(place / "a"), USUAL), comparand.of(str(place / "b"), USUAL)
    again = api.compare(*both, side="client", layouts=0).comparison
    assert [(c.name, c.difference) for c in again.functions()] == [
        (c.name, c.difference) for c in found.functions()
    ]
    server = api.compare(*both, side="server", layouts=0).comparison
    assert not server.functions()  # it was not logged
    with pytest.raises(UserError, match="are the same"):
        api.compare(both[0], both[0], side="client", layouts=0)


def test_functions_that_lose_a_tick_are_refused(runs: tuple[Path, Comparison]) -> None:
    place, _ = runs
    profile = Profile(place / "a", "client")
    result = api.load(place / "a").result
    rows = profile.rows()
    profile.rows = lambda: rows[:-1]
    with pytest.raises(RunError, match="have not the ticks of its record"):
        cost_of_path.of_run("a", result, "client", profile)


def test_csv_json_and_drawing_have_the_same_rows(runs: tuple[Path, Comparison]) -> None:
    _, found = runs
    rows = list(csv.DictReader(difference.text(found).splitlines()))
    content = difference.plain(found)
    for kind, part in (("owner", "owners"), ("function", "functions")):
        own = [row for row in rows if row["kind"] == kind]
        assert [(r["name"], float(r["difference"]), float(r["low"])) for r in own] == [
            (r["name"], r["difference"], r["low"]) for r in content[part]
        ]
        whole = sum(float(row["difference"]) for row in own)
        assert whole == pytest.approx(content["ticks"]["difference"])
    drawn = "".join(ElementTree.fromstring(difference.svg(found)).itertext())
    assert "i_demand" in drawn and content["functions"][0]["name"] in drawn
    assert "shuffle-1 to shuffle-2" in drawn


def test_every_owner_has_one_cause_and_a_colour() -> None:
    there = [owner for cause in causes.CAUSES for owner in cause.owners]
    assert len(set(there)) == len(there) and set(there) <= set(OWNERS)
    assert causes.of("io") is causes.OTHER
    assert causes.colour("io") == causes.OTHER.colour
    assert len({causes.colour(owner) for owner in there}) == len(there)


@pytest.fixture
def nothing_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    def start(self, words, *_, **__):
        raise AssertionError(f"{words} was started")

    monkeypatch.setattr(subprocess.Popen, "__init__", start)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("std stdd", "Did you mean std?"),
        ("std dec3000-60", "Did you mean dec3000-600?"),
        ("std {empty}", "no result.json in it"),
        ("std std", "A and B are the same, std"),
        ("std dec3000-600", "A and B are the same"),
        ("std all --variant clo", "--variant has no effect: A and B name the variants"),
        ("dec3000-600 dec3000-pmad --machine x", "--machine has no effect"),
        ("{run} {run}x --layouts 3", "no result folder"),
        ("{run} std --layouts 3", "--layouts has no effect: a finished run has one link order"),
        ("{run} ./{run} --stack rpc", "--stack has no effect: A and B are finished runs"),
        ("{run},icache.size=4KB std", "is a finished run; leave icache.size=4KB out"),
        ("std std,icache.sizes=4KB", "Did you mean icache.size"),
        ("std std,icache.size=16KB --set icache.size=4KB", "icache.size is given too"),
        ("std std,icache.size", "--set key=value"),
        ("std all --side cleint", "Did you mean client?"),
        ("std all --engine board", "exact, rtl are known"),
        ("std all --stack udp", "no stack 'udp'"),
        ("std all --svg {empty}/no/x.svg", "its folder is not there"),
        ("std all --define XK_NODVI=0", "Did you mean XK_NODIV"),
        ("all {both}", "all is a folder and a variant: ./all is the folder"),
    ],
)
def test_a_slip_is_told_before_anything_starts(
    words: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, nothing_starts
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("run", "all", "empty"):
        (tmp_path / name).mkdir()
    for name in ("run", "all") if "{both}" in words else ("run",):
        (tmp_path / name / "result.json").write_text("{}")
    words = words.format(run="run", empty="empty", both="std")
    with pytest.raises(UserError) as refused:
        COMMAND.main(["compare", *words.split()], prog_name="./mcpi", standalone_mode=False)
    assert said in str(refused.value)


def test_a_name_of_two_kinds_can_be_said_as_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "all").mkdir()
    (tmp_path / "all" / "result.json").write_text("{}")
    assert comparand.of("./all", USUAL).kind == comparand.FOLDER
    monkeypatch.setattr(recipes, "variants", lambda: ("dec3000-600", "std"))
    with pytest.raises(UserError, match="is a variant and a machine"):
        comparand.of("dec3000-600", USUAL)


def test_an_option_of_runs_is_an_option() -> None:
    """A renamed option must not slip through."""
    there = {parameter.name for parameter in COMMAND.commands["compare"].params}
    assert set(cli.OF_RUNS.split()) <= there
    assert comparing.LAYOUTS == 5  # as --help says


def test_it_prints_the_sentence_first_and_every_sum(
    runs: tuple[Path, Comparison], tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    place, found = runs
    words = ["compare", str(place / "a"), str(place / "b"), "--csv", str(tmp_path / "c.csv")]
    COMMAND.main(words, prog_name="./mcpi", standalone_mode=False)
    said = capsys.readouterr().out
    sentence = " ".join(said.strip().partition("\n\n")[0].split())  # filled into lines
    assert "fewer ticks" in sentence and "I-cache" in sentence
    assert said.count("ticks = sum of") == 2 and "more" in said
    assert (tmp_path / "c.csv").read_text().startswith("kind,name,a,b,difference")
    COMMAND.main([*words, "--json"], prog_name="./mcpi", standalone_mode=False)
    content = json.loads(capsys.readouterr().out)
    assert content["ticks"]["difference"] == float(found.ticks.difference)
