# SPDX-License-Identifier: BSD-2-Clause
"""Logs of a program on several cores agree with the counters of each core; planted mistakes."""

import dataclasses
from pathlib import Path

import pytest
from sim_support import planted

from mcpi.analysis.profile import Profile
from mcpi.base.errors import RunError
from mcpi.base.progress import Silent
from mcpi.base.repo import ROOT
from mcpi.engines import base as engines
from mcpi.engines import program
from mcpi.engines.simulate import simulate
from mcpi.spec.program_spec import ProgramSpec

PROGRAMS = ROOT / "firmware/test/programs"
SPEC = ProgramSpec(
    (str(PROGRAMS / "cores.c"),), machine="challenge-100", cores=3, core=1, tick_log="client"
)
WAITS = dataclasses.replace(
    SPEC,
    sources=(str(PROGRAMS / "cores_wait.c"),),
    defines=("WAIT=1",),
    settings={"timer.hz": "1000"},
    max_ticks=2_000_000,
)
MISTAKES = planted.mistakes("core_logs_mutants")


def ran(place: Path, spec: ProgramSpec, simulator: Path | None, more: tuple[str, ...] = ()) -> Path:
    """The folder of a run of ``spec`` by ``simulator``."""
    machine = engines.judged(spec)
    built = program.prepare(spec, machine, place, Silent())
    options = ["--markers", "markers.0.csv", "--passages", "--tick-log-of", str(spec.core), *more]
    simulate(simulator or built.simulator, place, ".", spec, [], options)
    return place


def places(folder: Path, simulator: Path | None) -> None:
    """The passages of each core sum to its counters; all cores have some."""
    place = ran(folder, SPEC, simulator)
    found = program.result(SPEC, engines.judged(SPEC), place).cores.client
    assert all(core.regions["counting"].invocations == 2 for core in found)


def profile(folder: Path, simulator: Path | None) -> None:
    """The log's ticks are those of the core's counters."""
    assert Profile(ran(folder, SPEC, simulator), "client").invocations == 2


def stamps(folder: Path, simulator: Path | None) -> None:
    """Each core has passed its markers."""
    place = ran(folder, SPEC, simulator)
    rows = [row.split(",") for row in (place / "stamps.csv").read_text().splitlines()[1:]]
    for core in range(3):
        opens = [row for row in rows if row[1:] == [str(core), "window_open"]]
        assert len(opens) == (4 if core == 0 else 2)


def span(folder: Path, simulator: Path | None) -> None:
    """Every tick of the span is there once, and it is the core's."""
    place = ran(folder, SPEC, simulator, ("--span", "20000:20500", "--span-of", "1", "--ticks"))
    log = [row.split(",") for row in (place / "span.1.csv").read_text().splitlines()[1:]]
    assert sum(int(count) for _, count, *_ in log) == 500
    whole = {}
    for row in (place / "ticks.1.csv").read_text().splitlines()[1:]:
        tick, count, owner, pc, *_ = row.split(",")
        whole |= {int(tick) + n: (owner, pc) for n in range(int(count))}
    for tick, count, owner, pc, *_ in log:
        for n in range(int(count)):
            assert whole[int(tick) + n] == (owner, pc)


def stands(folder: Path, simulator: Path | None) -> None:
    """Cores that wait for each other are noticed."""
    with pytest.raises(RunError, match="no core can go on at tick"):
        ran(folder, WAITS, simulator)


CHECKS = {check.__name__: check for check in (places, profile, stamps, span, stands)}


@pytest.mark.parametrize("name", CHECKS)
def test_logs(name, tmp_path):
    CHECKS[name](tmp_path, None)


@pytest.mark.long
@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda one: one.title)
def test_a_mistake_is_found(mistake, tmp_path, monkeypatch):
    mistake.acts(monkeypatch)
    simulator = planted.program("mcpi-exact")
    with pytest.raises((AssertionError, KeyError, RunError, pytest.fail.Exception)):
        CHECKS[mistake.how["finds"]](tmp_path, simulator)
