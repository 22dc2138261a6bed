# SPDX-License-Identifier: BSD-2-Clause
"""The study's runs: which there are, that none runs twice, that ^C and kill lose only what ran."""

import contextlib
import dataclasses
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from rich.console import Console
from tools_support import fake_simulator
from tools_support.command import mcpi

from mcpi import studies
from mcpi.base import run_store
from mcpi.base.errors import RunError, UserError
from mcpi.base.process import heard
from mcpi.base.progress import Silent
from mcpi.base.repo import PYTHONPATH, ROOT
from mcpi.batch import perform, repeat
from mcpi.batch.plan import Extent, Wanted
from mcpi.build import graph, stretches
from mcpi.cli import main
from mcpi.spec.run_spec import EXACT, RTL, RunSpec
from mcpi.studies.sigcomm96 import maps, plan, tables
from mcpi.studies.sigcomm96.remarks import remarks
from mcpi.studykit import command

LOGGED = """def say(what):
    with Path({log!r}).open("a") as stream:
        stream.write(f"{{what}} {{phase}} {{parameters['memory.ideal']}} {{'--cold' in words}}\\n")
say("began")
time.sleep({seconds})
if Path({log!r} + ".spoil").exists() and parameters["memory.ideal"]:
    sys.exit("the simulation is spoilt")
per += 0 if parameters["memory.ideal"] else phase % 7
"""
EXTENT = Extent({"tcp": 3, "rpc": 2}, 2, 1, switches=False, extras=False)
RUNS = 3 + 2 + 2  # samples, ideal and cold, one other link order and its cold run
WANTED = Wanted(RunSpec(engine=RTL), stacks=("tcp",), variants=("std",))
CHANGED = ((graph, "build_all"), (run_store, "KEPT"), (run_store, "BUILD"), (perform, "SPEED"))
CHANGED += ((maps, "PAIRS"), (stretches, "markers"))


def house(folder: Path, seconds: float = 0.0) -> Path:
    """A simulator that logs what it did; what is kept goes below ``folder``."""
    built = folder / "built"
    begins = LOGGED.format(log=str(folder / "log"), seconds=seconds)
    program, node_json, _, pal = fake_simulator.place(built, begins, 'say("ended")')

    def build(records: list[RunSpec], *_, **__) -> list[graph.Built]:
        found = []
        for record in records:
            image = built / f"image-{record.layout}-{'-'.join(record.defines)}.elf"
            image.write_bytes(str(image.name).encode())
            found.append(graph.Built(program, node_json, image, pal))
        return found

    graph.build_all = build
    maps.PAIRS = ()  # nothing is traced
    stretches.markers = lambda image: ""  # an image here is no ELF file
    run_store.KEPT = folder / "kept"
    perform.SPEED = run_store.KEPT / "speed.json"
    run_store.BUILD = folder
    return folder / "log"


@pytest.fixture
def log(tmp_path, monkeypatch):
    for thing, name in CHANGED:
        monkeypatch.setattr(thing, name, getattr(thing, name))
    return house(tmp_path)


def study(out: Path, **more) -> None:
    """The default study, or ``name``; ``more``: other words of the request."""
    name = more.pop("name", studies.DEFAULT)
    usual = {"wanted": WANTED, "extent": EXTENT, "quick": False, "cores": 2}
    command.run(command.Request(studies.find(name), out=out, **usual | more))


def exact_study(out: Path, **more) -> None:
    study(out, wanted=dataclasses.replace(WANTED, usual=RunSpec(engine=EXACT)), **more)


def ended(log: Path) -> list[str]:
    return [line for line in log.read_text().splitlines() if line.startswith("ended")]


def began(log: Path) -> int:
    return sum(line.startswith("began") for line in log.read_text().splitlines())


def kept(folder: Path) -> int:
    """Runs that the next study finds; one that was ended between its last line and this is none."""
    found = (p for p in (folder / "kept").glob("*") if p.is_dir() and p.name != "built")
    return sum(path.suffix == "" for path in found)


def csvs(out: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in sorted(out.glob("*.csv"))}


