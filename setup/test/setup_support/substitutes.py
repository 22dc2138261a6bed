# SPDX-License-Identifier: BSD-2-Clause
"""A checkout with programs in the place of others, so that set-up can be tried without one."""

import os
import shutil
import subprocess
from pathlib import Path

from mcpi.base.repo import ROOT


class Checkout:
    """``./mcpi``, ``setup/``, ``.ci/run`` and README.md in a folder; ``bin/`` is in PATH."""

    def __init__(self, folder: Path):
        self.folder, self.bin = folder / "checkout", folder / "bin"
        self.bin.mkdir(parents=True)
        shutil.copytree(
            ROOT / "setup", self.folder / "setup", ignore=shutil.ignore_patterns("test")
        )
        shutil.copytree(ROOT / ".ci", self.folder / ".ci")
        for name in ("mcpi", "README.md", "pyproject.toml"):
            shutil.copy(ROOT / name, self.folder / name)
        (self.folder / ".git").touch()

    def substitute(self, path: Path | str, *lines: str) -> None:
        """A shell script: a name in ``bin/``, or a path in the checkout."""
        place = self.bin / path if "/" not in str(path) else self.folder / path
        place.unlink(missing_ok=True)
        place.write_text("#!/bin/sh\n" + "\n".join(lines) + "\n")
        place.chmod(0o755)

    def environment(self, only: bool = False) -> dict[str, str]:
        """``only``: PATH is ``bin/`` alone."""
        path = str(self.bin) if only else f"{self.bin}:/usr/sbin:/usr/bin:/sbin:/bin"
        home = str(self.folder.parent)
        return {"PATH": path, "HOME": home, "TMPDIR": home, "LANG": "C.UTF-8"}

    def run(
        self, *words: str, only: bool = False, **environment: str
    ) -> subprocess.CompletedProcess:
        return subprocess.run(
            [str(w) for w in words],
            cwd=self.folder,
            env=self.environment(only) | environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
        )

    def begin(self, *words: str, stdout) -> subprocess.Popen:
        """In a process group of its own, as a terminal's ^C finds it."""
        return subprocess.Popen(
            words,
            cwd=self.folder,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            start_new_session=True,
        )


def link(folder: Path, *names: str) -> None:
    """Programs of this machine, by name, in ``folder``."""
    for name in names:
        os.symlink(shutil.which(name), folder / name)
