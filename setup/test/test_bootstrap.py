# SPDX-License-Identifier: BSD-2-Clause
"""The set-up's steps: which there are, what is said while they run and when one fails."""

import ast
import base64
import hashlib
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mcpi.base.repo import ROOT

sys.path.insert(0, str(ROOT / "setup"))
import bootstrap  # noqa: E402
import debian  # noqa: E402
import runner  # noqa: E402
import steps  # noqa: E402
from runner import Failed, Runner, Step  # noqa: E402


@pytest.fixture
def env(tmp_path: Path, monkeypatch) -> Path:
    """Nothing is set up."""
    monkeypatch.setenv("MCPI_ENV", str(tmp_path / "env"))
    return tmp_path / "env"


def names(where: steps.Context) -> list[str]:
    return [step.name for step in bootstrap.plan(where)]


def test_each_purpose_brings_what_those_before_it_bring(env: Path) -> None:
    """The exact engine wants neither Java nor Verilator."""
    exec_, rtl, test = (names(steps.Context(ROOT, env, p)) for p in ("exec", "rtl", "test"))
    assert exec_ == ["package list", "Python", "compilers", "python packages"]
    assert rtl[:4] == exec_ and test[: len(rtl)] == rtl
    more = ["Java and clang", "rtl python", "verilator", "certificates", "compiler jars"]
    assert rtl[4:] == [*more, "compile Scala"]
    assert test[len(rtl) :] == ["test packages", "test python", "node", "formatter jars"]
    assert names(steps.Context(ROOT, env, "all")) == [*test, "packages of long tests"]


def test_what_is_done_is_not_counted(env: Path) -> None:
    """After a run, only the rest; without packages to fetch, no package list."""
    (env / "done").mkdir(parents=True)
    for stamp in ("debian-python", "debian-exec", "python-exec"):
        (env / "done" / stamp).touch()
    assert names(steps.Context(ROOT, env, "exec")) == []
    assert names(steps.Context(ROOT, env, "exec", groups="trace")) == ["trace python"]
    assert "compilers" not in names(steps.Context(ROOT, env, "rtl"))
    assert "compilers" in names(steps.Context(ROOT, env, "rtl", again=True))


def test_a_group_comes_alone(env: Path) -> None:
    """With what it is made of, after what the purpose needs, and one pip at a time."""
    run = names(steps.Context(ROOT, env, "exec"))
    assert names(steps.Context(ROOT, env, "exec", groups="analysis")) == [*run, "analysis python"]
    both = steps.Context(ROOT, env, "test", groups="notebook")
    assert names(both)[-2:] == ["analysis python", "notebook python"]
    pips = [step for step in bootstrap.plan(both) if "python" in step.name]
    for one, other in zip(pips, pips[1:]):
        assert one.name in other.needs


def test_other_pins_of_a_group_are_installed_anew(env: Path) -> None:
    """A list of commands stands in for pip. The stamp is named by the pins, as ./mcpi names it."""
    where, told = steps.Context(ROOT, env, "exec", groups="analysis"), []
    for path in ("venv/bin/python", "debian/usr/share/python-wheels/pip-1-py3-none-any.whl"):
        (env / path).parent.mkdir(parents=True)
        (env / path).touch()
    (env / "done").mkdir()
    old = env / "done" / "python-analysis-0123456789ab"
    old.touch()
    (env / "done" / "python-notebook-0123456789ab").touch()
    steps.python("analysis")(where, lambda *words: told.append(words))
    assert not old.exists() and (env / "done" / "python-notebook-0123456789ab").exists()
    assert told[0][-2:] == ("-r", ROOT / "setup/python/analysis.txt")
    pins = ROOT / "setup/python/analysis.txt"
    digest = subprocess.run(["sha256sum", pins], capture_output=True, text=True, check=True).stdout
    assert where.stamp("analysis") == f"python-analysis-{digest[:12]}"
    (env / "done" / where.stamp("analysis")).touch()
    assert "analysis python" not in names(where)


def test_parts_are_wheels_and_then_one_source(env: Path) -> None:
    """All but the package that has no wheel, then that alone, with what the first call brought."""
    where, told = steps.Context(ROOT, env, "exec", groups="parts"), []
    wheel = env / "debian/usr/share/python-wheels/pip-1-py3-none-any.whl"
    wheel.parent.mkdir(parents=True)
    wheel.touch()
    names = r"^[\w.-]+(?===)"
    wanted = re.findall(names, (ROOT / "setup/python/parts.txt").read_text(), re.M)
    steps.parts(where, lambda *words: told.append((words, Path(words[-1]).read_text())))
    first, second = (re.findall(names, text, re.M) for _, text in told)
    assert second == [steps.SOURCE] and sorted(first + second) == sorted(wanted)
    assert all("--hash=" in line for _, text in told for line in text.splitlines())
    assert ["--no-build-isolation" in words for words, _ in told] == [False, True]