def test_a_second_study_runs_nothing_and_gives_the_same_files(log, tmp_path):
    for name in ("a", "b"):
        study(tmp_path / name)
        assert len(ended(log)) == RUNS
    assert len(csvs(tmp_path / "a")) == len(tables.PAPERS) + 17  # of ours
    assert csvs(tmp_path / "a") == csvs(tmp_path / "b")
    for name in ("study.json", "paper.html"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_more_samples_run_only_the_new_ones(log, tmp_path):
    study(tmp_path / "a")
    more = dataclasses.replace(EXTENT, samples={"tcp": 5, "rpc": 2})
    study(tmp_path / "a", extent=more)
    assert len(ended(log)) == RUNS + 2


def test_another_image_or_machine_is_another_run(log, tmp_path, monkeypatch):
    study(tmp_path / "a")
    before = graph.build_all

    def changed(records, *words, **more):
        found = before(records, *words, **more)
        for built in found:
            built.image.write_bytes(b"another" + built.image.read_bytes())
        return found

    monkeypatch.setattr(graph, "build_all", changed)
    study(tmp_path / "b")
    assert len(ended(log)) == 2 * RUNS


def test_a_build_beside_it_changes_nothing(log, tmp_path, monkeypatch):
    run = perform.perform

    def meanwhile(*words):
        (tmp_path / "built" / "mcpi-sim").write_text("half a program")
        return run(*words)

    monkeypatch.setattr(perform, "perform", meanwhile)
    study(tmp_path / "a")
    assert len(ended(log)) == RUNS


def test_a_run_that_fails_loses_nothing_else(log, tmp_path):
    spoil = log.with_name("log.spoil")
    spoil.touch()
    with pytest.raises(RunError, match="the simulation is spoilt"):
        study(tmp_path / "a")
    good = len(ended(log))
    assert kept(tmp_path) == good < RUNS  # also what was under way when the other failed
    spoil.unlink()
    study(tmp_path / "a")
    assert len(ended(log)) == RUNS
    assert len(set(ended(log))) == RUNS - 2  # the shuffled ones look like the first: none twice


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_an_interrupted_study_goes_on_where_it_was(tmp_path, number, monkeypatch):
    """In a process of its own, ended in the middle."""
    script = (
        "import sys; from pathlib import Path; import test_command as t;"
        "t.house(Path(sys.argv[1]), 0.7); t.study(Path(sys.argv[1]) / 'a')"
    )
    path = f"{PYTHONPATH}:{Path(__file__).parent}:{Path(__file__).parents[1]}"
    child = subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path)],
        env={**os.environ, "PYTHONPATH": path},
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    log, deadline = tmp_path / "log", time.monotonic() + 60
    while not log.exists() or len(ended(log)) < 2:
        assert child.poll() is None and time.monotonic() < deadline
        time.sleep(0.05)
    time.sleep(0.3)  # those that come next are under way
    os.killpg(child.pid, number) if number == signal.SIGKILL else child.send_signal(number)
    assert child.wait(timeout=30) != 0
    before, found = began(log), kept(tmp_path)
    assert 1 <= found < RUNS
    for thing, name in CHANGED:
        monkeypatch.setattr(thing, name, getattr(thing, name))
    house(tmp_path)
    # The simulator is another file now (it does not sleep): its digest must not hide what is kept.
    program = tmp_path / "built" / "mcpi-sim"
    program.write_text(program.read_text().replace("time.sleep(0.0)", "time.sleep(0.7)"))
    study(tmp_path / "a")
    assert began(log) - before == RUNS - found


@pytest.mark.parametrize("name", studies.there())
def test_every_study_says_what_it_runs(name, monkeypatch) -> None:
    """Each stack of the full plan has a line, also one that has no whole version; runs may be kept
    outside the checkout."""
    monkeypatch.setattr(run_store, "KEPT", Path("/kept/elsewhere"))
    found = studies.find(name)
    request = command.usual(found, name, quick=False, cores=2)
    people = Console(record=True, width=200, file=io.StringIO())
    plan_ = found.plan(request.wanted, request.extent)
    command._budget(plan_, request, people)
    said = people.export_text()
    assert "what has ended is in /kept/elsewhere/" in said
    for spec in (e.spec for e in plan_):
        assert not isinstance(spec, RunSpec) or spec.stack.upper() in said


