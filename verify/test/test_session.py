# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi test``: which tests run, what is counted, what is printed; on a house of its own."""

import csv
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from _pytest.mark.expression import Expression

from mcpi.base import reuse
from mcpi.base.errors import UserError
from mcpi.base.heartbeat import Heartbeat
from mcpi.base.process import heard
from mcpi.base.repo import ROOT
from verify import long_tests, test_requirements, test_runner, test_session
from verify.reads import kept, observer
from verify.test_runner import Kinds
from verify.test_session import again

FILES = {
    "a/test/test_one.py": """
import subprocess
import sys

import pytest
from mcpi.base import reuse
from mcpi.base.heartbeat import Heartbeat

def test_burns():
    burn = "import time\\nwhile time.process_time() < 0.3: pass"
    subprocess.run([sys.executable, "-c", burn], check=True)

def test_apple():
    reuse.note("proofs", True)
    reuse.note("proofs", False)

@pytest.mark.parametrize("name", ["x: what is (not) there", "y"])
def test_pear(name): assert name == "y", "no pear"
""",
    "b/test/test_two.py": f"""
import pytest

@pytest.mark.long
def test_apple_tree(): pass

@pytest.mark.slow
def test_lacks(): pytest.skip({test_requirements.TUN!r})

@pytest.mark.skip(reason="needs nc")
def test_plum(): pass
""",
    "b/test/test_gone.py": "import a_module_that_nobody_has\n",
}


@pytest.fixture
def house(tmp_path: Path):
    """house(kinds, expression) -> what is printed, and the exit status at the end."""
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    settings = (ROOT / "pytest.ini").read_text()
    head, _, rest = settings.partition("testpaths")
    kept = rest[rest.index("addopts") :]
    (tmp_path / "pytest.ini").write_text(f"{head}testpaths = a/test b/test\n{kept}")
    env = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST")}
    env |= {"MCPI_HOME": str(tmp_path), reuse.SESSION: str(tmp_path)}

    def run(kinds: Kinds, expression: str = "") -> list[str]:
        (tmp_path / "reuse").unlink(missing_ok=True)
        words = test_runner.words(kinds, expression, 2)
        done = heard(words, cwd=tmp_path, env=env, start_new_session=True)
        assert not done.stderr
        return [*done.stdout.splitlines(), done.returncode]

    return run


def test_what_is_printed(house, tmp_path) -> None:
    """A skip is counted with its reason, and is a failure if it has none of ours."""
    *said, status = house(Kinds.USUAL)
    assert said[-1] == "3 passed, 3 failed, 1 skipped" and status == 1
    assert any("1 long tests (--all): 1 have not passed" in line for line in said)
    assert f"skipped 1: b/test/test_two.py: {test_requirements.TUN}" in said
    assert "may not be skipped (needs nc)" in said
    assert sum("a_module_that_nobody_has" in line for line in said) > 0
    rows = [line.split()[:5] for line in said]
    assert ["a", "3", "passed,", "1", "failed"] in rows
    assert ["b", "0", "passed,", "2", "failed,"] in rows
    assert any(line.startswith("FAILED") and " % a/test/test_one.py" in line for line in said)
    assert "the slowest:" in said and "reused by digest: 1 of 2 proofs" in said
    costs = {line.split()[-1]: line.split() for line in said if " cpu  " in line}
    assert float(costs["a/test/test_one.py"][2]) >= 0.3
    name = "a/test/test_one.py::test_burns"
    assert costs[name][3] == "cpu" and float(costs[name][2]) >= 0.3, "its child's"
    with (tmp_path / test_session.TIMES).open(newline="") as file:
        times = {row["test"]: float(row["processor seconds"]) for row in csv.DictReader(file)}
    assert abs(times[name] - float(costs[name][2])) <= 0.05 and len(times) == 6
    lines = [line for line in said if line.startswith("again: ")]
    assert len(lines) == 3


@pytest.mark.parametrize(
    ("kinds", "expression", "counts"),
    [
        (Kinds.ALL, "apple", "2 passed"),
        pytest.param(Kinds.USUAL, "apple or lacks", "1 passed", marks=pytest.mark.long),
        (Kinds.QUICK, "apple or lacks", "1 passed"),
        pytest.param(Kinds.USUAL, "test_one and apple", "1 passed", marks=pytest.mark.long),
        pytest.param(Kinds.USUAL, "TEST_ONE and not pear", "2 passed", marks=pytest.mark.long),
    ],
)
def test_by_expression(house, kinds: Kinds, expression: str, counts: str) -> None:
    """The file that cannot be imported fails whatever is wanted."""
    skipped = ", 1 skipped" if "lacks" in expression and kinds is Kinds.USUAL else ""
    assert house(kinds, expression)[-2] == f"{counts}, 1 failed{skipped}"


