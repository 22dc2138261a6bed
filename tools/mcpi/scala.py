# SPDX-License-Identifier: BSD-2-Clause
"""The compiled generators: Scala sources to a class path, each room compiled when it changed.

A room's classes lie in a folder named by the digest of its sources and of the rooms it uses: a
later edit does not pull them away from under an elaboration that runs. ``python -m mcpi.scala``
prints the class path.
"""

import concurrent.futures
import hashlib
import os
import shlex
import shutil
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from mcpi.errors import RunError, UserError
from mcpi.lock import hold
from mcpi.paths import BUILD, ROOT

MAIN = "mcpi.boards.Main"
# The compiler and SpinalHDL, by version; Maven brings them (setup/steps.py).
VERSIONS = ROOT / "setup" / "pins.txt"
# Each start of Java is short: the quick compiler alone takes a third of the time of both.
JAVA = ("java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xss8m")
OPTIONS = ("-deprecation", "-feature", "-language:reflectiveCalls")
_SHOWN_LINES = 40


@dataclass(frozen=True)
class Room:
    """``folders``, below the checkout, are compiled together and see the classes of ``uses``."""

    folders: tuple[str, ...]
    uses: tuple[str, ...] = ()

    def sources(self) -> list[Path]:
        return sorted(p for f in self.folders for p in (ROOT / f).rglob("*.scala"))


# Arrows go one way; a room comes after those it uses.
ROOMS = {
    "rtl": Room(tuple(f"rtl/{f}" for f in ("machine", "bus", "memory", "counters", "console"))),
    "alpha-lite": Room(("cores/alpha-lite",), ("rtl",)),
    "lance-ip": Room(("lance-ip",), ("rtl",)),
    "node": Room(("rtl/node",), ("rtl", "alpha-lite", "lance-ip")),
    "boards": Room(("boards",), ("rtl", "alpha-lite", "lance-ip", "node")),
}


def sources() -> list[Path]:
    """Every Scala file of the house, the compiler's version, and what boards' tops read."""
    found = [p for room in ROOMS.values() for p in room.sources()]
    return [VERSIONS, *sorted([*found, *(ROOT / "boards").glob("*/board.toml")])]


def digest() -> str:
    """Names and contents of the sources."""
    return _digest(sources())


def _digest(paths: list[Path], *more: str) -> str:
    sum_ = hashlib.sha256("\0".join(more).encode())
    for path in paths:
        sum_.update(f"{path.relative_to(ROOT)}\0".encode() + path.read_bytes() + b"\0")
    return sum_.hexdigest()[:16]


@cache
def jars() -> list[str]:
    """Those of the compiler, of SpinalHDL and its plugin; what set-up has brought."""
    kept = Path(os.environ.get("MCPI_ENV", "")) / "jars" / "scala"
    if not kept.is_file():
        raise UserError("The Scala compiler is missing. Start through ./mcpi, or: ./mcpi setup")
    return kept.read_text().strip().split(":")


def classpath() -> str:
    """The class path of the generators; compiles first what changed."""
    record = BUILD / "scala" / digest() / "classpath"
    if not record.exists():
        with hold(BUILD / "scala.lock", "compiles the Scala"):
            if not record.exists():
                text = ":".join([*map(str, _compile_all().values()), *jars()])
                record.parent.mkdir(parents=True, exist_ok=True)
                stage = record.with_suffix(".new")
                stage.write_text(text)
                stage.rename(record)
    return record.read_text()


def _compile_all() -> dict[str, Path]:
    """Every room's folder of classes. Rooms that do not use each other compile side by side."""
    keys: dict[str, str] = {}
    for name, room in ROOMS.items():
        uses = (keys[used] for used in room.uses)
        keys[name] = _digest([VERSIONS, *room.sources()], *OPTIONS, *uses)
    places = {name: BUILD / "scala" / f"{name}-{key}" for name, key in keys.items()}
    with concurrent.futures.ThreadPoolExecutor(len(ROOMS)) as pool:
        done: dict[str, concurrent.futures.Future] = {}
        for name in ROOMS:
            done[name] = pool.submit(_compile, name, places, done.copy())
        for future in done.values():
            future.result()
    return places


def _compile(name: str, places: dict[str, Path], earlier: dict) -> None:
    """One room, after those it uses; RunError has what the compiler said."""
    place, room = places[name], ROOMS[name]
    for used in room.uses:
        earlier[used].result()
    if place.exists():
        return
    stage = place.with_suffix(".new")
    shutil.rmtree(stage, ignore_errors=True)
    stage.mkdir(parents=True)
    plugin = [jar for jar in jars() if "/spinalhdl-idsl-" in jar]
    seen = [*(str(places[used]) for used in room.uses), *jars()]
    words = [*JAVA, "-cp", ":".join(jars()), "scala.tools.nsc.Main", *OPTIONS, "-cp"]
    words += [":".join(seen), f"-Xplugin:{':'.join(plugin)}", "-d", str(stage)]
    words += map(str, room.sources())
    done = subprocess.run(
        words, cwd=ROOT, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False
    )
    if done.returncode:
        lines = (done.stdout + done.stderr).splitlines()
        first = next((n for n, line in enumerate(lines) if " error: " in line), 0)
        shown = "\n  ".join(lines[first : first + _SHOWN_LINES])
        raise RunError(f"the Scala of {name} does not compile:\n  {shown}")
    stage.rename(place)


def elaborate(record: Path, *words: Path | str) -> str:
    """A shell's line that runs the generators whose class path stands in ``record``."""
    return f'{shlex.join(JAVA)} -cp "$(cat {shlex.quote(str(record))})" {MAIN} ' + shlex.join(
        map(str, words)
    )


def unformatted() -> list[str]:
    """What the formatter (``.scalafmt.conf``) says of the sources; empty if it agrees."""
    if not (program := shutil.which("scalafmt")):
        raise UserError("scalafmt is missing. Type: ./mcpi setup")
    files = [str(p.relative_to(ROOT)) for p in sources() if p.suffix == ".scala"]
    done = subprocess.run(
        [program, "--non-interactive", "--list", *files],
        cwd=ROOT,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    return (done.stdout + done.stderr).splitlines() if done.returncode else []


if __name__ == "__main__":
    print(classpath())
