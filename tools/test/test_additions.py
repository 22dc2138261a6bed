# SPDX-License-Identifier: BSD-2-Clause
"""docs/contributing.md is followed in a copy of the checkout.

Additions that act change the file that each step of the page begins with: both engines are built
once with all of them, and without one of the files something fails. A part of each other kind is
added in two steps: the test that the page names fails until the last one, and says why.
"""

import json
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from mcpi.base import reuse
from mcpi.base.process import heard
from mcpi.base.repo import ROOT

pytestmark = pytest.mark.slow
LEFT_OUT = {".git", "build", "results"}
PARAMETER = """
[core.demo]
type = "int"
range = [1, 8]
acts = "host"
doc = "A parameter that this test adds."
"""
OWNER = '["owner.demo"]\nof = "owner"\nshort = "a demo"\ndoc = "a demo"\n\n'
ROW = "| a demo | 1 | `demo` | `test_stalls.traps` |"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    def left_out(folder: str, names: list[str]) -> set[str]:
        return LEFT_OUT if Path(folder) == ROOT else {"__pycache__"} & set(names)

    copy = tmp_path / "checkout"
    shutil.copytree(ROOT, copy, ignore=left_out)
    return copy


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert text.count(old) == 1, f"{path}: {old}"
    path.write_text(text.replace(old, new))


