# SPDX-License-Identifier: BSD-2-Clause
"""The set-up's steps: which there are, what is said while they run and when one fails."""

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mcpi.base.repo import ROOT

sys.path.insert(0, str(ROOT / "setup"))
import bootstrap  # noqa: E402
import runner  # noqa: E402
import steps  # noqa: E402
from runner import Failed, Runner, Step  # noqa: E402


@pytest.fixture
def env(tmp_path: Path, monkeypatch) -> Path:
    """No system package is installed, nothing is set up."""
    monkeypatch.setattr(steps.Context, "missing", lambda self, *groups: _all(self, groups))
    monkeypatch.setenv("MCPI_ENV", str(tmp_path / "env"))
    return tmp_path / "env"


def _all(where: steps.Context, groups: tuple) -> list:
    return [name for name, group in where.wanted.items() if group in groups or not groups]


def names(where: steps.Context) -> list[str]:
    return [step.name for step in bootstrap.plan(where)]


def test_run_brings_nothing_of_tests(env: Path) -> None:
    run = names(steps.Context(ROOT, env, "run"))
    test = names(steps.Context(ROOT, env, "test"))
    assert run == test[: len(run)] and len(run) == 7
    assert test[len(run) :] == ["test packages", "test python", "formatter jars"]
    assert names(steps.Context(ROOT, env, "all")) == [*test, "packages of long tests"]


def test_what_is_done_is_not_counted(env: Path, monkeypatch) -> None:
    """After a run, only the rest; without packages to install, no package lists."""
    monkeypatch.setattr(steps.Context, "missing", lambda self, *groups: [])
    (env / "done").mkdir(parents=True)
    for stamp in ("python-run", "verilator", "scala"):
        (env / "done" / stamp).touch()
    (env / "ready-run").touch()
    assert names(steps.Context(ROOT, env, "test")) == ["test python", "formatter jars"]
    assert names(steps.Context(ROOT, env, "run")) == []
    assert "compiler jars" in names(steps.Context(ROOT, env, "test", again=True))


def test_a_group_comes_alone(env: Path) -> None:
    """With what it is made of, after what run needs, and one pip at a time."""
    run = names(steps.Context(ROOT, env, "run"))
    assert names(steps.Context(ROOT, env, "run", groups="analysis")) == [*run, "analysis python"]
    both = steps.Context(ROOT, env, "test", groups="notebook")
    assert names(both)[-2:] == ["analysis python", "notebook python"]
    pips = [step for step in bootstrap.plan(both) if step.name.endswith("python")]
    for one, other in zip([*pips, None], pips[1:]):
        assert one.name in other.needs


def test_other_pins_of_a_group_are_installed_anew(env: Path, tmp_path: Path) -> None:
    """What pip is told stands in for pip. The stamp is named by the pins, as ./mcpi names it."""
    where, told = steps.Context(ROOT, env, "run", groups="analysis"), []
    (env / "venv/bin").mkdir(parents=True)
    (env / "venv/bin/pip").touch()
    (env / "done").mkdir()
    old = env / "done" / "python-analysis-0123456789ab"
    old.touch()
    (env / "done" / "python-notebook-0123456789ab").touch()
    steps.python("analysis")(where, lambda *words: told.append(words))
    assert not old.exists() and (env / "done" / "python-notebook-0123456789ab").exists()
    assert told[0][-2:] == ("-r", ROOT / "setup/requirements-analysis.txt")
    pins = ROOT / "setup/requirements-analysis.txt"
    digest = subprocess.run(["sha256sum", pins], capture_output=True, text=True, check=True).stdout
    assert where.stamp("analysis") == f"python-analysis-{digest[:12]}"
    (env / "done" / where.stamp("analysis")).touch()
    assert "analysis python" not in names(where)


def test_a_group_that_there_is_not(env: Path, monkeypatch, capsys) -> None:
    monkeypatch.setenv("MCPI_GROUPS", "fly")
    assert bootstrap.main() == 2
    there = "page, analysis, notebook, trace, jobs"
    assert f"no group fly. There are: {there}" in capsys.readouterr().err


def test_groups_have_the_versions_that_tests_have() -> None:
    """Two groups in one environment agree on what both want, on every Python."""
    pins: dict[str, set[str]] = {}
    for name in ("run", "test", *steps.GROUPS):
        text = (ROOT / f"setup/requirements-{name}.txt").read_text()
        own: dict[str, set[str]] = {}
        for package, rest in re.findall(r"^([\w.-]+)==(.*?) *\\?$", text, re.M):
            own.setdefault(package, set()).add(rest.split()[0])
        for package, versions in own.items():
            if package in pins and len(versions) == len(pins[package]):
                assert versions == pins[package], (name, package)
            pins.setdefault(package, versions)


