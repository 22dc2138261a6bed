# SPDX-License-Identifier: BSD-2-Clause
"""The compiled generators: Scala sources to a class path, compiled when they changed.

Classes lie in a folder named by the digest of the sources, so that a later edit does not pull them
away from under an elaboration that runs. ``python -m mcpi.hdl.scala`` compiles; with words behind
it, it runs the generators.
"""

import hashlib
import os
import re
import shutil
import socket
import subprocess
import sys
from functools import cache
from pathlib import Path

from mcpi.base.errors import RunError, UserError
from mcpi.base.file_lock import hold
from mcpi.base.process import heard
from mcpi.base.repo import BUILD, ROOT

MAIN = "mcpi.boards.Main"
ELABORATOR = "MCPI_ELABORATOR"
# The compiler and SpinalHDL, by version; Maven brings them (setup/steps.py).
VERSIONS = ROOT / "setup" / "pins.txt"
# Each start of Java is short: the quick compiler alone takes a third of the time of both.
JAVA = ("java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xss8m")
OPTIONS = ("-deprecation", "-feature", "-language:reflectiveCalls")
_SHOWN_LINES, _SHOWN = 40, 4000


# Packages that a folder's Scala, package mcpi.<name>, may import: arrows go one way.
PARTS = ("machine", "bus", "memory", "counters", "console")
ARROWS = {
    **{f"rtl/{part}": set(PARTS) for part in PARTS},
    "cores/alpha-lite": set(PARTS),
    "lance-ip": set(PARTS),
    "rtl/node": {*PARTS, "core", "lance"},
    "boards": {*PARTS, "core", "lance", "node"},
}


def sources() -> list[Path]:
    """Every Scala file of the house, the compiler's version, and what boards' tops read."""
    found = [p for folder in ARROWS for p in (ROOT / folder).rglob("*.scala")]
    return [VERSIONS, *sorted([*found, *(ROOT / "boards").glob("*/board.toml")])]


def digest() -> str:
    """Names and contents of the sources."""
    sum_ = hashlib.sha256()
    for path in sources():
        sum_.update(f"{path.relative_to(ROOT)}\0".encode() + path.read_bytes() + b"\0")
    return sum_.hexdigest()[:16]


@cache
def jars() -> list[str]:
    """Jars of the Scala compiler, SpinalHDL and its plugin, as installed by set-up."""
    kept = Path(os.environ.get("MCPI_ENV", "")) / "jars" / "scala"
    if not kept.is_file():
        raise UserError("The Scala compiler is missing. Start through ./mcpi, or: ./mcpi setup")
    return kept.read_text().strip().split(":")


def classpath() -> str:
    """The class path of the generators; compiles first if the sources changed."""
    folder = BUILD / "scala" / digest()
    record = folder / "classpath"
    if not record.exists():
        with hold(BUILD / "scala.lock", "compiles the Scala"):
            if not record.exists():
                _compile(folder)
    return record.read_text()


def _compile(folder: Path) -> None:
    """All rooms in one start of the compiler: it spends most of a start on warming up."""
    stage = folder.with_name(f"{folder.name}.{os.getpid()}")
    shutil.rmtree(stage, ignore_errors=True)
    (stage / "classes").mkdir(parents=True)
    path = ":".join(jars())
    plugin = ":".join(jar for jar in jars() if "/spinalhdl-idsl-" in jar)
    words = [*JAVA, "-cp", path, "scala.tools.nsc.Main", *OPTIONS, "-cp", path]
    words += [f"-Xplugin:{plugin}", "-d", str(stage / "classes")]
    words += (str(p) for p in sources() if p.suffix == ".scala")
    done = heard(words, cwd=ROOT)
    if done.returncode:
        lines = (done.stdout + done.stderr).splitlines()
        first = next((n for n, line in enumerate(lines) if " error: " in line), 0)
        excerpt = "\n  ".join(lines[first : first + _SHOWN_LINES])
        raise RunError(f"the Scala does not compile:\n  {excerpt}")
    (stage / "classpath").write_text(f"{folder / 'classes'}:{path}")
    shutil.rmtree(folder, ignore_errors=True)
    stage.rename(folder)


def elaborate(words: list[str]) -> None:
    """Run the generators: BLOCK, machine.json and folder, as often as wanted.

    Commands that have the same folder in ``MCPI_ELABORATOR`` share one Java, which begins with the
    first: starting it takes longer than most elaborations. The Verilog is the same.
    """
    path = classpath()
    if folder := os.environ.get(ELABORATOR):
        place = _shared(Path(folder))
        with hold(place.with_suffix(".lock"), "elaborates"):
            said = _ask(place, path, words)
    else:
        command = [*JAVA, "-cp", path, MAIN, *words]
        done = heard(command, cwd=ROOT)
        said = f"{done.stdout}\n{done.stderr}" if done.returncode else ""
    if said:
        raise RuntimeError(f"elaborating {words[0]} failed: {_reason(said)}\n{said[-_SHOWN:]}")


def _reason(said: str) -> str:
    """Message of the last exception in the words of an elaboration, empty if it has none."""
    found = re.findall(r"^(?:Exception in .*? )?[\w.$]+(?:Exception|Error): (.+)$", said, re.M)
    return found[-1] if found else ""


def _shared(folder: Path) -> Path:
    """Socket of the Java for these sources and this table of counters: a Java takes one table."""
    table = hashlib.sha256((ROOT / "machines/counters.toml").read_bytes())
    return folder / f"{digest()}-{table.hexdigest()[:8]}"


def _ask(place: Path, path: str, words: list[str]) -> str:
    """Answer of the Java that several commands share: empty if all is well."""
    with socket.socket(socket.AF_UNIX) as line:
        try:
            line.connect(str(place))
        except OSError:
            _serve(place, path)
            line.connect(str(place))
        line.sendall("\n".join(words).encode())
        line.shutdown(socket.SHUT_WR)
        said = b""
        while chunk := line.recv(1 << 16):
            said += chunk
    end = "\ndone\n"  # missing if it died
    text = said.decode(errors="replace")
    return "" if text.endswith(end) else text or "Java has ended"


def _serve(place: Path, path: str) -> None:
    """Start it; it ends when its folder goes, whatever becomes of the command that started it."""
    place.unlink(missing_ok=True)
    with place.with_suffix(".log").open("w") as log:
        child = subprocess.Popen(
            [*JAVA, "-cp", path, MAIN, "--serve", str(place)],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=log,
        )
        if not child.stdout.readline():
            raise RunError(f"Java does not start:\n{place.with_suffix('.log').read_text()}")


def unformatted() -> list[str]:
    """Lines of the formatter (``.scalafmt.conf``) about the sources; empty if it agrees."""
    if not (program := shutil.which("scalafmt")):
        raise UserError("scalafmt is missing. Type: ./mcpi setup")
    files = [str(p.relative_to(ROOT)) for p in sources() if p.suffix == ".scala"]
    files.append("build.sc")
    done = heard([program, "--non-interactive", "--list", *files], cwd=ROOT)
    return (done.stdout + done.stderr).splitlines() if done.returncode else []


if __name__ == "__main__":
    try:
        elaborate(sys.argv[1:]) if sys.argv[1:] else classpath()
    except (RunError, RuntimeError, UserError) as error:
        sys.exit(str(error))