def test_the_budget_is_said_first_and_the_paper_s_versions_are_named(log, tmp_path, capsys):
    study(tmp_path / "a", tables=("6",))
    plain = capsys.readouterr().err
    assert not [line for line in plain.partition("Table 6")[0].splitlines() if line[80:]]
    said = " ".join(plain.split())
    assert "TCP: STD × (3 samples + ideal memory + cold) × 2 round trips" in said
    assert f"{RUNS} runs of 2 images" in said
    # No rate has been measured here yet: no estimate is made up.
    assert f"{RUNS} runs, 0 kept, {RUNS} left; the bar has an estimate once" in said
    assert said.index("runs of 2 images") < said.index("Table 6")
    assert "again: ./mcpi paper --stack tcp --variant std --engine rtl --samples 3" in said
    assert re.search(rf"where time went: images [\d.]+ s; maps .* rtl {RUNS} × [\d.]+ s = ", said)


def test_one_estimate_from_what_was_measured(log, tmp_path, capsys):
    run_store.KEPT.mkdir()
    perform.SPEED.write_text(json.dumps({"rtl": 100_000}))
    study(tmp_path / "a")
    said = " ".join(capsys.readouterr().err.split())
    ticks = [e.ticks for e in plan.plan(WANTED, EXTENT)]
    seconds = sum(ticks) / 100_000
    words = f"{RUNS} left × {seconds / RUNS:.2g} s: about {perform.minutes(seconds / 2)} on 2 cores"
    assert f"{words}, at the last" in said
    assert said.count("about") == 1
    assert perform.measured(WANTED.usual) != 100_000  # it was measured anew
    study(tmp_path / "a")
    assert f"{RUNS} runs, {RUNS} kept, 0 left" in " ".join(capsys.readouterr().err.split())


def _task(name: str, seconds: float) -> SimpleNamespace:
    experiment = SimpleNamespace(shuffle=0, spec=WANTED.usual)
    about = {"kept": False, "seconds": seconds, "ticks": 1, "done": 0.0}
    return SimpleNamespace(experiment=experiment, how=lambda: name, **about)


@pytest.mark.parametrize("cores", [1, 3])
@pytest.mark.parametrize("fails", ["", "a", "d", "long"])
def test_runs_that_others_wait_for_come_first(log, monkeypatch, cores, fails):
    """Then the longest; the steps go on while the others run, and a run that fails ends all."""
    ran, steps = [], [["a", "b", "c"], ["d"], ["e", "f"], []]

    def once(name: str, *_) -> bool:
        ran.append(name)
        if name == fails:
            raise RunError(name)
        return True

    def more() -> list:
        return [_task(name, 1.0) for name in steps.pop(0)]

    monkeypatch.setattr(perform.simulate, "once", once)

    left = [_task("short", 1.0), _task("long", 9.0)]
    if fails:
        with pytest.raises(RunError, match=fails):
            perform.perform(left, cores, Silent(), more=more)
        assert "f" not in ran or fails == "long"
        return
    assert perform.perform(left, cores, Silent(), more=more) == 8
    assert sorted(ran) == sorted([*"abcdef", "long", "short"])
    assert ran.index("d") < ran.index("e")
    if cores == 1:
        assert ran == [*"abcdef", "long", "short"]


def test_a_study_that_is_started_again_has_a_bar_from_its_start(log, tmp_path, monkeypatch):
    """Reading what is kept takes a minute for a whole study."""
    study(tmp_path / "a")
    shown = []

    class Shown(Silent):
        @contextlib.contextmanager
        def task(self, title, total=0):
            shown.append((title, total))
            yield lambda *_: None

    monkeypatch.setattr(command, "Bar", Shown)
    study(tmp_path / "a")
    assert shown[:2] == [("folders", 2), ("what is kept", RUNS)]


REPEATS = dataclasses.replace(EXTENT, repeats=2)


def test_a_part_of_an_exact_study_runs_on_the_rtl_again(log, tmp_path, capsys):
    """The version's first sample and two more; only the RTL is given what an elaboration made."""
    exact_study(tmp_path / "a", extent=REPEATS)
    assert len(ended(log)) == RUNS + 3
    said = " ".join(capsys.readouterr().err.split())
    assert f"3 of {RUNS} runs repeated on the RTL, 0 differences" in said
    assert "the first sample of each version, and 2 more, drawn by --seed" in said
    repeated = json.loads((tmp_path / "a" / "study.json").read_text())["provenance"]["repeated"]
    assert repeated == f"3 of {RUNS} runs repeated on the RTL, 0 differences"
    for part, engine in (("runs", EXACT), ("rtl", RTL)):
        place = tmp_path / "a" / part / "tcp-std"
        assert json.loads((place / "spec.json").read_text())["engine"] == engine
        assert ("--node-json" in (place / "command.txt").read_text()) == (engine == RTL)
    study(tmp_path / "b")
    assert csvs(tmp_path / "a") == csvs(tmp_path / "b")