def test_the_debugger_comes_after_the_packages_of_the_purpose(env: Path) -> None:
    """There is one apt at a time, and it has its list."""
    run = names(steps.Context(ROOT, env, "exec"))
    assert names(steps.Context(ROOT, env, "exec", groups="debug")) == [*run, "debugger"]
    plan = bootstrap.plan(steps.Context(ROOT, env, "test", groups="debug c++"))
    assert [step.needs for step in plan[-2:]] == [("test packages",), ("debugger",)]


def test_a_group_brings_its_packages_and_their_commands(env: Path) -> None:
    """The compiler's package has a version, and its command another name."""
    where, told = steps.Context(ROOT, env, "exec", groups="c++"), []
    program = where.tree / "usr/bin/alpha-linux-gnu-g++-12"
    program.parent.mkdir(parents=True)
    program.touch()

    def command(*words: object) -> None:
        raise AssertionError(words)

    command.progress = None
    where.apt.bring = lambda _, packages, progress: told.extend(packages)
    steps.tools("c++")(where, command)
    assert told == ["g++-12-alpha-linux-gnu=12.2.0-13cross1"]
    assert "-fdebug-prefix-map" in (env / "bin/alpha-linux-gnu-g++").read_text()
    gcc = next(n for n in where.packages("exec") if n.startswith("gcc-12-alpha"))
    assert gcc.partition("=")[2] == told[0].partition("=")[2]


def test_mill_brings_java(env: Path) -> None:
    rtl = names(steps.Context(ROOT, env, "rtl"))
    assert names(steps.Context(ROOT, env, "exec", groups="mill")) == [*rtl, "mill"]
    assert names(steps.Context(ROOT, env, "test", groups="mill"))[-1] == "mill"


def test_mill_is_the_pinned_file(env: Path, tmp_path: Path) -> None:
    """Maven's command stands in for Maven, and leaves other bytes, then those that are pinned."""
    (tmp_path / "setup/tools").mkdir(parents=True)
    shutil.copy(ROOT / "setup/pins.txt", tmp_path / "setup")
    (tmp_path / ".mill-version").write_text("0.12.1\n")
    digest = hashlib.sha256(b"Mill").hexdigest()
    pins = f"# a comment\ncom.lihaoyi mill-dist exe {digest}\n"
    (tmp_path / "setup/tools/mill.txt").write_text(pins)
    where = steps.Context(tmp_path, env, "rtl", groups="mill")
    file = env.parent / "maven/com/lihaoyi/mill-dist/0.12.1/mill-dist-0.12.1.exe"
    (env / "bin").mkdir(parents=True)

    def leaves(content: bytes):
        def command(*words, cwd: Path) -> None:
            assert "--lax-checksums" in words
            model = (cwd / "mill.xml").read_text()
            assert "<version>0.12.1</version><type>exe</type>" in model
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)

        return command

    with pytest.raises(RuntimeError, match=r"mill-dist-0.12.1.exe has another SHA-256"):
        steps.mill(where, leaves(b"another"))
    assert not file.exists() and not (env / "bin/mill").exists()
    steps.mill(where, leaves(b"Mill"))
    assert str(file) in (env / "bin/mill").read_text()


@pytest.mark.parametrize(
    ("variable", "word", "there"),
    [
        (
            "MCPI_GROUPS",
            "fly",
            "no group fly. There are: page, analysis, notebook, trace, drawing",
        ),
        ("MCPI_PURPOSE", "fly", "no purpose fly. There are: exec, rtl, test, all"),
    ],
)
def test_a_word_that_there_is_not(env: Path, monkeypatch, capsys, variable, word, there) -> None:
    monkeypatch.setenv(variable, word)
    assert bootstrap.main() == 2
    assert there in capsys.readouterr().err


def test_the_help_names_every_group() -> None:
    said = (ROOT / "setup/help/setup.txt").read_text()
    named = [rf"(?<!\w){re.escape(group)}(?!\w)" for group in steps.GROUPS]
    assert not [name for name in named if not re.search(name, said)]


