# SPDX-License-Identifier: BSD-2-Clause
"""The commit that is released, and what git says of it."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

from mcpi.base import process
from mcpi.base.errors import UserError
from mcpi.base.repo import ROOT

SHORT = 12  # letters of a commit


@dataclass(frozen=True)
class Commit:
    """``seconds``: its time, which is the time of all files of the release."""

    version: str
    name: str
    seconds: int
    date: str

    @property
    def stem(self) -> str:
        """The beginning of the names of all files."""
        return f"mcpi-{self.version}"


def read() -> Commit:
    """The commit of the checkout. UserError if a file differs from it."""
    if changed := git("status", "--porcelain").splitlines():
        raise UserError(
            f"{changed[0][3:]}: not as the commit has it ({len(changed)} such files). A release is "
            "made of a commit: commit the changes, or clone the commit elsewhere."
        )
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    name, seconds, date = git("show", "-s", "--format=%H %ct %cs", "HEAD").split()
    return Commit(project["version"], name, int(seconds), date)


def git(*words: str, at: Path | None = None) -> str:
    """Output of git in the checkout, or in a checkout ``at`` another place. UserError with git's
    words."""
    place: list[object] = ["-C", ROOT]
    if at is not None:  # and never in a checkout around that place
        place = [f"--git-dir={at.resolve()}/.git", f"--work-tree={at.resolve()}"]
    done = process.heard(["git", "--no-optional-locks", *place, *words])
    if done.returncode:
        raise UserError(f"git {words[0]}: {done.stderr.strip()}")
    return done.stdout


def dated(path: str) -> str:
    """The day on which a file was last changed."""
    return git("log", "-1", "--format=%cs", "--", path).strip()


def files(*patterns: str) -> list[str]:
    """The files of the commit that match, by name."""
    return sorted(git("ls-files", "--", *patterns).splitlines())
