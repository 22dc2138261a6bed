# SPDX-License-Identifier: BSD-2-Clause
"""Every way in which a process reads the checkout is noted, and what is not seen is said."""

import os
import shutil
import sys
from pathlib import Path

import pytest

from mcpi.base.process import heard
from mcpi.base.repo import ROOT
from verify.reads import observer
from verify.reads.observer import Reads

NAME = "a/test/test_one.py"
PYTHON = [sys.executable, "-S", "-c"]
RELATIVE = "os.open('deep', 0, dir_fd=os.open('room/inner', 0))"
FILES, FOLDERS, TREES = "files", "folders", "trees"


@pytest.fixture(scope="module")
def library() -> Path:
    found = observer.library()
    assert found, "the library could not be compiled"
    return found


@pytest.fixture
def house(library: Path, tmp_path: Path):
    """house(words, ...) -> what a process, and all that it starts, read of the folder ``root``."""
    root = tmp_path / "root"
    (root / "room/inner").mkdir(parents=True)
    (root / "build").mkdir()
    for name in ("room/text", "room/inner/deep", "build/made", "header.h"):
        (root / name).write_text("")

    def run(words: list, cwd: Path = root, fails: bool = False) -> Reads:
        notes = tmp_path / "notes"
        env = os.environ | observer.environment(library, notes, root) | {observer.OF: NAME}
        done = heard(["sh", "-c", 'exec "$@"', "sh", *words], cwd=cwd, env=env)
        assert bool(done.returncode) is fails, done.stderr
        return observer.of(notes, NAME)

    return run


def bash(line: str) -> list[str]:
    return ["bash", "-c", line]


@pytest.mark.parametrize(
    ("words", "kind", "path"),
    [
        ([*PYTHON, "open('room/text')"], FILES, "room/text"),
        ([*PYTHON, "import os; os.stat('room/text')"], FILES, "room/text"),
        ([*PYTHON, "import os; os.path.exists('room/gone')"], FILES, "room/gone"),
        ([*PYTHON, "import os; os.access('room/../room/./text', 4)"], FILES, "room/text"),
        ([*PYTHON, "import os; os.chdir('room/inner'); open('../text')"], FILES, "room/text"),
        ([*PYTHON, "import os; os.listdir('room')"], FOLDERS, "room"),
        ([*PYTHON, "import os; list(os.scandir('room/inner'))"], FOLDERS, "room/inner"),
        ([*PYTHON, "import os; list(os.fwalk('room'))"], FOLDERS, "room/inner"),
        ([*PYTHON, f"import os; {RELATIVE}"], FILES, "room/inner/deep"),
        ([*PYTHON, "import os; os.symlink('inner', 'room/link')"], TREES, "room/inner"),
        (bash("cat room/text"), FILES, "room/text"),
        (bash("cd room; cat < inner/deep"), FILES, "room/inner/deep"),
        (bash("echo room/*"), FOLDERS, "room"),
        (bash("ls room | cat"), FOLDERS, "room"),
        (bash("grep -rq x room || true"), FILES, "room/inner/deep"),
        (bash("cp room/text build/copy"), FILES, "room/text"),
        (bash("(exec cat room/text)"), FILES, "room/text"),
        (bash("find . -name deep | xargs cat"), FILES, "room/inner/deep"),
        (bash("echo '#include \"header.h\"' | gcc -I. -E -x c -"), FILES, "header.h"),
        (bash("g++ -M -x c++ -include header.h /dev/null"), FILES, "header.h"),
        (bash("clang-14 -fsyntax-only -x c header.h"), FILES, "header.h"),
        (bash("perl -e 'open(F, \"room/text\")'"), FILES, "room/text"),
    ],
)  # fmt: skip
def test_it_is_noted(house, words: list[str], kind: str, path: str) -> None:
    found = house(words)
    assert path in getattr(found, kind)
    assert not found.anything


