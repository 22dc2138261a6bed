# SPDX-License-Identifier: BSD-2-Clause
"""``run --check``: a run of the exact engine, repeated on the RTL and compared."""

import json

import pytest
from tools_support import fake_simulator
from tools_support.command import mcpi

from mcpi.api import checking, perform
from mcpi.base.errors import RunError, UserError
from mcpi.build import graph
from mcpi.spec.run_spec import RTL, RunSpec

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
