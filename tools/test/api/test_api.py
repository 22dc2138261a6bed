# SPDX-License-Identifier: BSD-2-Clause
"""``mcpi`` from Python: keywords become a spec, a run is asked for tables, nothing is printed."""

import dataclasses
import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import mcpi
from mcpi import api
from mcpi.api import single_run, spec_from_kwargs
from mcpi.base.errors import RunError, UserError
from mcpi.base.process import heard
from mcpi.base.repo import ROOT
from mcpi.engines import base as engines
from mcpi.machine import profile
from mcpi.results import record
from mcpi.spec.run_spec import ENGINES, EXACT, RunSpec

EXAMPLE = record.of(json.loads((ROOT / "tools/test/tools_support/example_result.json").read_text()))


class Stub:
    """An engine that leaves nothing and finds the example."""

    name = "rtl"

    def check(self, spec, machine):
        self.asked = spec

    def prepare(self, spec, machine, place, bar):
        (place / "spec.json").write_text("{}")
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
    run = api.run(variant="out", round_trips=5, icache_size="16KB", out=tmp_path / "x")
    settings = {"icache.size": "16KB"}
    wanted = RunSpec(variant="out", round_trips=5, settings=settings, engine=EXACT)
    assert engine.asked == run.spec == wanted
    assert run.result.time.ticks_per_second == 7
    assert run.result == api.load(tmp_path / "x").result
    assert run.client.mcpi == EXAMPLE.steady.client.mcpi
    assert run.t_e_us == EXAMPLE.round_trip.mean_us
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
    spec = spec_from_kwargs.spec_of("dec3000-600", **given, set={"icache.size": "4KB"}, cold=True)
    settings = {"icache.size": "4KB", "memory.ideal": "on", "memory.read_ticks": "24"}
    assert spec == RunSpec(settings=settings, wire=("client:lose=0.1",), cold=True)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"icache_sizes": 1}, "icache_sizes: no option of a run .* mean icache_size?"),
        ({"round_trip": 1}, "Did you mean round_trips?"),
        ({"machine": "vax"}, "no machine 'vax'"),
        ({"variant": "swift"}, "no variant 'swift'"),
        ({"icache_size": "5"}, "icache.size"),
        ({"icache_size": "4KB", "set": {"icache.size": "8KB"}}, "set has icache.size too"),
        ({"sett": {}}, "Did you mean set?"),
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


def test_a_program_that_imports_it_sees_the_names_and_loads_little():
    code = """if True:
        import sys, mcpi
        assert "mcpi.api" not in sys.modules and "run" in dir(mcpi)
        print(mcpi.run.__name__, mcpi.api.Result.__struct_fields__[0])
        assert {*mcpi.__all__} <= {*mcpi.api.__all__}
        assert not {"pandas", "matplotlib", "distributed", "jinja2"} & {*sys.modules}
        try:
            mcpi.runs
        except AttributeError as error:
            print(error)
    """
    done = heard([sys.executable, "-c", code], check=True)
    assert done.stdout == "run schema\nmodule 'mcpi' has no attribute 'runs'\n"


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    place = tmp_path_factory.mktemp("api") / "run"
    return api.run(variant="all", stack="rpc", round_trips=3, warmup=2, out=place)


def path_of(run, node):
    content = json.loads((run.folder / "counters.json").read_text())
    return content["nodes"][node]["path"]


@pytest.mark.parametrize(("side", "node"), [("client", 0), ("server", 1)])
def test_a_side_s_tables_are_its_counters(run, side, node):
    """Check a run without a tick log too: it runs again, with one."""
    path, one = path_of(run, node), getattr(run, side)
    times = path["invocations"]
    assert one.owners.sum() == pytest.approx(one.ticks) == path["ticks"] / times
    assert one.t_p_us == pytest.approx(path["ticks"] / times / 175)
    assert one.owners["i_demand"] == path["owner.i_demand"] / times
    assert one.owners.index[0] == "issue" and (one.owners > 0).all()
    for by in ("function", "set"):
        table = run.profile(by, side)
        assert table.index.name == by and table.ticks.is_monotonic_decreasing
        assert table.ticks.sum() == pytest.approx(one.ticks)
        assert table["icache_misses"].sum() == pytest.approx(path["icache.misses"] / times)
        owners = table[one.owners.index].sum()
        assert owners.to_dict() == pytest.approx(one.owners.to_dict())
    assert (run.profile(owner="d_miss").d_miss > 0).all()