@pytest.mark.parametrize(
    "call", ["statx(0, None, 0, 4095, None)", "stat(None, None)", "open(None, 0)"]
)
def test_null_is_libcs_to_refuse(house, call: str) -> None:
    """Rust asks so whether there is statx."""
    house([*PYTHON, f"import ctypes; assert ctypes.CDLL(None).{call} == -1"])


def test_a_relative_link_that_is_made_elsewhere(house, tmp_path: Path) -> None:
    found = house(bash("ln -s root/room ../link"))
    assert "room" in found.trees


def test_ninja_looks_at_inputs_of_what_is_up_to_date(house, tmp_path: Path) -> None:
    rules = "rule copy\n  command = cp $in $out\nbuild build/out: copy room/text\n"
    (tmp_path / "root/build.ninja").write_text(rules)
    words = [shutil.which("ninja"), "-C", "."]
    heard(words, cwd=tmp_path / "root", check=True)
    assert "room/text" in house(words).files


@pytest.mark.parametrize(
    "path", ["build/made", "results/a/run.json", ".git/index", "room/__pycache__/a.pyc"]
)
def test_what_is_made_of_something_else_is_not_noted(house, path: str) -> None:
    found = house(bash(f"cat {path} || true"))
    assert path not in found.files and not found.anything


@pytest.mark.parametrize("line", ["env -i cat room/text", "env -u LD_PRELOAD cat room/text"])
def test_a_process_that_is_not_observed_may_have_read_anything(house, line: str) -> None:
    assert "cat" in house(bash(line)).anything


@pytest.mark.parametrize("line", ["os.chroot('/no/folder')", "os.setuid(os.getuid() + 1)"])
def test_so_may_who_becomes_another(house, line: str) -> None:
    found = house([*PYTHON, f"import contextlib, os\nwith contextlib.suppress(OSError): {line}"])
    assert found.anything == line[3:9]


def test_so_may_a_program_without_libc(house, tmp_path: Path) -> None:
    source = "int main(void) { return 0; }"
    program = tmp_path / "static"
    words = ["gcc", "-static", "-nostdlib", "-x", "c", "-", "-o", program]
    heard(words, input=source.replace("main", "_start"), stdin=None, check=True)
    assert str(program) in house([program], fails=True).anything


def test_a_sanitizer_is_left_alone_and_has_read_what_it_was_given(house, tmp_path: Path) -> None:
    program = tmp_path / "checked"
    words = ["gcc", "-fsanitize=address", "-x", "c", "-", "-o", program]
    heard(words, input="int main(void) { return 0; }", stdin=None, check=True)
    found = house([program, "room"])
    assert "room" in found.trees and not found.anything


@pytest.mark.parametrize("line", ["rev-parse HEAD", "status", "describe --always", "--version"])
def test_which_commit_it_is_decides_nothing(house, line: str) -> None:
    found = house(bash(f"git {line} || true"))
    assert not found.anything


def test_what_else_git_says_depends_on_all_files(house) -> None:
    assert house(bash("git ls-files || true")).anything == "ls-files"


def test_notes_of_a_module_belong_to_who_imports_it(tmp_path: Path) -> None:
    observer.note(tmp_path, NAME, "m", "tools/one.py")
    observer.note(tmp_path, "tools/one.py", "m", "tools/two.py")
    observer.note(tmp_path, "tools/two.py", "f", "machines/table.toml")
    observer.note(tmp_path, "tools/other.py", "f", "papers/page.csv")
    files = {NAME, "tools/one.py", "tools/two.py", "machines/table.toml"}
    assert observer.of(tmp_path, NAME).files == files


def test_the_library_is_no_warning(library: Path) -> None:
    env = os.environ | {observer.PRELOAD: str(library)}
    said = heard(["cat", ROOT / "pytest.ini"], env=env)
    assert not said.stderr and "testpaths" in said.stdout