def test_every_step_needs_earlier_ones(env: Path) -> None:
    seen: set[str] = set()
    for step in bootstrap.plan(steps.Context(ROOT, env, "test", groups="page notebook")):
        assert set(step.needs) <= seen, step.name
        seen.add(step.name)


def test_packages_of_every_group() -> None:
    where = steps.Context(ROOT, Path("/nowhere/env"))
    assert set(where.wanted.values()) == {"first", "run", "test", "all"}


@pytest.mark.parametrize("purpose", ["run", "test"])
def test_without_root(env: Path, monkeypatch, capsys, purpose: str) -> None:
    """One sentence and one line to type, which has every package, so that it is typed once."""
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(steps.shutil, "which", lambda name: None)
    monkeypatch.setenv("MCPI_PURPOSE", purpose)
    monkeypatch.setattr(sys, "argv", ["bootstrap.py", purpose])
    assert bootstrap.main() == 2
    said = capsys.readouterr().err.splitlines()
    wanted = steps.Context(ROOT, env).wanted
    packages = " ".join(name for name, group in wanted.items() if group != "all")
    assert said == [
        "mcpi: system packages are missing. As root, type this, then start again:",
        f"  apt-get update && apt-get install -y --no-install-recommends {packages}",
    ]
    assert not (env / "log").exists()


@pytest.mark.parametrize("place", ["file/env", "file"])
def test_home_that_cannot_be_written(tmp_path: Path, monkeypatch, capsys, place: str) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setattr(steps.Context, "missing", lambda self, *groups: [])
    monkeypatch.setenv("MCPI_ENV", str(tmp_path / place))
    assert bootstrap.main() == 2
    assert "MCPI_HOME" in capsys.readouterr().err


def test_what_is_said_meanwhile(tmp_path: Path, monkeypatch, capsys) -> None:
    """Without a terminal: which step of how many, what it usually takes, where its log is."""
    monkeypatch.setattr(runner, "BEAT", 0.5)
    plan = [
        Step("short one", lambda where, command: None, 1),
        Step("long one", lambda where, command: time.sleep(1.3), 7, ("short one",)),
    ]
    assert list(Runner(plan, tmp_path).run(None)) == ["short one", "long one"]
    said = [line.strip() for line in capsys.readouterr().err.splitlines()]
    assert said[:3] == [
        "step 1 of 2, short one: begins, usually 1 s",
        "step 1 of 2, short one: 0 s",
        "step 2 of 2, long one: begins, usually 7 s",
    ]
    beats = said[3:-1]
    assert len(beats) >= 1 and said[-1].startswith("step 2 of 2, long one: 1 s")
    assert all("s of usually 7 s; " in b and b.endswith("log/long-one.txt") for b in beats)


def failure(folder: Path, *scripts: str) -> str:
    """What is said when the last of these shell scripts fails, each a step of its own."""
    plan, needs = [], ()
    for name, script in zip(("package lists", "other packages"), scripts):
        action = lambda where, command, script=script: command("sh", "-c", script)  # noqa: E731
        plan.append(Step(name, action, 1, needs))
        needs = (name,)
    with pytest.raises(Failed) as failed:
        Runner(plan, folder).run(None)
    return str(failed.value)


@pytest.mark.parametrize(
    "said",
    [
        "Err:1 bookworm InRelease: Temporary failure resolving 'example.org'",
        "WARNING: Retrying after NewConnectionError('...: Name or service not known')",
        "[ERROR] Could not transfer artifact org.example:x:pom:1 from/to central",
        "PKIX path building failed: unable to find valid certification path",
    ],
)
def test_no_network(tmp_path: Path, said: str) -> None:
    text = failure(tmp_path, f'echo "{said}"; exit 1')
    assert "package lists: failed with status 1" in text and said[:20] in text
    assert "The network is the cause, or a proxy" in text and "https_proxy" in text


def test_no_network_when_only_the_lists_say_so(tmp_path: Path) -> None:
    """`apt-get update` warns of it and goes on; then no package is known."""
    lists = "echo W: Temporary failure resolving; exit 0"
    text = failure(tmp_path, lists, "echo E: Unable to locate package git; exit 100")
    assert text.startswith("other packages: failed") and "The network is the cause" in text


def test_another_cause(tmp_path: Path) -> None:
    """A failure that the network has no part in, after one of an earlier start that it had."""
    failure(tmp_path, "echo Temporary failure resolving; exit 1")
    text = failure(tmp_path, "echo fine", "echo E: No space left on device; exit 100")
    assert "No space left" in text and "network" not in text
