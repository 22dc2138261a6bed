# SPDX-License-Identifier: BSD-2-Clause
"""``run --check``: a run of the exact engine, repeated on the RTL and compared; one of boards,
repeated on the exact engine."""

import json
from dataclasses import replace

import pytest
from tools_support import fake_simulator
from tools_support.command import mcpi

from mcpi.api import checking, perform
from mcpi.base.errors import RunError, UserError
from mcpi.build import graph
from mcpi.spec.run_spec import BOARD, EXACT, RTL, RunSpec

SPEC = RunSpec(round_trips=3, samples=2)
#: The RTL alone is given a description of its registers.
ON_RTL = 'if "--node-json" in options: '


@pytest.fixture
def simulator(tmp_path, monkeypatch):
    """A function that puts a program in the place of both engines; ``ends``: what it adds."""

    def place(ends: str = "") -> None:
        files = fake_simulator.place(tmp_path / "built", ends=ends)
        monkeypatch.setattr(graph, "build", lambda *_: graph.Built(*files))

    return place


def test_equal_files_are_counted(simulator, tmp_path):
    simulator()
    place, _ = perform(SPEC, tmp_path / "run")
    # Events, counters, frames of three jobs, and the result.
    assert checking.check(place, SPEC) == 3 * 3 + 1
    again = json.loads((place / "rtl" / "result.json").read_text())["provenance"]
    assert again["engine"] == RTL and "--engine rtl" in again["command"]


@pytest.mark.parametrize("job", [".", "ideal", "sample-2"])
def test_a_file_that_differs_is_named(simulator, tmp_path, job):
    spoil = '(out / "console.0.txt").write_text("more")'
    simulator(f'{ON_RTL}str(out) == "{job}" and {spoil}')
    place, _ = perform(SPEC, tmp_path / "run")
    with pytest.raises(RunError, match=r"1 of 10 files differ.*\n.*console.0.txt: only in"):
        checking.check(place, SPEC)
    assert (place / "rtl" / "result.json").exists()


def on_boards(tmp_path) -> RunSpec:
    """Files of boards, which are those of a simulator, and the spec that they ran."""
    perform(SPEC, tmp_path / "run")
    for folder in (".", "ideal", "sample-2"):
        for number in (0, 1):
            (tmp_path / "run" / folder / f"console.{number}.txt").write_text("")
    return replace(SPEC, engine=BOARD, ports=("A", "B"), baud=9600)


CONSOLES = '[(out / f"console.{n}.txt").write_text("") for n in (0, 1)]'


def test_boards_are_compared_with_engine_exact(simulator, tmp_path):
    simulator(CONSOLES + '; (out / "stamps.csv").write_text("only in a simulator")')
    spec = on_boards(tmp_path)
    for file in (tmp_path / "run").rglob("stamps.csv"):
        file.unlink()
    # Counters, consoles, events and frames of three jobs.
    assert checking.check(tmp_path / "run", spec) == 3 * 5
    again = json.loads((tmp_path / "run" / "exact" / "result.json").read_text())["provenance"]
    assert again["engine"] == EXACT and "--port" not in again["command"]


@pytest.mark.parametrize("job", [".", "ideal", "sample-2"])
def test_a_counter_that_boards_have_otherwise_is_named(simulator, tmp_path, job):
    simulator(CONSOLES)
    spec = on_boards(tmp_path)
    file = tmp_path / "run" / job / "counters.json"
    counts = json.loads(file.read_text())
    counts["nodes"][1]["path"]["ticks"] += 1
    file.write_text(json.dumps(counts))
    with pytest.raises(RunError, match=r"1 of 15 files differ.*\n.*counters.json: server ticks"):
        checking.check(tmp_path / "run", spec)


def test_boards_that_count_from_their_first_tick_are_refused():
    with pytest.raises(UserError, match="give --warmup 1 or more"):
        checking.refuse(RunSpec(engine=BOARD, ports=("A", "B"), warmup=0))


def test_what_the_rtl_cannot_run_is_refused_first():
    with pytest.raises(UserError, match="no node on a wire has private b-caches"):
        checking.refuse(RunSpec(machine="dec3000-mp"))


@pytest.mark.slow
def test_a_run_is_equal_on_both_engines(tmp_path):
    done = mcpi(
        "run", "--check", "--round-trips", "2", "--cold", "--out", str(tmp_path / "run"), limit=1200
    )
    assert done.returncode == 0, done.stderr
    assert "engine exact" in done.stdout and "files, the same" in done.stderr