def test_groups_have_the_versions_that_tests_have() -> None:
    """Two groups in one environment agree on what both want, on every Python."""
    pins: dict[str, set[str]] = {}
    named = ("exec", "rtl", "test", *steps.GROUPS)
    for path in (p for name in named if (p := ROOT / f"setup/python/{name}.txt").exists()):
        name, text = path.stem, path.read_text()
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


def test_packages_of_every_purpose() -> None:
    """Alpha's compiler has its version in the list: with another, every figure would move."""
    rows = debian.wanted(ROOT)
    assert {purpose for _, purpose, _ in rows} == set(steps.PURPOSES)
    assert all("=" in name for name, _, _ in rows if "alpha" in name)
    commands = [command.partition("=")[0] for _, _, names in rows for command in names]
    assert len(commands) == len(set(commands)) > 40


@pytest.mark.parametrize("purpose", ["exec", "rtl", "test", "all"])
def test_what_is_fetched_is_said_first(env: Path, purpose: str) -> None:
    """Only of what is not there yet."""
    where = steps.Context(ROOT, env, purpose)
    assert re.search(r": about \d+ MB to fetch, \d\.\d GB on disk$", bootstrap.sizes(where))
    env.mkdir()
    (env / "ready-exec").touch()
    assert "Alpha" not in bootstrap.sizes(where)
    assert (not bootstrap.sizes(where)) == (purpose == "exec")


def test_set_up_reads_on_an_old_python() -> None:
    """Debian 11 has 3.9; more is not wanted of the host."""
    for path in (ROOT / "setup").glob("*.py"):
        if path.name != "can_simulate.py":  # it runs in the environment
            ast.parse(path.read_text(), feature_version=(3, 9))


def test_certificates_for_java(env: Path, tmp_path: Path, monkeypatch) -> None:
    """The keystore's parts as Java reads them: each certificate, and the digest at the end."""
    pem = tmp_path / "all.pem"
    body = base64.b64encode(b"a certificate").decode()
    pem.write_text(f"# A\n-----BEGIN CERTIFICATE-----\n{body}\n-----END CERTIFICATE-----\n" * 2)
    monkeypatch.setenv("SSL_CERT_FILE", str(pem))
    where = steps.Context(ROOT, env, "rtl")
    steps.certificates(where, None)
    data = (where.tree / "etc/ssl/certs/java/cacerts").read_bytes()
    assert data[:12] == bytes.fromhex("feedfeed 00000002 00000002")
    assert data.count(b"X.509") == data.count(b"a certificate") == 2
    password = "changeit".encode("utf-16-be")
    assert hashlib.sha1(password + b"Mighty Aphrodite" + data[:-20]).digest() == data[-20:]


@pytest.mark.parametrize("place", ["file/env", "file"])
def test_home_that_cannot_be_written(tmp_path: Path, monkeypatch, capsys, place: str) -> None:
    (tmp_path / "file").touch()
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
    """Error when the last of these shell scripts fails, each a step of its own."""
    plan, needs = [], ()
    for name, script in zip(("package list", "compilers"), scripts):
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
        "ProxyError(Cannot connect to proxy., OSError(Tunnel connection failed: 407))",
        "Err:1 bookworm InRelease  407 Proxy Authentication Required",
    ],
)
def test_no_network(tmp_path: Path, said: str) -> None:
    text = failure(tmp_path, f'echo "{said}"; exit 1')
    assert "package list: failed with status 1" in text and said[:20] in text
    assert "The network is the cause, or a proxy" in text and "https_proxy" in text


def test_no_network_when_only_the_lists_say_so(tmp_path: Path) -> None:
    """`apt-get update` warns of it and goes on; then no package is known."""
    lists = "echo W: Temporary failure resolving; exit 0"
    text = failure(tmp_path, lists, "echo E: Unable to locate package git; exit 100")
    assert text.startswith("compilers: failed") and "The network is the cause" in text


def test_another_cause(tmp_path: Path) -> None:
    """A failure that the network has no part in, after one of an earlier start that it had."""
    failure(tmp_path, "echo Temporary failure resolving; exit 1")
    text = failure(tmp_path, "echo fine", "echo E: No space left on device; exit 100")
    assert "No space left" in text and "network" not in text
    assert f"make room in {tmp_path.parent}" in text


def test_how_far_a_step_that_fetches_is(tmp_path: Path, monkeypatch, capsys) -> None:
    monkeypatch.setattr(runner, "BEAT", 0.3)

    def fetch(where, command) -> None:
        command.progress(lambda: (37.0, 113.0))
        time.sleep(1)

    Runner([Step("compilers", fetch, 9)], tmp_path).run(None)
    assert "s of usually 9 s, 37 of 113 MB; " in capsys.readouterr().err