def test_what_is_repeated_is_drawn_by_the_seed():
    experiments = plan.plan(Wanted(RunSpec(engine=EXACT)), plan.QUICK)
    part = repeat.chosen(experiments, plan.QUICK, 1)
    runs = [(e.name, job.folder) for e in part for job in e.jobs]
    versions = {e.name for e in experiments if e.whole}
    assert {(name, ".") for name in versions} <= set(runs) and len(runs) == len(versions) + 2
    assert {repeat.on_rtl(e).spec.engine for e in part} == {RTL}
    assert part == repeat.chosen(experiments, plan.QUICK, 1)
    assert part != repeat.chosen(experiments, plan.QUICK, 2)


WRONG = {
    "a tick": """if "--node-json" not in words: per += 1\n""",
    "an event": """if "--node-json" not in words: trips -= 1\n""",
}


@pytest.mark.parametrize("name", WRONG)
def test_a_difference_fails_the_study_and_is_named(log, tmp_path, name):
    program = tmp_path / "built" / "mcpi-sim"
    text = program.read_text()
    program.write_text(text.replace("tick, rows = 100", WRONG[name] + "tick, rows = 100", 1))
    file = "counters.json" if name == "a tick" else "events.csv"
    with pytest.raises(
        RunError, match=rf"(?s)repeated on the RTL, [1-9].*runs/tcp-std/{file}: "
    ) as said:
        exact_study(tmp_path / "a", extent=REPEATS)
    assert "the exact engine first, then the RTL" in str(said.value)
    assert not (tmp_path / "a" / "study.json").exists()


def test_times_for_people():
    seconds = (0.2, 59.1, 61, 12 * 60, 125 * 60)
    assert [perform.minutes(s) for s in seconds] == ["1 s", "1 min", "2 min", "12 min", "2 h 5 min"]


def test_a_kept_file_that_changes_is_read_again(tmp_path):
    file = tmp_path / "f"
    file.write_text("one")
    before = run_store.key(["x=f"], tmp_path)
    file.write_text("two")  # as long, perhaps in the same second
    assert run_store.key(["x=f"], tmp_path) != before


def test_shuffled_link_orders_are_measured_and_stand_beside(log, tmp_path):
    study(tmp_path / "a")
    noise = json.loads((tmp_path / "a" / "study.json").read_text())["results"]["tcp"]["std"]
    spread = noise["layout_noise"]
    assert spread["layouts"] == 1
    assert spread["mean_us"]["median"] == pytest.approx(noise["round_trip"]["mean_us"], rel=0.01)
    assert spread["time_us"]["max"] == pytest.approx(noise["steady"]["client"]["time_us"], rel=0.01)
    assert spread["mcpi"]["min"] == pytest.approx(noise["steady"]["client"]["mcpi"], rel=0.01)
    text = (tmp_path / "a" / "layout_noise.csv").read_text()
    line = next(line for line in text.splitlines() if line.startswith("TCP/IP,STD"))
    assert line.split(",")[2:6] == [f"{noise['round_trip']['mean_us']:.1f}"] + [
        f"{noise['layout_noise']['mean_us'][k]:.1f}" for k in ("median", "min", "max")
    ]


