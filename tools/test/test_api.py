# SPDX-License-Identifier: BSD-2-Clause
"""``mcpi.api``: keywords become a spec, a run gives a ``Result`` and prints nothing."""

import dataclasses
import json
import subprocess
import sys
from pathlib import Path

import pytest

from mcpi import api
from mcpi.api import keywords, single_run
from mcpi.base.errors import UserError
from mcpi.base.process import heard
from mcpi.engines import base as engines
from mcpi.machine import profile
from mcpi.results import record
from mcpi.spec.run_spec import ENGINES, RunSpec

EXAMPLE = record.of(json.loads((Path(__file__).parent / "example_result.json").read_text()))


class Stub:
    """An engine that leaves nothing and finds the example."""

    name = "rtl"

    def check(self, spec, machine):
        self.asked = spec

    def prepare(self, spec, machine, place, bar):
        (place / "record.json").write_text("{}")
        bar.say("prepared")

    def run(self, spec, machine, place, built, bar):
        with bar.task("runs", 2) as update:
            update(1, 2, "round trips")
        return 7

    def result(self, spec, machine, place):
        return EXAMPLE


@pytest.fixture
def engine(monkeypatch):
    stub = Stub()
    monkeypatch.setattr(engines, "of", lambda name: stub)
    return stub


def test_a_run_returns_what_its_folder_holds_and_prints_nothing(engine, tmp_path, capfd):
    result = api.run(variant="out", round_trips=5, icache_size="16KB", out=tmp_path / "x")
    wanted = RunSpec(variant="out", round_trips=5, settings={"icache.size": "16KB"})
    assert engine.asked == wanted
    assert result.time.ticks_per_second == 7
    assert result == api.load(tmp_path / "x")
    assert result.steady.client.mcpi == EXAMPLE.steady.client.mcpi
    assert "who owns the ticks" in (tmp_path / "x" / "report.txt").read_text()
    assert capfd.readouterr() == ("", "")


def test_a_result_cannot_be_changed():
    with pytest.raises(AttributeError):
        EXAMPLE.steady.client.mcpi = 1.0


def test_without_out_a_new_folder_below_results(engine, tmp_path, monkeypatch):
    monkeypatch.setattr(single_run, "RESULTS", tmp_path)
    api.run(stack="rpc")
    (place,) = tmp_path.iterdir()
    assert place.name.startswith("rpc-std-") and (place / "result.json").is_file()


def test_keywords_say_what_options_say():
    given = {"memory_ideal": True, "memory_read_ticks": 24, "wire": ["client:lose=0.1"]}
    spec = keywords.spec_of("dec3000-600", **given, settings={"icache.size": "4KB"}, cold=True)
    settings = {"icache.size": "4KB", "memory.ideal": "on", "memory.read_ticks": "24"}
    assert spec == RunSpec(settings=settings, wire=("client:lose=0.1",), cold=True)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"icache_sizes": 1}, "icache_sizes: no option of a run .* mean icache_size?"),
        ({"round_trip": 1}, "Did you mean round_trips?"),
        ({"machine": "vax"}, "no machine 'vax'"),
        ({"variant": "fast"}, "no variant 'fast'"),
        ({"icache_size": "5"}, "icache.size"),
    ],
)
def test_a_slip_is_told_before_anything_starts(given, said, monkeypatch, tmp_path):
    monkeypatch.setattr(subprocess, "Popen", None)
    with pytest.raises(UserError, match=said):
        api.run(**given, out=tmp_path / "x")
    assert not any(tmp_path.iterdir())


def test_no_parameter_is_hidden_by_an_option():
    fields = {field.name for field in dataclasses.fields(RunSpec)}
    names = [key.replace(".", "_") for key in profile.load(RunSpec.machine).parameters]
    assert len(set(names)) == len(names) and not fields & set(names)


@pytest.mark.parametrize("name", ENGINES)
def test_every_engine_is_found_by_its_name(name):
    engine = engines.of(name)
    assert engine.name == name
    for method in ("check", "prepare", "run", "result"):
        assert callable(getattr(engine, method))


def test_a_program_that_imports_it_sees_the_types():
    code = "from mcpi import api; print(api.Result.__struct_fields__[0], api.run.__name__)"
    done = heard([sys.executable, "-c", code], check=True)
    assert done.stdout == "schema run\n"
