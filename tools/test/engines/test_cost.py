# SPDX-License-Identifier: BSD-2-Clause
"""The needs of a long run are known before it begins: the estimates are measured again, and a run
without room is refused at once."""

import re
import subprocess
import time
from pathlib import Path

import pytest
from tools_support.command import mcpi

from mcpi import api
from mcpi.api import tracing
from mcpi.base.errors import UserError
from mcpi.base.progress import Silent
from mcpi.build import graph, run_folder
from mcpi.engines import cost, simulated
from mcpi.engines.simulate import command
from mcpi.spec import run_jobs
from mcpi.spec.run_spec import EXACT, RunSpec
from mcpi.tracing.span_selection import Span, Wanted

REAL = run_jobs.Job(1, run_jobs.REAL)
SPEC = RunSpec(engine=EXACT, warmup=0)
REAL_TRIP = cost.Cost(cost.TRIP.memory + cost.SPELLS.memory, cost.TRIP.files + cost.SPELLS.files)

PACKED = cost.Cost(0, cost.PACKED_TRIP.files + cost.PACKED_SPELLS.files)


def measured(spec: RunSpec, folder: Path) -> cost.Cost:
    """The peak of one simulator's resident memory, and its files."""
    machine = spec.check()
    built = graph.build(spec, machine, Silent())
    run_folder.prepare(folder, spec, machine, built, [REAL])
    before = sum(path.stat().st_size for path in folder.iterdir())
    wanted, phases, options = simulated.request(spec, REAL, machine, folder)
    words = command(built.simulator, folder, ".", wanted, phases, options)
    peak = 0
    with subprocess.Popen(words, cwd=folder, stderr=subprocess.DEVNULL) as child:
        while child.poll() is None:  # the system's own peak is that of before the exec, too
            status = Path(f"/proc/{child.pid}/status").read_text()
            peak = max(peak, *map(int, re.findall(r"VmHWM:\s+(\d+)", status)), 0)
            time.sleep(0.01)
    assert child.returncode == 0
    after = sum(path.stat().st_size for path in folder.iterdir())
    return cost.Cost(peak * 1024, after - before)


@pytest.mark.parametrize(
    ("more", "trips", "each"),
    [
        ({}, (500, 4000), REAL_TRIP),
        ({"stack": "rpc"}, (500, 4000), REAL_TRIP),
        pytest.param({}, (11_000, 13_000), PACKED, marks=pytest.mark.long),
        ({"tick_log": "client"}, (40, 160), cost.TICK_LOG),
        ({"trace": "client"}, (40, 160), cost.TRACE),
    ],
    ids=["plain", "rpc", "compressed", "tick-log", "trace"],
)
def test_a_round_trip_takes_what_is_said(more, trips, each, tmp_path: Path) -> None:
    """The estimate is a little more than what is measured."""
    few, many = (
        measured(RunSpec(engine=EXACT, warmup=0, round_trips=n, **more), tmp_path / str(n))
        for n in trips
    )
    between = trips[1] - trips[0]
    files = (many.files - few.files) / between
    plain = cost.Cost() if each in (REAL_TRIP, PACKED) else REAL_TRIP
    assert 0.6 * each.files < files <= 1.1 * (each.files + plain.files)
    for took, count in ((few, trips[0]), (many, trips[1])):
        assert took.memory < cost.START.memory + count * each.memory
    if each.memory:
        assert 0.3 * each.memory < (many.memory - few.memory) / between


def test_a_run_counts_all_its_simulators() -> None:
    one = cost.of(RunSpec(round_trips=1000, warmup=0))
    ideal, real = (cost.START.files + 1000 * trip.files for trip in (cost.TRIP, REAL_TRIP))
    assert one.files == ideal + real
    assert one.memory == 2 * cost.START.memory
    three = cost.of(RunSpec(round_trips=1000, warmup=0, samples=3))
    assert three.files == ideal + 3 * real
    assert three.memory == one.memory
    assert cost.of(RunSpec(round_trips=10**6)).memory < 100_000_000
    logged = cost.of(RunSpec(round_trips=1000, warmup=0, tick_log="client", trace="server"))
    assert logged.files - one.files == 1000 * (cost.TICK_LOG.files + cost.TRACE.files)
    assert cost.of(RunSpec(engine="board", ports=("a", "b"))) == cost.Cost()


def test_what_there_is_no_memory_for_is_refused(tmp_path: Path, monkeypatch) -> None:
    """Before anything is built."""
    meminfo = tmp_path / "meminfo"
    meminfo.write_text("MemTotal: 9000000 kB\nMemAvailable: 4000000 kB\n")
    monkeypatch.setattr(cost, "MEMINFO", meminfo)
    monkeypatch.setattr(cost, "CGROUP", tmp_path)
    monkeypatch.setattr(graph, "build", None)
    many = RunSpec(engine=EXACT, round_trips=10**6, trace="client")
    with pytest.raises(UserError, match=r"--round-trips 1000000, --trace: .*160 GB .* 4\.1 GB"):
        api.perform(many, tmp_path / "a")
    with pytest.raises(UserError, match="fewer round trips or no log"):
        api.perform(RunSpec(engine=EXACT, round_trips=100_000, trace="client"), tmp_path / "a")
    with pytest.raises(UserError, match="160 GB of memory"), tracing.trace(many, Wanted()):
        pass
    with pytest.raises(UserError, match="or fewer --jobs"):
        cost.check(many, workers=8)
    (tmp_path / "memory.max").write_text("1000000000\n")
    (tmp_path / "memory.current").write_text("900000000\n")
    assert cost.available() == 100_000_000
    assert not (tmp_path / "a").exists()


def test_what_there_is_no_room_for_is_refused(tmp_path: Path, monkeypatch) -> None:
    from mcpi.base import staging

    class Usage:
        free = 100_000_000

    monkeypatch.setattr(staging.shutil, "disk_usage", lambda _: Usage)
    with pytest.raises(UserError, match=r"100,000,000 bytes are free there, and this run needs"):
        api.perform(RunSpec(engine=EXACT, round_trips=200, tick_log="client"), tmp_path / "a")
    assert list(tmp_path.iterdir()) == []


def test_a_large_run_says_what_it_takes(tmp_path: Path) -> None:
    words = ("run", "--engine", "exact", "--round-trips", "300", "--tick-log", "client")
    done = mcpi(*words, "--out", str(tmp_path / "a"))
    assert "this takes about 70 MB of memory and 203 MB of files" in done.stderr, done.stderr
    assert not cost.check(SPEC)


def test_a_span_that_does_not_fit_the_disk_is_refused(tmp_path: Path, monkeypatch) -> None:
    class Usage:
        free = 1_000_000

    monkeypatch.setattr(tracing.shutil, "disk_usage", lambda _: Usage)
    span = Span(0, 50_000, "--ticks")
    with pytest.raises(UserError, match=r"50,000 ticks take up to 1\.2 MB.* and 1\.0 MB are free"):
        tracing._check_room(span, tmp_path / "run")
    tracing._check_room(Span(0, 30_000, "--ticks"), tmp_path / "run")
