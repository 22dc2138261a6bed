# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi sweep``: the grid, each run once, workers that die, ^C, and the data set."""

import contextlib
import csv
import dataclasses
import json
import os
import signal
import statistics
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

import duckdb
import pandas
import psutil
import pytest
from typer.main import get_command

import mcpi
from mcpi import api
from mcpi.api.sweeping import cluster, dataset, grid, perform, point
from mcpi.base import run_store
from mcpi.base.errors import RunError, UserError
from mcpi.base.progress import Silent
from mcpi.base.repo import ROOT
from mcpi.build import graph
from mcpi.cli import main, sweep
from mcpi.spec.run_spec import EXACT, RunSpec

COMMAND = get_command(main.app)
SHORT = {"round_trips": 2, "warmup": 2}


@pytest.fixture(autouse=True)
def kept(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store of each test's own, for workers too."""
    place = tmp_path_factory.mktemp("kept")
    monkeypatch.setattr(run_store, "KEPT", place)
    monkeypatch.setattr(perform, "COST", place / "seconds.json")
    monkeypatch.setenv("MCPI_KEPT", str(place))
    return place


def test_a_grid_has_every_combination_once() -> None:
    found = grid.of(
        {"variant": ["std", "all"], "set": {"icache.size": ["4KB", "8KB", "16KB"]}, **SHORT},
        layouts=2,
        seeds=4,
    )
    assert len(found.specs) == 2 * 3 * 3 * 4 == len({repr(spec) for spec in found.specs})
    assert str(found) == "2 variants × 3 icache_size × 3 layouts × 4 seeds"
    assert {spec.layout for spec in found.specs} == {"default", "shuffle-1", "shuffle-2"}
    assert {spec.seed for spec in found.specs} == {1, 2, 3, 4}
    assert {spec.engine for spec in found.specs} == {EXACT}
    assert found.specs[0] == RunSpec(engine=EXACT, settings={"icache.size": "4KB"}, **SHORT)
    assert grid.of({"icache_size": "4KB", "seed": range(3)}).axes == {"seed": (0, 1, 2)}
    assert str(grid.of({})) == "one combination"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"variants": ["std"]}, "Did you mean variant?"),
        ({"variant": []}, "no value"),
        ({"variant": ["std", "std"]}, "given twice"),
        ({"seed": [1], "seeds": 3}, "seed and seeds contradict"),
        ({"layout": ["default"], "layouts": 3}, "layout and layouts contradict"),
        ({"seed": range(100), "icache_size": range(2000)}, "200,000 runs"),
        ({"samples": 3}, "no option of a sweep"),
        ({"engine": "board"}, "a sweep runs on exact or rtl"),
        ({"set": {"icache.sizes": 1}}, "Did you mean icache.size"),
        ({"set": {"icache.size": "4KB"}, "icache_size": "8KB"}, "given twice"),
        ({"icache_size": ["4KB", "5KB"]}, "not a power of two"),
        ({"variant": ["std", "swift"]}, "no variant 'swift'"),
        ({"variant": ["clo", "std"], "layout": "linear"}, "std does not clone"),
        ({"cluster": "here"}, "local, slurm, or the address"),
    ],
)
def test_a_slip_is_told_before_anything_starts(given, said, monkeypatch) -> None:
    def start(self, words, *_, **__):
        raise AssertionError(f"{words} was started")

    monkeypatch.setattr(subprocess.Popen, "__init__", start)
    with pytest.raises(UserError) as refused:
        mcpi.sweep(**given)
    assert said in str(refused.value)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--variant std,al", "no variant 'al'"),
        ("--variant std,,all", "a value between two commas is empty"),
        ("--set icache.size=4KB,5KB", "not a power of two"),
        ("--set icache.sizes=4KB", "Did you mean icache.size"),
        ("--x icache_siz --set icache.size=4KB,8KB", "Did you mean icache_size?"),
        ("--y t_p", "--y t_p: "),
        ("--by variants", "Did you mean variant?"),
        ("--cluster here", "--cluster here: local, slurm"),
        ("--engine board", "exact, rtl are known"),
        ("--out {file}", "is not a run's folder"),
    ],
)
def test_a_typed_slip_is_told_too(words, said, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(perform, "build", None)
    (tmp_path / "file").write_text("a file")
    with pytest.raises(UserError) as refused:
        COMMAND.main(
            ["sweep", *words.format(file=tmp_path / "file").split()], standalone_mode=False
        )
    assert said in str(refused.value)


def test_a_command_says_the_grid_that_the_keywords_say(monkeypatch, tmp_path) -> None:
    asked = []

    def stop(wanted, *rest):
        asked.append((wanted, *rest[:2]))
        raise UserError("enough")

    monkeypatch.setattr(perform, "sweep", stop)
    words = "--variant std,all --set icache.size=4KB,8KB --seeds 10 --layouts 2 --jobs 3"
    words += " --define XK_USC=0 --round-trips 5 --cluster tcp://a:1 --stack rpc"
    with pytest.raises(UserError, match="enough"):
        COMMAND.main(["sweep", *words.split(), "--out", str(tmp_path / "x")], standalone_mode=False)
    given = {"stack": "rpc", "variant": ["std", "all"], "icache_size": ["4KB", "8KB"]}
    given |= {"defines": ["XK_USC=0"], "round_trips": 5}
    wanted = grid.of(given, layouts=2, seeds=10)
    (found, where, workers) = asked[0]
    assert sorted(map(repr, found.specs)) == sorted(map(repr, wanted.specs))
    assert found.axes == wanted.axes and (where, workers) == ("tcp://a:1", 3)


def test_a_run_counts_by_its_content(tmp_path: Path) -> None:
    """The place of a machine's file and of an image changes nothing; a setting, a word of the image
    or of the simulator does."""
    one = grid.of({**SHORT, "variant": "std"}).specs[0]
    built = perform.build(grid.Grid((one,), {}, ()), Silent())[0].built
    key = point.point(one, built).key
    copy = tmp_path / "image.elf"
    copy.write_bytes(built.image.read_bytes())
    moved = dataclasses.replace(built, image=copy)
    assert point.point(one, moved).key == key
    machine = tmp_path / "dec3000-600.toml"
    machine.write_text((ROOT / "machines" / "dec3000-600.toml").read_text())
    same = grid.of({**SHORT, "variant": "std", "machine": str(machine)}).specs[0]
    assert point.point(same, built).key == key
    changed = grid.of({**SHORT, "variant": "std", "icache_size": "4KB"}).specs[0]
    assert point.point(changed, built).key != key
    other = tmp_path / "simulator"
    other.write_bytes(b"x")
    for wrong in (
        dataclasses.replace(built, image=other),
        dataclasses.replace(built, simulator=other),
        dataclasses.replace(built, pal=other),
        dataclasses.replace(built, peer=other),
    ):
        assert point.point(one, wrong).key != key


@pytest.mark.parametrize("mutant", [False, True])
def test_images_of_two_machines_are_apart(mutant: bool, monkeypatch) -> None:
    """Copies lie by the size of the I-cache, and both builds have the same file. Without a copy of
    each (the mutant) all runs would have the last machine's."""
    if mutant:
        monkeypatch.setattr(graph.Built, "lasting", lambda built: built)
    wanted = grid.of({"variant": "all", "icache_size": ["4KB", "8KB"], **SHORT})
    images = [one.built.image.read_bytes() for one in perform.build(wanted, Silent())]
    assert (images[0] == images[1]) == mutant


class Watching(Silent):
    """Calls ``then`` once, after ``count`` runs; ``said``: lines for people."""

    def __init__(self, count: int = 0, then=lambda: None) -> None:
        super().__init__()
        self.count, self.then, self.said, self.done = count, then, [], False

    def say(self, line: str) -> None:
        self.said.append(line)

    def task(self, title: str, total: int = 0):
        @contextlib.contextmanager
        def task():
            def update(done: int, all_: int, what: str) -> None:
                if title == "runs" and done >= self.count > 0 and not self.done:
                    self.done = True
                    self.then()

            yield update

        return task()


def workers() -> list[psutil.Process]:
    """The processes that run runs, below this one."""
    below = psutil.Process().children(recursive=True)
    return [p for p in below if "spawn_main" in " ".join(_words(p))]


def _words(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.Error:
        return []


def killed() -> None:
    one = workers()[0]
    one.kill()


@pytest.mark.long
def test_a_killed_worker_loses_nothing_and_no_run_runs_twice(tmp_path: Path, kept: Path) -> None:
    """Then it goes on from what is kept; one more axis runs what is new alone."""
    given = {"variant": ["std", "all"], "icache_size": ["4KB", "8KB"], **SHORT}
    bar = Watching(3, killed)
    found = mcpi.sweep(**given, layouts=1, seeds=3, jobs=2, bar=bar, out=tmp_path / "one")
    assert bar.done, "no worker was killed"
    assert len(found) == found.ran == 24 and not found.frame.isna().any().any()
    assert "24 to run" in bar.said[1] and "a guess, none has been measured" in bar.said[1]
    files = {p.name: p.stat().st_mtime_ns for p in kept.glob("*.json")}
    assert len(files) == 25  # and seconds.json
    bar = Watching()
    again = mcpi.sweep(**given, layouts=1, seeds=4, jobs=2, bar=bar)
    assert again.ran == 8 and len(again) == 32
    assert "24 are kept from before; 8 to run" in bar.said[1] and "as measured" in bar.said[1]
    for name in files.keys() - {"seconds.json"}:
        assert (kept / name).stat().st_mtime_ns == files[name]
    same = again.frame[again.frame.seed <= 3].reset_index(drop=True)
    pandas.testing.assert_frame_equal(same, found.frame)
    assert not workers()
    _the_files_say_the_same(found, tmp_path / "one")
    _the_rows_are_single_runs(found, tmp_path)
    _the_plot_has_every_line(found)


def _the_files_say_the_same(found: mcpi.Dataset, folder: Path) -> None:
    """Read the files with DuckDB, pandas and Python's own reader of CSV."""
    file = folder / dataset.PARQUET
    query = f"select variant, icache_size, median(t_p_us), count(*) from '{file}' group by all"
    medians = {row[:2]: row[2:] for row in duckdb.sql(query).fetchall()}
    assert len(medians) == 4 and all(count == 6 for _, count in medians.values())
    for names, (median, _) in medians.items():
        rows = found.frame.set_index(["variant", "icache_size"]).sort_index().loc[names]
        assert median == pytest.approx(statistics.median(rows.t_p_us))
    pandas.testing.assert_frame_equal(pandas.read_parquet(file), found.frame)
    with (folder / dataset.CSV).open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [float(row["i_demand"]) for row in rows] == list(found.frame.i_demand)
    assert [int(row["icache_size"]) for row in rows] == list(found.frame.icache_size)
    pandas.testing.assert_frame_equal(dataset.read(folder).frame, found.frame)
    assert dataset.read(folder).axes == found.axes
    assert json.loads((folder / dataset.ABOUT).read_text())["runs"] == 24


def _the_rows_are_single_runs(found: mcpi.Dataset, tmp_path: Path) -> None:
    """A row is what one run of the same spec says; owners sum to the ticks in each."""
    owners = found.frame[[*api.sweeping.dataset.OWNERS]].sum(axis=1)
    assert (owners - found.frame.ticks).abs().max() < 1e-6
    row = found.frame.query("variant == 'all' and icache_size == 4096 and seed == 3").iloc[1]
    assert row.layout == "shuffle-1"
    given = {"variant": "all", "icache_size": "4KB", "seed": 3, "layout": "shuffle-1", **SHORT}
    run = mcpi.run(**given, out=tmp_path / "run")
    assert (row.t_p_us, row.icpi, row.t_e_us) == (run.client.t_p_us, run.client.icpi, run.t_e_us)
    assert row.server_t_p_us == run.server.t_p_us
    assert row.icache_misses == run.client.path.icache.misses


def _the_plot_has_every_line(found: mcpi.Dataset) -> None:
    for plot in (found.plot("icache_size", "t_p_us", by="variant"), found.plot()):
        text = "".join(ElementTree.fromstring(plot.svg).itertext())
        for word in ("std", "all", "4KB", "8KB", "2 link orders and 3 seeds", "T_p"):
            assert word in text
    assert "d_miss (ticks)" in found.plot("variant", "d_miss").svg
    for wrong in ({"x": "icache_siz"}, {"y": "t_p"}, {"by": "variants"}):
        with pytest.raises(UserError, match="Did you mean|no column"):
            found.plot(**wrong)


def test_an_interrupted_sweep_goes_on(tmp_path: Path, kept: Path) -> None:
    """^C to the whole group of processes, as a terminal sends it: 130, what ended is kept, no
    folder that looks finished, no process that goes on."""
    words = "sweep --variant std --set icache.size=4KB,8KB --seeds 12 --round-trips 2 --warmup 2"
    words = [sys.executable, "-m", "mcpi", *words.split(), "--out", str(tmp_path / "x")]
    how = {"cwd": ROOT, "stderr": subprocess.PIPE, "text": True, "start_new_session": True}
    child = subprocess.Popen(words, **how)
    until = time.monotonic() + 100
    while len(list(kept.glob("*.json"))) < 3 and time.monotonic() < until:
        time.sleep(0.05)
    below = psutil.Process(child.pid).children(recursive=True)
    os.killpg(child.pid, signal.SIGINT)
    said = child.communicate(timeout=60)[1]
    assert child.returncode == 130, said
    assert "interrupted" in said and "Traceback" not in said
    assert not (tmp_path / "x").exists()
    psutil.wait_procs(below, timeout=10)
    assert not [p for p in below if p.is_running() and p.status() != psutil.STATUS_ZOMBIE]
    there = len(list(kept.glob("*.json")))
    assert 3 <= there < 24
    done = subprocess.run(words, **how | {"check": False, "stdout": subprocess.PIPE}, timeout=120)
    assert done.returncode == 0, done.stderr
    assert f"{there} are kept from before; {24 - there} to run" in done.stderr
    assert len(pandas.read_parquet(tmp_path / "x" / dataset.PARQUET)) == 24
    assert "t_p_us: median and range" in done.stdout


def test_a_run_that_fails_ends_the_sweep_and_says_its_line() -> None:
    """Runs that ended before are kept. The failing one's image is PALcode."""
    wanted = grid.of({"seed": [1, 2], **SHORT})
    points = perform.build(wanted, Silent())
    bad = dataclasses.replace(points[1].built, image=points[1].built.pal)
    broken = point.Point(wanted.specs[1], bad, "0" * 24)
    with pytest.raises(RunError, match=r"again: ./mcpi run .*--seed 2"):
        perform.run([points[0], broken], "local", 1, Silent())
    assert run_store.result(points[0].key).is_file()
    assert not run_store.result(broken.key).is_file()


def test_workers_of_a_scheduler_elsewhere(tmp_path: Path, kept: Path) -> None:
    """They see the same checkout; others are refused."""
    with cluster._local(1) as address:
        found = mcpi.sweep(seed=[1, 2], **SHORT, cluster=address)
        assert found.ran == 2
        with pytest.raises(RunError, match="does not have this checkout"):
            cluster._sees_us(_Other(), "tcp://a:1")
    with pytest.raises(RunError, match="no scheduler answers"):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(cluster, "ANSWERS", 1)
            mcpi.sweep(seed=[3], **SHORT, cluster="tcp://127.0.0.1:9")


def test_a_scheduler_that_dies_is_one_line_and_the_same_command_goes_on(tmp_path, kept) -> None:
    words = "sweep --variant std --seeds 12 --round-trips 2 --warmup 2"
    words = [sys.executable, "-m", "mcpi", *words.split(), "--out", str(tmp_path / "x")]
    how = {"cwd": ROOT, "stderr": subprocess.PIPE, "text": True}
    with cluster._local(1) as address:
        child = subprocess.Popen([*words, "--cluster", address], **how)
        until = time.monotonic() + 100
        while len(list(kept.glob("*.json"))) < 2 and time.monotonic() < until:
            time.sleep(0.05)
        below = psutil.Process().children(recursive=True)
        [scheduler] = [p for p in below if "distributed.cli.dask_scheduler" in _words(p)]
        scheduler.kill()
        said = child.communicate(timeout=60)[1]
    assert child.returncode == 1 and "Traceback" not in said, said
    assert "has gone." in said and "the same command goes on" in said
    assert not (tmp_path / "x").exists()
    there = len(list(kept.glob("*.json")))
    done = subprocess.run(words, **how, check=False, stdout=subprocess.PIPE, timeout=120)
    assert done.returncode == 0 and f"{there} are kept from before" in done.stderr, done.stderr


def test_an_address_where_nobody_listens_is_said_soon(kept, monkeypatch) -> None:
    """The minute that a scheduler may take to answer is not waited for."""
    monkeypatch.setattr(cluster, "ANSWERS", 1)
    began = time.monotonic()
    with (
        pytest.raises(RunError, match=r"no scheduler answers: Connection refused\. Start one"),
        cluster.opened("tcp://127.0.0.1:9", 1),
    ):
        pass
    assert time.monotonic() - began < 5


class _Other:
    """A client whose worker has another checkout."""

    def wait_for_workers(self, *_, **__) -> None:
        pass

    def run(self, *_) -> dict[str, str]:
        return {"tcp://b:2": ""}


def test_an_option_of_the_command_is_used() -> None:
    """The options of the grid are in the test above."""
    names = {p.name for p in COMMAND.commands["sweep"].params}
    assert names == {
        *("stack", "variant", "machine", "set_", "seeds", "layouts", "define", "engine"),
        *("round_trips", "warmup", "cluster", "jobs", "x", "y", "by", "out", "help"),
        *("sources", "optimise", "measure", "shard"),
    } - ({"help"} - names)
    assert sweep.ROUND_TRIPS == 20
