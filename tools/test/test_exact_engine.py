# SPDX-License-Identifier: BSD-2-Clause
"""Engine ``exact``: the same folder as engine ``rtl``, built of less, or a refusal by name."""

import resource
import shutil
import subprocess
from pathlib import Path

import pytest
from command import mcpi

from mcpi.base.errors import UserError
from mcpi.base.progress import Bar
from mcpi.build import graph, models, run_folder
from mcpi.engines import base as engines
from mcpi.engines import simulate
from mcpi.results import folders
from mcpi.spec.run_spec import EXACT, RTL, RunSpec

SHORT = ["--round-trips", "3", "--warmup", "2"]


def ran(engine: str, place: Path, *words: str) -> Path:
    done = mcpi("run", "--engine", engine, *SHORT, *words, "--out", str(place / engine))
    assert done.returncode == 0, done.stderr
    return place / engine


@pytest.mark.parametrize(
    "words",
    [
        ["--cold", "--trace", "client", "--tick-log", "client"],
        ["--stack", "rpc", "--variant", "all", "--samples", "2", "--seed", "3"],
        [
            "--loss",
            "0.05",
            "--wire",
            "client:corrupt=0.05",
            "--variant",
            "clo",
            "--layout",
            "micro",
        ],
        "--duplication 0.1 --reordering 0.1 --delay 0.2 --delay-us 400 --seed 5".split(),
    ],
    ids=["cold", "samples", "loss", "disorder"],
)
def test_the_folder_is_that_of_the_rtl(words, tmp_path):
    """``result.json`` too."""
    rtl, exact = (ran(engine, tmp_path, *words) for engine in (RTL, EXACT))
    assert (rtl / "result.json").exists() and not folders.differences(rtl, exact)


def test_it_needs_no_hardware(monkeypatch, tmp_path):
    """Neither Java nor Verilator, and nothing of the RTL is built."""
    for name in ("_elaborate", "verilator"):
        monkeypatch.setattr(graph, name, None)
    there = shutil.which
    absent = graph.FOR_RTL
    monkeypatch.setattr(shutil, "which", lambda name: None if name in absent else there(name))
    spec = RunSpec(engine=EXACT, settings={"icache.size": "16KB"})
    machine = engines.judged(spec)
    built = graph.build(spec, machine)
    assert built.simulator == models.PLACE / "mcpi-exact" and built.node_json is None
    with pytest.raises(UserError, match="verilator is missing"):
        graph.check_tools(RTL)


def test_it_starts_at_once(tmp_path):
    """A tenth of a second of a processor, with both images read."""
    spec = RunSpec(engine=EXACT)
    machine = engines.judged(spec)
    with Bar() as bar:
        built = run_folder.build(tmp_path / "run", spec, machine, bar)
    words = simulate.command(built.simulator, tmp_path / "run", ".", spec, [1, 1], [])
    words[words.index("--max-ticks") + 1] = "1"
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(words, cwd=tmp_path / "run", capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.returncode == 1 and "gave up at tick" in done.stderr
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 0.1


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"settings": {"lance.poll_ns": "49999"}}, "lance.poll_ns 49999"),
        ({"settings": {"memory.ideal": "on"}, "cold": True}, "--cold"),
        ({"settings": {"memory.ideal": "on"}, "tick_log": "client"}, "--tick-log"),
    ],
    ids=["poll", "cold", "tick log"],
)
def test_what_it_cannot_do_is_refused_before_anything_is_built(given, said, monkeypatch):
    monkeypatch.setattr(graph, "build_all", None)
    with pytest.raises(UserError, match=f"{said}.*--engine rtl"):
        engines.judged(RunSpec(engine=EXACT, **given))
