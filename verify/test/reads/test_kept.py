# SPDX-License-Identifier: BSD-2-Clause
"""After a change, the test files that read what changed run again, and no others."""

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from mcpi.base import reuse
from mcpi.base.process import heard
from mcpi.base.repo import ROOT
from verify import test_runner
from verify.reads import kept, observer
from verify.reads.observer import Reads
from verify.test_runner import Kinds

RAN = "import os\n\ndef ran(name):\n    open(os.environ['RAN'], 'a').write(name + ' ')\n"
FILES = {
    "conftest.py": "import os, sys\nsys.path.insert(0, os.path.dirname(__file__))\n",
    "lib/__init__.py": "",
    "lib/ran.py": RAN,
    "lib/early.py": "from lib.ran import ran\nfrom lib import below\n",
    "lib/below.py": "from pathlib import Path\nTEXT = Path('data/early').read_text()\n",
    "lib/late.py": "VALUE = 1\n",
    "lib/memory.py": """
from functools import cache
from pathlib import Path

@cache
def table(): return Path("data/table").read_text()
""",
    "data/early": "", "data/table": "", "data/rows": "1 2", "data/given": "", "data/tool": "",
    "listed/one": "", "note": "",
    "t/test_early.py": "from lib.early import ran\n\ndef test_one(): ran('early')\n",
    "t/test_late.py": """
from lib.ran import ran

def test_one():
    from lib import late
    assert late.VALUE
    ran('late')
""",
    "t/test_late_too.py": """
import importlib
from lib.ran import ran

def test_one():
    assert importlib.import_module("lib.late").VALUE
    ran('late_too')
""",
    "t/test_memory.py": "from lib import memory\nfrom lib.ran import ran\n\n"
    "def test_one(): ran('memory' + memory.table())\n",
    "t/test_memory_too.py": "from lib import memory\nfrom lib.ran import ran\n\n"
    "def test_one(): ran('memory_too' + memory.table())\n",
    "t/test_rows.py": """
from pathlib import Path
import pytest
from lib.ran import ran

def pytest_generate_tests(metafunc):
    metafunc.parametrize("row", Path("data/rows").read_text().split())

def test_one(row): ran('rows')
""",
    "t/test_process.py": """
import subprocess
from lib.ran import ran

def test_one():
    subprocess.run(["bash", "-c", "cat data/tool"], check=True)
    ran('process')
""",
    "t/test_listed.py": "import os\nfrom lib.ran import ran\n\n"
    "def test_one():\n    os.listdir('listed')\n    ran('listed')\n",
    "t/test_all.py": """
import subprocess
from lib.ran import ran

def test_one():
    subprocess.run(["cat", "note"], env={"PATH": "/usr/bin:/bin"}, check=True)
    ran('all')
""",
}  # fmt: skip
EVERY = {"early", "late", "late_too", "memory", "memory_too", "rows", "process", "listed", "all"}


class House:
    """A checkout of its own. ``session`` returns the names of the tests that ran."""

    def __init__(self, root: Path, scratch: Path) -> None:
        self.root, self.scratch, self.number = root, scratch, 0
        for name, text in FILES.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        kept_part = (ROOT / "pytest.ini").read_text()
        rest = kept_part[kept_part.index("addopts") :]
        (root / "pytest.ini").write_text(f"[pytest]\ntestpaths = t\n{rest}")
        self.said = None

    def session(self, fresh: bool = False) -> set[str]:
        self.number += 1
        folder = self.scratch / str(self.number)
        folder.mkdir()
        if not fresh:
            held = kept.Store(self.root).holds()
            (folder / kept.LIST).write_text(json.dumps(held))
        env = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST")}
        library = observer.library()
        env |= observer.environment(library, folder / "reads", self.root)
        env |= {reuse.SESSION: str(folder), "RAN": str(folder / "ran")}
        env.pop(observer.OF, None)
        done = heard(test_runner.words(Kinds.USUAL, "", 2), cwd=self.root, env=env)
        self.said = done.stdout.splitlines()
        ran = folder / "ran"
        return set(ran.read_text().split()) if ran.exists() else set()

    def to_run(self) -> set[str]:
        """Names of the files that the next session runs."""
        held = {Path(name.partition("::")[0]).stem for name in kept.Store(self.root).holds()}
        return EVERY - {name.removeprefix("test_") for name in held}

    def change(self, name: str, text: str) -> None:
        place = self.root / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(place.read_text() + text if place.exists() else text)


@pytest.fixture(scope="module")
def passed(tmp_path_factory) -> House:
    made = tmp_path_factory.mktemp("kept")
    house = House(made / "root", made)
    assert house.session() == EVERY, "\n".join(house.said)
    return house


