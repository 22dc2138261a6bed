# SPDX-License-Identifier: BSD-2-Clause
"""The compiled generators: Scala sources to a class path, compiled by Mill when they changed.

Classes are copied into a folder named by the digest of the sources, so that a later edit does not
pull them away from under an elaboration that runs. ``python -m mcpi.scala`` prints the class path
and, unless ``--only`` is said, has the formatter look at the sources: set-up wants its jars too.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

from mcpi.errors import RunError, UserError
from mcpi.lock import hold
from mcpi.paths import BUILD, ROOT

ROOMS = ("rtl", "cores", "lance-ip", "boards")
MAIN = "mcpi.boards.Main"


def sources() -> list[Path]:
    """Every Scala file of the house, the build file, and what boards' tops read."""
    found = [p for room in ROOMS for p in (ROOT / room).rglob("*.scala")]
    found += (ROOT / "boards").glob("*/board.toml")
    return [ROOT / "build.sc", *sorted(found)]


def digest() -> str:
    """Names and contents of the sources."""
    sum_ = hashlib.sha256()
    for path in sources():
        sum_.update(f"{path.relative_to(ROOT)}\0".encode() + path.read_bytes() + b"\0")
    return sum_.hexdigest()[:16]


@cache
def mill() -> str:
    """The Mill command of the environment."""
    command = os.environ.get("MCPI_MILL") or shutil.which("mill")
    if not command:
        raise UserError("mill is missing. Type: ./mcpi setup")
    return command


def classpath() -> str:
    """The class path of the generators; compiles first if the sources changed."""
    folder = BUILD / "scala" / digest()
    record = folder / "classpath"
    if not record.exists():
        with hold(BUILD / "scala.lock", "compiles the Scala"):
            if not record.exists():
                _compile(folder)
    return record.read_text()


def unformatted() -> list[str]:
    """What the formatter (``.scalafmt.conf``) says of the sources; empty if it agrees."""
    with hold(BUILD / "scala.lock", "compiles the Scala"):
        done = _mill("mill.scalalib.scalafmt.ScalafmtModule/checkFormatAll", "__.sources")
    return (done.stdout + done.stderr).splitlines() if done.returncode else []


def _mill(*words: str) -> subprocess.CompletedProcess[str]:
    # No server: it would outlive this command and keep its environment.
    command = [mill(), "--no-server", "--ticker", "false", "--disable-prompt", *words]
    return subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False
    )


def _compile(folder: Path) -> None:
    done = _mill("show", "boards.runClasspath")
    if done.returncode:
        lines = (done.stdout + done.stderr).splitlines()
        kept = [x for x in lines if "[error]" in x or "error:" in x.lower()] or lines
        raise RunError("the Scala does not compile:\n  " + "\n  ".join(kept[:40]))
    # Mill's own messages may stand before the list.
    entries = json.loads(done.stdout[done.stdout.index("[\n") :])
    stage = folder.with_name(f"{folder.name}.{os.getpid()}")
    shutil.rmtree(stage, ignore_errors=True)
    stage.mkdir(parents=True)
    path = []
    for entry in entries:
        source = Path(entry.rsplit(":", 1)[-1])
        if source.is_relative_to(ROOT) and source.is_dir():
            kept = f"{source.relative_to(ROOT)}".replace("/", "-")
            shutil.copytree(source, stage / kept)
            path.append(str(folder / kept))
        elif source.exists():
            path.append(str(source))
    (stage / "classpath").write_text(":".join(path))
    shutil.rmtree(folder, ignore_errors=True)
    stage.rename(folder)


if __name__ == "__main__":
    print(classpath())
    if "--only" not in sys.argv[1:]:
        unformatted()
