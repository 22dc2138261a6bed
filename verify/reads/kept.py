# SPDX-License-Identifier: BSD-2-Clause
"""Passes of test files that are kept (``build/kept-tests/``), each with what its tests read.

A pass holds while the content of all that is what it was, and so are the tool environment, the
machine's abilities and the variables that begin with ``MCPI_``. Only tests that passed
are kept, and of a file in which one has failed, none.
"""

import hashlib
import json
import os
import platform
import stat
import subprocess
from collections.abc import Iterable
from pathlib import Path

from mcpi.base import staging
from verify.reads.observer import Reads

LIST = "kept-tests.json"  # in the session's folder: the tests that need not run
FOLDER = "build/kept-tests"
_LEFT_OUT = {"build", "results", "out", ".git", ".mcpi"}  # as observed.c does
_LEFT_OUT |= {"__pycache__", ".ruff_cache", ".hypothesis"}
_OF_A_SESSION = {"MCPI_TEST_SESSION", "MCPI_ELABORATOR", "MCPI_PURPOSE", "MCPI_GROUPS"}
_ALWAYS = ("pytest.ini", "conftest.py", "mcpi")


def of_session(folder: Path | None) -> set[str]:
    """Names of the tests that need not run in this session."""
    place = folder / LIST if folder else None
    return set(json.loads(place.read_text())) if place and place.exists() else set()


def facts() -> str:
    """Return, as words, all that tests depend on besides files of the checkout."""
    said = {name: text for name, text in os.environ.items() if name.startswith(("MCPI_", "LC_"))}
    said = {n: t for n, t in said.items() if n not in _OF_A_SESSION and "MCPI_READS" not in n}
    namespaces = subprocess.run(["unshare", "--net", "true"], capture_output=True, check=False)
    tun = os.access("/dev/net/tun", os.R_OK | os.W_OK)
    groups = sorted(p.name for p in Path(os.environ.get("MCPI_ENV", "")).glob("done/*"))
    machine = [*platform.uname()[:5:2], os.cpu_count(), os.getuid(), tun, namespaces.returncode]
    return repr([sorted(said.items()), groups, machine, os.environ.get("LANG")])


class Content:
    """Digests of the checkout as it is now; of a file that is the same it is made once."""

    def __init__(self, root: Path) -> None:
        self.root, self.known = root, {}

    def of(self, reads: Reads, facts: str) -> str:
        """Return a digest of all that was read."""
        lines = [facts]
        lines += [f"f {path} {self._file(self.root / path)}" for path in sorted(reads.files)]
        lines += [f"d {path} {_names(self.root / path)}" for path in sorted(reads.folders)]
        trees = sorted(reads.trees | {"."} if reads.anything else reads.trees)
        for tree in trees:
            found = [f"{path} {self._file(path)}" for path in _below(self.root / tree)]
            lines += [f"t {tree}", *found]
        return hashlib.sha256("\n".join(lines).encode(errors="surrogateescape")).hexdigest()

    def _file(self, path: Path) -> str:
        try:
            found = path.stat()
            if not stat.S_ISREG(found.st_mode):
                return "folder" if path.is_dir() else "no file"
            key = path, found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_mode
            if key not in self.known:
                self.known[key] = hashlib.sha256(path.read_bytes()).hexdigest()
            return f"{found.st_mode:o} {self.known[key]}"
        except OSError as error:
            return error.strerror

    def changed(self, reads: Reads, since: int) -> bool:
        """True if a file of them changed since then, ns."""
        trees = {"."} if reads.anything else reads.trees
        below = [path for tree in trees for path in _below(self.root / tree)]
        return any(_when(path) >= since for path in [*map(self.root.joinpath, reads.files), *below])


def _when(path: Path) -> int:
    try:
        found = path.stat()
    except OSError:
        return 0
    return max(found.st_mtime_ns, found.st_ctime_ns) if stat.S_ISREG(found.st_mode) else 0


def _names(path: Path) -> str:
    """Names in a folder, without what tools leave there."""
    try:
        return repr(sorted(set(os.listdir(path)) - _LEFT_OUT))
    except OSError as error:
        return error.strerror


def _below(tree: Path) -> list[Path]:
    """All files below it, or the file that it is."""
    if not tree.is_dir():
        return [tree]
    found = []
    for folder, folders, files in os.walk(tree):
        folders[:] = sorted(set(folders) - _LEFT_OUT)
        found += [Path(folder, name) for name in sorted(set(files) - _LEFT_OUT)]
    return found


def with_its_own(file: str, reads: Reads) -> Reads:
    """The same, and what each test file depends on: settings, and conftest.py in all its folders,
    which may come to be."""
    more = [str(folder / "conftest.py") for folder in Path(file).parents]
    return reads | Reads(files={file, *_ALWAYS, *more})


class Store:
    """Entries of test files: which of its tests passed, all they read, a digest of that."""

    def __init__(self, root: Path) -> None:
        self.folder, self.facts, self.content = root / FOLDER, facts(), Content(root)

    def _place(self, file: str) -> Path:
        return self.folder / f"{hashlib.sha256(file.encode()).hexdigest()[:16]}.json"

    def _valid(self, place: Path) -> dict | None:
        """Return the entry there, if it still holds."""
        try:
            entry = json.loads(place.read_text())
            same = self.content.of(_reads(entry["reads"]), self.facts) == entry["digest"]
            return entry if same else None
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def holds(self) -> list[str]:
        """Names of all tests whose pass still holds."""
        entries = map(self._valid, sorted(self.folder.glob("*.json")))
        return [name for entry in entries if entry for name in entry["passed"]]

    def keep(self, file: str, passed: Iterable[str], reads: Reads, began: int) -> bool:
        """Keep these tests of ``file``, with those that are kept and still hold; but nothing if
        what was read changed since the session ``began``: it may have been read before or after."""
        reads, names = with_its_own(file, reads), set(passed)
        if before := self._valid(self._place(file)):
            names |= set(before["passed"])
            reads = reads | _reads(before["reads"])
        digest = self.content.of(reads, self.facts)
        if self.content.changed(reads, began):
            self.forget(file)
            return False
        entry = {"digest": digest, "passed": sorted(names), "reads": _written(reads)}
        staging.write(self._place(file), json.dumps(entry, indent=1, sort_keys=True) + "\n")
        return True

    def forget(self, file: str) -> None:
        """Keep nothing of a file in which a test failed."""
        self._place(file).unlink(missing_ok=True)


def _written(reads: Reads) -> dict:
    sets = {name: sorted(getattr(reads, name)) for name in ("files", "folders", "trees")}
    return sets | {"anything": reads.anything}


def _reads(said: dict) -> Reads:
    return Reads(set(said["files"]), set(said["folders"]), set(said["trees"]), said["anything"])
