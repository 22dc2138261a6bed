# SPDX-License-Identifier: BSD-2-Clause
"""Transcripts in pages: what a command printed, filled by running it and compared by a test.

A transcript is a fenced block under a line ``<!-- $ ./mcpi … -->`` that names its command. A last
line ``files: …``, which names a new folder at each run, is left out. A command that takes minutes
is marked ``<!-- slow $ … -->``: it is filled with ``--slow`` only, and no test compares it. One
that is refused is marked ``<!-- refused $ … -->``: what it says on standard error is compared.

    python -m mcpi.docgen.transcript [--slow] README.md run.md    runs and fills them in
"""

import os
import re
import shlex
import sys
from collections.abc import Callable
from pathlib import Path

from mcpi.base.errors import RunError
from mcpi.base.process import heard
from mcpi.base.repo import ROOT

PAGES = tuple(sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]))
WIDTH = 100  # columns of a page
_BLOCK = re.compile(
    r"(?P<head><!-- (?P<how>slow |refused |)\$ (?P<command>[^\n]+) -->\n+```[^\n]*\n)"
    r"(?P<said>.*?)(?P<end>```)",
    re.S,
)
_CHANGES = re.compile(r"^files: .*\n?", re.M)


def commands(page: str, refused: bool = False) -> dict[str, str]:
    """The quick commands of a page, or those that are refused, with what the page says that each
    prints."""
    found, how = _BLOCK.finditer(page), "refused " if refused else ""
    return {m["command"]: m["said"].rstrip("\n") for m in found if m["how"] == how}


def said_by(command: str, refused: bool = False) -> str:
    """What ``./mcpi …`` prints today on standard output, without what changes at each run, or why
    it is refused.

    RunError if it fails otherwise. The command runs in the checkout, with ``WIDTH`` columns and no
    terminal.
    """
    done = heard(shlex.split(command), cwd=ROOT, env={**os.environ, "COLUMNS": str(WIDTH)})
    if done.returncode != 2 * refused:
        raise RunError(f"{command}: status {done.returncode}\n{done.stderr[-2000:]}")
    lines = _CHANGES.sub("", done.stderr if refused else done.stdout).strip("\n").splitlines()
    return "\n".join(line.rstrip() for line in lines)


def fill(page: str, run: Callable[[str], str] = said_by, slow: bool = False) -> str:
    """The page with each transcript made anew; with ``slow`` the slow ones too."""

    def replace(m: re.Match) -> str:
        if m["how"] == "slow " and not slow:
            return m[0]
        refused = (True,) if m["how"] == "refused " else ()
        return f"{m['head']}{run(m['command'], *refused)}\n{m['end']}"

    return _BLOCK.sub(replace, page)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        if name != "--slow":
            path = Path(name)
            path.write_text(fill(path.read_text(), slow="--slow" in sys.argv))