def test_nothing_matches(house, tmp_path: Path) -> None:
    """A parameter, a marker, a folder and a suffix are no names of tests."""
    (tmp_path / "b/test/test_gone.py").unlink()
    words = "cherry or y or slow or a/test or py"
    assert house(Kinds.USUAL, words)[-1] == test_runner.NOTHING_COLLECTED


@pytest.mark.parametrize(
    ("expression", "found"),
    [
        ("apple and one", True),
        ("APPLE or plum", True),
        ("apple and not test_one", False),
        ("y", False),
        ("test", True),
    ],
)
def test_a_word_is_a_part_of_the_name_of_a_function_or_file(expression: str, found: bool) -> None:
    names = ("test_one", "test_apple")
    assert test_session.matches(Expression.compile(expression), names) == found


def test_a_word_that_no_test_has_is_refused_before_tests_are_collected() -> None:
    test_runner.check("")
    test_runner.check("test_session and before_tests_are_collected")
    test_runner.check("not lance")
    word = "any_" + "apricot"
    for expression in (word, f"lance and {word}", "checkout and wireshark"):
        with pytest.raises(UserError, match="no test or file has these words"):
            test_runner.check(expression)
    with pytest.raises(UserError, match="Write words"):
        test_runner.check("lance and and")


def test_the_line_that_repeats_it(house, tmp_path: Path) -> None:
    name = "a/test/test_one.py::test_pear[x: what is (not) there]"
    assert f"again: {again(name)}" in house(Kinds.USUAL)
    command, line = shlex.split(again(name)), [sys.executable, "-m", "pytest", name]
    assert command == ["./mcpi", "python", *line[1:]]
    done = heard(line, cwd=tmp_path, env=os.environ | {"PYTEST_ADDOPTS": ""})
    assert "1 failed" in done.stdout and "no pear" in done.stdout


def test_when_a_long_test_last_passed(house, tmp_path: Path) -> None:
    house(Kinds.ALL)
    (entry,) = json.loads((tmp_path / "long-tests.json").read_text()).items()
    assert entry[0] == "b/test/test_two.py::test_apple_tree" and entry[1]["day"]
    said = house(Kinds.USUAL)[:-1]
    assert any("1 long tests (--all): 0 have not passed" in line for line in said)
    assert any(entry[1]["day"] in line and entry[0] in line for line in said)


def test_times_of_tests_that_did_not_run_stay(house, tmp_path: Path) -> None:
    """But not of a file that is gone."""
    times = tmp_path / test_session.TIMES
    times.parent.mkdir()
    rows = [
        "a/test/test_one.py::test_apple,9,1",
        "b/test/test_two.py::test_x,8,1",
        "c.py::test,7,1",
    ]
    times.write_text("\n".join(["test,seconds,processor seconds", *rows, ""]))
    house(Kinds.USUAL, "apple and one")
    names = [row["test"] for row in csv.DictReader(times.read_text().splitlines())]
    assert sorted(names) == ["a/test/test_one.py::test_apple", "b/test/test_two.py::test_x"]
    assert ",9," not in times.read_text()


@pytest.fixture
def started(tmp_path: Path, monkeypatch):
    """started(kinds, expression, fresh, status) -> how run ends, what was left out as kept, and
    whether reads were noted."""
    found = []

    def session(words: list[str], folder: str, observed: dict[str, str]) -> int:
        found[1:] = [kept.of_session(Path(folder)), observer.NOTES in observed]
        return found[0]

    monkeypatch.setattr(test_runner, "_session", session)
    monkeypatch.setattr(test_runner, "BUILD", tmp_path)
    monkeypatch.setattr(test_runner.scala, "classpath", lambda: None)
    monkeypatch.setattr(test_runner, "check", lambda expression: None)
    monkeypatch.setattr(kept, "Store", lambda root: SimpleNamespace(holds=lambda: ["a::b"]))

    def run(kinds: Kinds, expression: str, fresh: bool, status: int) -> list:
        found[:] = [status]
        return [test_runner.run(kinds, expression, 1, fresh), *found[1:]]

    return run


