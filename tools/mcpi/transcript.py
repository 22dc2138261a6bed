# SPDX-License-Identifier: BSD-2-Clause
"""Transcripts in pages: what a command printed, filled by running it and compared by a test.

A transcript is a fenced block under a line ``<!-- $ ./mcpi … -->`` that names its command. A last
line ``files: …``, which names a new folder at each run, is left out.

    python -m mcpi.transcript README.md docs/run.md       runs the commands, fills the blocks
"""

import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from mcpi.errors import RunError
from mcpi.paths import ROOT

PAGES = tuple(sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")]))
_BLOCK = re.compile(r"(<!-- \$ (?P<command>[^\n]+) -->\n+```[^\n]*\n)(?P<said>.*?)(\n```)", re.S)
_CHANGES = re.compile(r"^files: .*\n?", re.M)


def commands(page: str) -> dict[str, str]:
    """The commands of a page with what the page says that each prints."""
    return {found["command"]: found["said"] for found in _BLOCK.finditer(page)}


def said_by(command: str) -> str:
    """What ``./mcpi …`` prints today on standard output, without what changes at each run.

    RunError if it fails. The command runs in the checkout, without a terminal.
    """
    done = subprocess.run(
        shlex.split(command), cwd=ROOT, capture_output=True, text=True, stdin=subprocess.DEVNULL
    )
    if done.returncode:
        raise RunError(f"{command}: status {done.returncode}\n{done.stderr[-2000:]}")
    lines = _CHANGES.sub("", done.stdout).rstrip().splitlines()
    return "\n".join(line.rstrip() for line in lines)


def fill(page: str, run: Callable[[str], str] = said_by) -> str:
    """The page with each transcript made anew."""
    return _BLOCK.sub(lambda m: f"{m[1]}{run(m['command'])}{m[4]}", page)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        path = Path(name)
        path.write_text(fill(path.read_text()))
