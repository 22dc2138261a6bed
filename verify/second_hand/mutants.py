# SPDX-License-Identifier: BSD-2-Clause
"""Plant each mistake of mutants.toml, and let the second hand find it:
``./mcpi python -m verify.second_hand.mutants [WORD...]``, those with a word in their names.

A mistake is planted in a process of its own, as its module is loaded; no file changes. So this
module imports those that may have one only after that.
"""

import contextlib
import os
import sys
import tempfile
import tomllib
from dataclasses import dataclass
from importlib.machinery import SourceFileLoader
from pathlib import Path

from mcpi.base.process import heard
from mcpi.base.repo import PYTHONPATH, ROOT

FILE = Path(__file__).with_name("mutants.toml")
CAUGHT, LOST = "caught", "LOST"


@dataclass(frozen=True)
class Mutant:
    """``path``: of a module of ``mcpi``; ``old`` stands there once. ``where``: a study, whose
    fixtures show the mistake to the second hand, or a file of tests, which fail."""

    name: str
    where: str
    path: str
    old: str
    new: str

    @property
    def of_a_study(self) -> bool:
        return not self.where.endswith(".py")

    @property
    def place(self) -> Path:
        return ROOT / "tools" / "mcpi" / self.path

    def source(self) -> str:
        """The module with the mistake."""
        text = self.place.read_text()
        assert text.count(self.old) == 1, (
            f"{self.name}: {text.count(self.old)} times in {self.path}"
        )
        return text.replace(self.old, self.new)


def read() -> list[Mutant]:
    return [Mutant(*row) for row in tomllib.loads(FILE.read_text())["mutant"]]


def plant(mutant: Mutant) -> None:
    """The module that is loaded from now on has the mistake."""
    usual, place, text = SourceFileLoader.get_code, str(mutant.place), mutant.source()

    def get_code(self: SourceFileLoader, name: str) -> object:
        return self.source_to_code(text, place) if self.path == place else usual(self, name)

    SourceFileLoader.get_code = get_code


def found(mutant: Mutant, root: Path) -> str:
    """Words of whoever sees the mistake; empty if nobody does. ``root``: the unpacked fixtures of
    its study."""
    words = [sys.executable, "-m", "verify.second_hand.mutants", "--plant", mutant.name, root]
    done = heard(words, cwd=ROOT, env=os.environ | {"PYTHONPATH": PYTHONPATH})
    assert done.returncode in (0, 1), f"{mutant.name}: {done.stderr}"
    return done.stdout.strip() if done.returncode else ""


def _planted(name: str, root: Path) -> int:
    """1 if the second hand sees the mistake, or the study itself refuses its files; or a test
    fails."""
    [mutant] = [one for one in read() if one.name == name]
    plant(mutant)
    if not mutant.of_a_study:
        import pytest

        words = ["-q", "-x", "--no-header", "-p", "no:cacheprovider", str(ROOT / mutant.where)]
        return int(pytest.main(words))
    from mcpi.base.errors import RunError
    from verify.second_hand import compare

    try:
        said = compare.of_fixtures(mutant.where, root)
    except RunError as error:
        print(f"refused: {error}")
        return 1
    if said.different:
        print("{}: {}, {}: {}, second hand {}".format(*said.different[0]))
    return int(bool(said.different))


@contextlib.contextmanager
def unpacked(studies: set[str]):
    """A folder with the fixtures of these studies."""
    from verify.second_hand import fixtures

    with tempfile.TemporaryDirectory() as folder:
        for name in studies:
            fixtures.unpack(name, Path(folder, name))
        yield Path(folder)


def hunt(words: list[str]) -> int:
    """Print a line for each mistake; returns how many were lost."""
    wanted = [m for m in read() if not words or any(word in m.name for word in words)]
    lost = 0
    with unpacked({m.where for m in wanted if m.of_a_study}) as root:
        for mutant in wanted:
            said = found(mutant, root / mutant.where)
            lost += not said
            last = said.splitlines()[-1] if said else ""
            print(f"{CAUGHT if said else LOST}  {mutant.name}  {last}", flush=True)
    print(f"{len(wanted)} mistakes, {lost} lost")
    return lost


if __name__ == "__main__":
    if sys.argv[1:2] == ["--plant"]:
        sys.exit(_planted(sys.argv[2], Path(sys.argv[3])))
    sys.exit(bool(hunt(sys.argv[1:])))
