# SPDX-License-Identifier: BSD-2-Clause
"""Programs of a course, thirty in C and three in C++: what they are given, and what they print on
this computer."""

import subprocess
from pathlib import Path

from mcpi.base.repo import FIRMWARE

COURSE = FIRMWARE / "test" / "programs" / "course"
PROGRAMS = [*sorted(COURSE.rglob("*.c")), *sorted(COURSE.rglob("*.cc"))]
TEXT = "the first line\n\n a second, longer one \t here\nlast"
SUMS = "3 4 + 2 * 1e3 7 / 2 0.5 ^ + - 1 2 3"
WORDS = "tea eat listen silent ate enlist banana\n"


def given(place: Path, name: str) -> dict[str, object]:
    """Arguments and standard input of the program ``name``."""
    for file, text in (("text", TEXT), ("sums", SUMS), ("words.txt", WORDS)):
        (place / file).write_text(text)
    if name == "arguments":
        return {"arguments": ("12", "-0x1f", "077", "x", "3 4", '"')}
    if name == "anagrams":
        words = str(place / "words.txt")
        return {"arguments": (words,), "files": (words,)}
    stdin = {"words": "text", "reverse": "text", "calculator": "sums"}.get(name)
    return {"stdin": str(place / stdin)} if stdin else {}


def hosts(place: Path, source: Path, more: dict[str, object]) -> str:
    """The text that ``source`` prints on this computer."""
    program = place / "program"
    compiler = ["gcc", "-std=gnu11"] if source.suffix == ".c" else ["g++", "-std=gnu++17"]
    words = [*compiler, "-w", "-O1", "-ffp-contract=off", source, "-o", program, "-lm"]
    subprocess.run(words, check=True)
    text = Path(more["stdin"]).read_text() if "stdin" in more else ""
    words = ["program", *more.get("arguments", ())]
    done = subprocess.run(
        words, executable=program, input=text, capture_output=True, text=True, cwd=place
    )
    assert done.returncode == 0
    return done.stdout