def add(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text((path.read_text() if path.exists() else "") + text)


# Steps of the page, a function each; the test is run before the last one and after it.


def parameter(root: Path) -> None:
    edit(
        root / "machines/parameters.toml",
        "\n[core.translation]",
        PARAMETER + "\n[core.translation]",
    )


def values(root: Path) -> None:
    edit(root / "machines/dec3000-600.toml", "\n[core]\n", "\n[core]\ndemo = 1\n")


def owner(root: Path) -> None:
    last = '["owner.idle"]'
    edit(root / "machines/counters.toml", last, f"{OWNER}{last}")


def owner_row(root: Path) -> None:
    page = root / "docs/explanation/core.md"
    head = re.search(r"## What costs what\n.*?\n\|---.*?\n", page.read_text(), re.S)[0]
    edit(page, head, f"{head}{ROW}\n")


def board(root: Path) -> None:
    text = (root / "boards/ecpix-5/board.toml").read_text()
    add(root / "boards/demo/board.toml", text.replace("baud = 921600\n", ""))


def baud(root: Path) -> None:
    add(root / "boards/demo/board.toml", "")
    shutil.copy(root / "boards/ecpix-5/board.toml", root / "boards/demo/board.toml")


Steps = tuple[Callable[[Path], None], Callable[[Path], None]]
KINDS: dict[str, tuple[Steps, str, str]] = {
    "machine parameter": (
        (parameter, values),
        "tools/test/test_machine.py",
        "core.demo is missing",
    ),
    "stall owner": (
        (owner, owner_row),
        "cores/alpha-lite/test/execute/test_stall_table.py",
        "owner demo has no row",
    ),
    "board": (
        (board, baud),
        "boards/test/test_board_build.py::test_every_board_is_described",
        "missing required field `baud`",
    ),
}


def judged(root: Path, test: str) -> tuple[bool, str]:
    return said(root, "pytest", "-q", "-c", root / "pytest.ini", root / test)


def said(root: Path, *words: object) -> tuple[bool, str]:
    """Run a module of the copy; returns True if it ends well, and its words. It has a session of
    its own, as the Java of another has other classes."""
    with tempfile.TemporaryDirectory() as session:
        own = {"PYTHONPATH": str(root / "tools"), reuse.SESSION: session}
        done = heard([sys.executable, "-m", *words], cwd=root, env=os.environ | own)
    return done.returncode == 0, done.stdout + done.stderr


def section(kind: str) -> str:
    page = (ROOT / "docs/contributing.md").read_text()
    return re.search(rf"^## An? {kind}\n(.*?)(?=^## |\Z)", page, re.M | re.S)[1]


@pytest.mark.parametrize("kind", KINDS)
def test_the_page_is_right(checkout: Path, kind: str) -> None:
    (first, last), test, words = KINDS[kind]
    assert f"`{test.partition('::')[0]}`" in section(kind)
    first(checkout)
    right, output = judged(checkout, test)
    assert not right and words in output, output
    last(checkout)
    right, output = judged(checkout, test)
    assert right, output


# Additions that act.


@dataclass(frozen=True)
class Acting:
    """``edits`` by file, in the order of the steps of the page's section ``kind``: the change, and
    words of the failure without it. ``acts`` judges the files of a run, of the exact engine and of
    the RTL. ``tests`` of the page are quick."""

    kind: str
    edits: dict[str, tuple[Callable[[Path], None], str]]
    tests: tuple[str, ...]
    acts: Callable[[Path, Path], None]


CALLS = """\
["calls"]
of = "core"
event = "call"
log = 85
doc = "each BSR, JSR or JSR_COROUTINE that issues"

"""
DRIVEN = """\
  private val links = e1.instruction(31 downto 26) === 0x34 ||
    (e1.instruction(31 downto 26) === 0x1a && e1.instruction(14))
  events.call := told(e1Valid && links)
"""
SET = """\
    if (i.word >> 26 == 0x34 || (i.word >> 26 == 0x1A && i.word >> 14 & 1))
        later_ |= bit(Event::calls);
"""


NO_PAGE = "counters.md is not as machines/counters.toml says"


def before(mark: str, text: str) -> Callable[[Path], None]:
    """Puts ``text`` before the only ``mark`` of a file."""
    return lambda path: edit(path, mark, text + mark)


def by_docgen(module: str) -> Callable[[Path], None]:
    """Lets the copy's program write the page."""

    def write(path: Path) -> None:
        right, output = said(path.parents[2], f"mcpi.docgen.{module}")
        assert right, output

    return write


def calls_act(exact: Path, rtl: Path) -> None:
    for folder in (exact, rtl):
        nodes = json.loads((folder / "counters.json").read_text())["nodes"]
        assert all(node["path"]["calls"] > 10 for node in nodes), nodes


ACTING = (
    Acting(
        "counter",
        {
            "machines/counters.toml": (before('["mispredicts"]\n', CALLS), NO_PAGE),
            "rtl/counters/RetirePort.scala": (
                before("  val mispredict = Bool()", "  val call = Bool() // BSR and the like\n"),
                "'call' is no event",
            ),
            "cores/alpha-lite/execute/Pipeline.scala": (
                before("  events.mispredict :=", DRIVEN),
                "events_call",
            ),
            "sim/engine/core_issue.cpp": (
                before("    step_.penalty.reset();\n", SET),
                "files differ",
            ),
            "docs/reference/counters.md": (by_docgen("counters"), NO_PAGE),
        },
        ("tools/test/test_counter_table.py",),
        calls_act,
    ),
)


def verdict(root: Path) -> str:
    """Judge the copy by tests, by a run on both engines, and by what each addition says of it.
    Empty: nothing is wrong."""
    for test in (test for one in ACTING for test in one.tests):
        right, output = judged(root, test)
        if not right:
            return output
    place = root / "run"
    shutil.rmtree(place, ignore_errors=True)
    shape = "dcache.size=4KB"  # not the usual one: the simulator is compiled faster
    words = ("--set", shape, "--round-trips", "2", "--warmup", "1", "--check", "--out", place)
    right, output = said(root, "mcpi", "run", *words)
    if not right:
        return output
    for one in ACTING:
        one.acts(place, place / "rtl")
    return ""


@contextmanager
def without(root: Path, file: str) -> Iterator[None]:
    """The copy with ``file`` as it was before the additions."""
    added = (root / file).read_text()
    (root / file).write_text((ROOT / file).read_text())
    try:
        yield
    finally:
        (root / file).write_text(added)


@pytest.mark.parametrize("one", ACTING, ids=lambda one: one.kind)
def test_an_addition_takes_the_pages_files(one: Acting) -> None:
    steps = re.findall(r"^\d\. `([^`]+)`", section(one.kind), re.M)
    assert steps == list(one.edits) and len(steps) <= 5


def test_additions_act(checkout: Path) -> None:
    """All in one copy; then each file of each is left out."""
    for one in ACTING:
        for file, (change, _) in one.edits.items():
            change(checkout / file)
    assert not (wrong := verdict(checkout)), wrong
    for one in ACTING:
        for file, (_, words) in one.edits.items():
            with without(checkout, file):
                wrong = verdict(checkout)
            assert words in wrong, f"without {file}: {wrong or 'nothing fails'}"