def test_a_loaded_run_says_the_same(run):
    again = api.load(run.folder)
    assert again.is_loaded and again.spec == run.spec and repr(again) == repr(run)
    assert again.profile("function").equals(run.profile("function"))
    assert "rpc all on dec3000-600: T_p" in repr(run) and repr(run.server).startswith("server: T_p")


def test_a_run_whose_sources_changed_is_not_profiled(run, tmp_path):
    """Nor is one whose spec is not known."""
    place = tmp_path / "run"
    shutil.copytree(run.folder, place)
    content = json.loads((place / "spec.json").read_text())
    (place / "spec.json").write_text(json.dumps(content | {"seed": 2, "variant": "clo"}))
    with pytest.raises(RunError, match="sources have changed"):
        api.load(place).profile()
    (place / "spec.json").unlink()
    with pytest.raises(UserError, match="no tick log"):
        api.load(place).profile()
    (place / "result.json").unlink()
    with pytest.raises(UserError, match="no finished run"):
        api.load(place)


def test_runs_are_compared_as_the_command_compares(run, tmp_path):
    given = {"variant": "all", "stack": "rpc", "round_trips": 3, "warmup": 2}
    other = api.run(**given, icache_size="16KB", seed=3, out=tmp_path / "x")
    found = mcpi.compare(run, other, layouts=1, out=tmp_path / "both")
    exact = found.comparison
    assert (exact.a.title, exact.b.title) == ("all", "all,icache.size=16KB,seed=3")
    wanted = other.client.ticks - run.client.ticks
    assert found.owners.difference.sum() == pytest.approx(wanted)
    assert found.functions.difference.sum() == pytest.approx(wanted)
    assert found.figures.difference["ticks"] == pytest.approx(wanted)
    assert {"low", "high"} <= {*found.owners.columns} and exact.names == ("shuffle-1",)
    assert found.sentence in repr(found) and "<svg" in found._repr_svg_()
    loaded = mcpi.compare(api.load(run.folder), tmp_path / "x")  # neither has a tick log
    assert loaded.owners.difference.sum() == pytest.approx(wanted)
    assert loaded.functions.empty and "low" not in loaded.owners
    with pytest.raises(UserError, match="are the same"):
        mcpi.compare(run, run)


def test_a_missing_library_is_told_with_what_to_type(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(UserError, match="pandas is missing.*./mcpi setup --with analysis"):
        run.client.owners  # noqa: B018


def started(*words):
    return heard([sys.executable, "-m", "mcpi", *words], cwd=ROOT)


def test_python_runs_a_script_of_one_s_own(tmp_path):
    """With its words, its status, and the modules next to it."""
    (tmp_path / "near.py").write_text("NUMBER = 3\n")
    script = tmp_path / "mine.py"
    script.write_text("import sys, mcpi, near\nprint(sys.argv[1:], mcpi.run.__name__)\n"
                      "sys.exit(near.NUMBER)\n")  # fmt: skip
    done = started("python", str(script), "--help", "-x")
    assert (done.stdout, done.returncode) == ("['--help', '-x'] run\n", 3)
    done = started("python", "--help")
    assert "./mcpi python my_study.py" in done.stdout and done.returncode == 0
    done = started("notebook", "--help")
    assert "./mcpi notebook" in done.stdout and done.returncode == 0


def test_pyproject_wants_what_the_command_wants():
    """So that pip install -e . in an environment of one's own brings the same."""
    content = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = content["optional-dependencies"]
    for name, wanted in (("exec", content["dependencies"]), *extras.items()):
        lines = (ROOT / f"setup/python/{name}.in").read_text().splitlines()
        listed = {line for line in lines if line and line[0] not in "#-"}
        assert {*wanted} == listed


def test_a_package_without_its_checkout_says_what_to_type(tmp_path: Path) -> None:
    """Pip leaves it so, unless it is asked for an editable install."""
    shutil.copytree(ROOT / "tools" / "mcpi", tmp_path / "mcpi", ignore=lambda *_: ["cli"])
    for words in (["-c", "import mcpi; mcpi.run()"], ["-m", "mcpi", "run"]):
        env = {**os.environ, "PYTHONPATH": str(tmp_path)}
        done = heard([sys.executable, *words], env=env, cwd=tmp_path)
        last = done.stderr.splitlines()[-1]
        assert done.returncode == 1 and "installed without its checkout" in last, done.stderr
        assert 'pip install -e "CHECKOUT[analysis]"' in last