@pytest.mark.parametrize(
    ("kinds", "expression", "fresh", "left_out", "noted"),
    [
        (Kinds.USUAL, "", False, {"a::b"}, True),
        (Kinds.QUICK, "", False, {"a::b"}, True),
        (Kinds.USUAL, "", True, set(), False),
        (Kinds.ALL, "", False, set(), True),
        (Kinds.USUAL, "plum", False, set(), False),
    ],
)
def test_what_is_kept_is_left_out(started, kinds, expression, fresh, left_out, noted) -> None:
    """Not of what is asked for: all, fresh, or by name."""
    assert started(kinds, expression, fresh, 0) == [0, left_out, noted]


def test_a_session_that_has_nothing_left_to_run_has_passed(started) -> None:
    assert started(Kinds.USUAL, "", False, test_runner.NOTHING_COLLECTED)[0] == 0
    with pytest.raises(UserError, match="no test matches"):
        started(Kinds.USUAL, "plum", False, test_runner.NOTHING_COLLECTED)


def test_without_the_library_all_run_and_nothing_is_kept(started, monkeypatch) -> None:
    monkeypatch.setattr(observer, "library", lambda: None)
    assert started(Kinds.USUAL, "", True, 0) == [0, set(), False]


STOPPED = """
import os
import re
import shlex
import signal
import time
from pathlib import Path
from types import SimpleNamespace

def test_stopped():
    place, until = Path(os.environ["MCPI_HOME"], "long-tests.json"), time.monotonic() + 20
    while not place.exists() and time.monotonic() < until:
        time.sleep(0.05)
    os.killpg(0, signal.SIGKILL)
"""


def test_a_session_that_is_stopped_has_recorded_what_passed(house, tmp_path: Path) -> None:
    (tmp_path / "b/test/test_zebra.py").write_text(STOPPED)
    assert house(Kinds.ALL)[-1] == -signal.SIGKILL
    assert "test_apple_tree" in (tmp_path / "long-tests.json").read_text()


def test_of_each_long_test_how_many_cases_have_passed(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("MCPI_HOME", str(tmp_path))
    entries = {"x.py::test_a[1]": ("2026-01-02", "b"), "x.py::test_a[2]": ("2026-01-01", "a")}
    known = {name: {"day": day, "commit": commit} for name, (day, commit) in entries.items()}
    long_tests.record().write_text(json.dumps(known))
    said = long_tests.by_test([*known, "x.py::test_a[3]", "x.py::test_b"]).splitlines()
    assert said[0].split() == "2 of 3 test_a, 2026-01-01 to 2026-01-02, a to b".split()
    assert said[1].split() == "0 of 1 test_b".split()


def test_an_interrupt_ends_what_tests_have_started(tmp_path: Path) -> None:
    number = tmp_path / "number"
    command = ["sh", "-c", f"sleep 600 & echo $! > {number}; wait"]
    program = f"from verify import test_runner as t; t._session({command}, {str(tmp_path)!r})"
    with subprocess.Popen([sys.executable, "-c", program], stderr=subprocess.DEVNULL) as child:
        while not (number.exists() and number.read_text().strip()):
            time.sleep(0.05)
        child.send_signal(signal.SIGINT)
    process = Path(f"/proc/{number.read_text().strip()}/stat")
    until = time.monotonic() + 60  # the signal is sent; when a busy machine acts on it is open
    while _runs(process) and time.monotonic() < until:
        time.sleep(0.05)
    assert not _runs(process)


def _runs(stat: Path) -> bool:
    """A process that is neither gone nor a zombie runs."""
    try:
        return stat.read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_board() -> None:
    with pytest.raises(pytest.skip.Exception, match=test_requirements.BOARD):
        test_requirements.board(None)
    test_requirements.board("/dev/ttyUSB0")


def test_a_silent_session_says_which_tests_run(tmp_path, capsys) -> None:
    option = SimpleNamespace(names="", markexpr="")
    printed = test_session.Printed(SimpleNamespace(rootpath=tmp_path, option=option))
    printed.heartbeat = Heartbeat(printed._still, 0.05)
    printed.expected["a/test/test_one.py"] = 4
    with printed.heartbeat:
        printed.pytest_runtest_logstart("a/test/test_one.py::test_burns")
        time.sleep(0.3)
    lines = capsys.readouterr().out.splitlines()
    still = re.compile(r"\d s: 0 of 4 tests; running: a/test/test_one.py::test_burns \(\d s\)")
    assert lines and all(map(still.fullmatch, lines)), lines