@pytest.fixture
def house(passed: House, tmp_path: Path) -> House:
    """A copy in the same place: the reads are those of the session before."""
    saved = tmp_path / "saved"
    shutil.copytree(passed.root, saved, symlinks=True)
    yield passed
    shutil.rmtree(passed.root)
    shutil.copytree(saved, passed.root, symlinks=True)


def test_nothing_runs_if_nothing_changed(house: House) -> None:
    assert house.session() == set()
    assert house.said[-1] == "10 passed, 0 failed; 10 of the passed did not run again"
    assert house.session(fresh=True) == EVERY


@pytest.mark.parametrize(
    ("name", "text", "again"),
    [
        ("lib/early.py", "# more\n", {"early"}),
        ("lib/below.py", "# more\n", {"early"}),
        ("data/early", "x", {"early"}),
        ("lib/late.py", "# more\n", {"late", "late_too"}),
        ("data/table", "_2", {"memory", "memory_too"}),  # one had it from memory
        ("lib/ran.py", "# more\n", EVERY),
        ("conftest.py", "# more\n", EVERY),
        ("data/rows", " 3", {"rows"}),
        ("data/tool", "x", {"process"}),
        ("listed/two", "x", {"listed"}),
        ("listed/one", "x", {"all"}),
        ("note", "x", {"all"}),
        ("t/test_late.py", "# more\n", {"late"}),
        ("t/conftest.py", "", EVERY),
        ("new/page.md", "x", {"all"}),
        ("build/made", "x", set()),
        (".git/index", "x", set()),
    ],
)
def test_what_read_it_runs_again(house: House, name: str, text: str, again: set[str]) -> None:
    """A process that is not observed may have read anything: ``all`` runs after each change."""
    house.change(name, text)
    real = not name.startswith(("build", ".git"))
    assert house.to_run() == (again | {"all"} if real else again)


def test_after_a_change_it_is_kept_again(house: House) -> None:
    house.change("data/table", "_2")
    assert house.session() == {"memory_2", "memory_too_2", "all"}
    assert house.session() == set()


def test_a_failure_is_never_kept(house: House) -> None:
    whole = (house.root / "lib/late.py").read_text()
    (house.root / "lib/late.py").write_text("VALUE = 0\n")
    house.session()
    assert house.said[-1].startswith("8 passed, 2 failed")
    assert house.to_run() == {"late", "late_too"}
    (house.root / "lib/late.py").write_text(whole)
    assert {"late", "late_too"} <= house.to_run()


def test_a_change_while_it_runs_keeps_nothing_of_who_reads_it(house: House) -> None:
    """It may have read the file before or after."""
    path = house.root / "t/test_listed.py"
    path.write_text(f"{path.read_text()}    open('data/given', 'a').write('x')\n")
    assert "listed" in house.session()
    assert "listed" in house.to_run()


@pytest.mark.parametrize("name", ["MCPI_SEED", "LC_ALL"])
def test_a_variable_that_tests_read(house: House, monkeypatch, name: str) -> None:
    assert kept.Store(house.root).holds()
    monkeypatch.setenv(name, "7")
    assert not kept.Store(house.root).holds()


@pytest.fixture
def digest(tmp_path: Path) -> Callable[[], str]:
    (tmp_path / "room").mkdir()
    (tmp_path / "room/one").write_text("1")
    reads = Reads({"room/one", "gone"}, {"room"}, {"room"})
    return lambda facts="": kept.Content(tmp_path).of(reads, facts)


@pytest.mark.parametrize(
    "line",
    [
        "echo 2 > room/one",
        "chmod +x room/one",
        "rm room/one",
        "touch gone",
        "mkdir gone",
        "touch room/two",
        "mkdir -p room/deep; touch room/deep/three",
        "rm room/one; mkdir room/one",
    ],
)
def test_a_digest_sees_it(digest, tmp_path: Path, line: str) -> None:
    before = digest()
    assert digest() == before != digest("another machine")
    subprocess.run(line, shell=True, cwd=tmp_path, check=True)
    assert digest() != before


def test_an_entry_that_cannot_be_read_is_none(tmp_path: Path) -> None:
    store = kept.Store(tmp_path)
    assert store.keep("t/test_one.py", ["t/test_one.py::test_a"], Reads(), 0) is False
    (tmp_path / "t").mkdir()
    place = tmp_path / kept.FOLDER / "x.json"
    place.parent.mkdir(parents=True)
    place.write_text("{")
    assert store.holds() == []
