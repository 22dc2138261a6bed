# SPDX-License-Identifier: BSD-2-Clause
"""docs/contributing.md is carried through: on a copy of the checkout a part of each kind is added
as the page says. The test that the page names fails until the last step, and says why."""

import os
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

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
    last = '  val idle = newElement("idle")'
    edit(root / "rtl/counters/Owner.scala", last, f'  val demo = newElement("demo")\n{last}')


def owner_row(root: Path) -> None:
    page = root / "docs/explanation/core.md"
    head = re.search(r"## What costs what\n.*?\n\|---.*?\n", page.read_text(), re.S)[0]
    edit(page, head, f"{head}{ROW}\n")


def counter(root: Path) -> None:
    folder, first = root / "rtl/counters", '"bcache.accesses",'
    edit(folder / "CounterNames.scala", f"    {first}", f'    "bcache.demo",\n    {first}')
    edit(folder / "test/counters_bench.py", f"    + [{first}", f'    + ["bcache.demo", {first}')


def counter_row(root: Path) -> None:
    first = "\n| `bcache.accesses` |"
    edit(root / "docs/reference/counters.md", first, f"\n| `bcache.demo` | – |{first}")


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
    "counter": (
        (counter, counter_row),
        "rtl/counters/test/test_counter_pages.py",
        "bcache.demo",
    ),
    "stall owner": (
        (owner, owner_row),
        "cores/alpha-lite/test/test_stall_table.py",
        "owner demo has no row",
    ),
    "board": (
        (board, baud),
        "boards/test/test_board_build.py::test_every_board_is_described",
        "missing required field `baud`",
    ),
}


def judged(root: Path, test: str) -> tuple[bool, str]:
    words = [sys.executable, "-m", "pytest", "-q", "-c", root / "pytest.ini", root / test]
    paths = {"PYTHONPATH": str(root / "tools")}
    done = heard(words, cwd=root, env=os.environ | paths)
    return done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("kind", KINDS)
def test_the_page_is_right(checkout: Path, kind: str) -> None:
    (first, last), test, said = KINDS[kind]
    page = (ROOT / "docs/contributing.md").read_text()
    section = re.search(rf"^## An? {kind}\n(.*?)(?=^## |\Z)", page, re.M | re.S)[1]
    assert f"`{test.partition('::')[0]}`" in section
    first(checkout)
    right, output = judged(checkout, test)
    assert not right and said in output, output
    last(checkout)
    right, output = judged(checkout, test)
    assert right, output