def test_a_folder_of_something_else_is_refused(log, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("dear")
    with pytest.raises(UserError, match="holds no study; name another"):
        study(tmp_path / "mine")


def test_a_run_needs_neither_plots_nor_templates():
    """They are not in setup/python/exec.txt; a study needs plots when it draws, not before."""
    code = "import sys, mcpi.cli.main, mcpi.api, mcpi.results.summary; from mcpi import studies;"
    code += "print({'jinja2', 'matplotlib'} & set(sys.modules)); studies.find();"
    code += "print('matplotlib' in sys.modules)"
    env = {**os.environ, "PYTHONPATH": PYTHONPATH}
    done = heard([sys.executable, "-c", code], env=env)
    assert done.stdout == "set()\nFalse\n", done.stdout + done.stderr


FAKE = """
from mcpi.spec import run_jobs
from mcpi.studykit import page
from mcpi.studykit.cell import Cell, Column, Row, Table
from mcpi.studykit.definition import Study
from mcpi.batch.plan import Experiment, Extent

EXTENT = Extent({"tcp": 1}, 2, 0)


def plan(wanted, extent):
    record = wanted.spec(extent, "tcp", "out", cold=True)
    jobs = tuple(run_jobs.jobs(record))
    return [Experiment("only", record, jobs, ("results", "tcp", "out"))]


def tables(study):
    cell = Cell(study.result("tcp", "out")["steady"]["client"]["instructions"], 4711)
    columns = (Column("length", "Length", 0),)
    row = Row(("OUT",), {"length": cell})
    return [Table("table1", "A fake table", ("Version",), columns, (row,))]


STUDY = Study(
    "A fake study", EXTENT, EXTENT, plan, tables,
    lambda study, made: page.page("A fake study", study, [("Tables", made)]),
    numbers=("1",), shown=("1",),
)
"""


def test_a_study_is_added_by_its_folder(log, tmp_path, monkeypatch, capsys):
    """It is found by its name, runs, prints its table, and its page has it beside the paper's."""
    (tmp_path / "more" / "fake96").mkdir(parents=True)
    (tmp_path / "more" / "fake96" / "study.py").write_text(FAKE)
    monkeypatch.setattr(studies, "__path__", [*studies.__path__, str(tmp_path / "more")])
    with pytest.raises(UserError, match="no study 'fake'. There are: .*fake96, .*sigcomm96"):
        studies.find("fake")
    fake = studies.find("fake96")
    out = tmp_path / "a"
    main.app(["paper", "fake96", "--jobs", "2", "--out", str(out)], standalone_mode=False)
    said = capsys.readouterr().err
    assert "A fake table" in said and "OUT      500 (4711)" in said
    assert "again: ./mcpi paper fake96\n" in said
    assert [path.name for path in sorted(out.glob("*.csv"))] == ["table1.csv"]
    text = (out / "paper.html").read_text()
    assert '<td class="ours">500</td><td class="theirs">4711</td>' in text
    assert studies.find("fake96") is fake and studies.find().numbers[-1] == "9"


def test_what_there_is_not_is_named():
    there = ("std",)
    assert set(plan.absent(there)) == set(plan.ORDER) - {"std"}
    assert plan.absent(plan.ORDER) == {}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ["sosp97"],
            "no study 'sosp97'. There are: extensions, osdi94, sigcomm96, slides, tr9304.",
        ),
        (["tr9034"], "slides, tr9304. Did you mean tr9304?"),
        (["--variant", "slow"], "no variant 'slow'. There are: "),
        (["--stack", "udp"], "no stack 'udp'. There are: tcp, rpc"),
        (["--table", "10"], "no table '10'. There are: 1, 2, 3, 4, 5, 6, 7, 8, 9"),
        (["--engine", "qemu"], "no engine 'qemu'. There are: rtl, exact, board"),
        (["--engine", "board"], "give the client's serial port"),
        (["--machine", "vax"], "no machine 'vax'"),
        (["--set", "bcache.read_ticks=64"], "outside 3 to 63 ticks"),
        (["--out", str(ROOT / "docs")], "holds no study"),
        (["--samples", "0"], "--samples"),
    ],
)
def test_wrong_usage(words, said):
    done = mcpi("paper", *words)
    assert done.returncode == 2, done.stderr
    assert said in " ".join(done.stderr.split()) and "Traceback" not in done.stderr
    assert done.stdout == ""


def test_help_teaches():
    text = mcpi("paper", "--help").stdout
    for words in ("./mcpi paper --quick", "^C", "build/runs/", "--shuffles", "paper.md"):
        assert words in text
    assert "./mcpi calibrate --write" in mcpi("calibrate", "--help").stdout


def test_frames_and_servers_that_differ_are_remarked():
    def result(digest: str, peer: str) -> dict:
        return {"wire": {"digest": digest}, "provenance": {"peer_variant": peer}}

    tcp = {"std": result("a", "std"), "out": result("b", "out"), "pin": result("a", "pin")}
    rpc = {"std": result("c", "all"), "out": result("c", "all")}
    assert remarks({"tcp": tcp, "rpc": rpc}) == ["TCP: other frames than STD's: OUT."]
    rpc = {"std": result("c", "std"), "all": result("c", "all")}
    assert remarks({"rpc": rpc}) == [
        "RPC's server should be ALL in every row; it is not in: STD with STD."
    ]
