# SPDX-License-Identifier: BSD-2-Clause
"""Transcripts in pages: what a command printed, filled by running it and compared by a test.

A transcript is a fenced block under a line that names its command:

    <!-- $ ./mcpi … -->             every test compares it
    <!-- slow $ … -->               takes minutes: filled with --slow, compared with --all
    <!-- refused $ ./mcpi … -->     what it says on standard error, when it is refused
    <!-- measured $ … -->           times and sizes: filled with --measured, never compared

A measured block begins with the commit that was measured. Lines ``files: …``, which name a new
folder at each run, are left out.

    python -m verify.docgen.transcript [--slow] [--measured] README.md …    runs and fills them in
"""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from mcpi.base.errors import RunError
from mcpi.base.process import heard
from mcpi.base.repo import ROOT

EXAMPLES = ROOT / "examples" / "README.md"
PAGES = tuple(sorted([ROOT / "README.md", EXAMPLES, *(ROOT / "docs").rglob("*.md")]))
WIDTH = 100  # columns of a page
QUICK, SLOW, REFUSED, MEASURED = "", "slow ", "refused ", "measured "
_BLOCK = re.compile(
    rf"(?P<head><!-- (?P<how>{SLOW}|{REFUSED}|{MEASURED}|)\$ (?P<command>[^\n]+) -->\n+```[^\n]*\n)"
    r"(?P<said>.*?)(?P<end>```)",
    re.S,
)
_CHANGES = re.compile(r"^files: .*\n?", re.M)
_COMMIT = re.compile(r"# at ([0-9a-f]{7})$", re.M)


def commands(page: str, how: str = QUICK) -> dict[str, str]:
    """The commands of a page of one kind, with what the page says that each prints."""
    blocks = _BLOCK.finditer(page)
    return {m["command"]: m["said"].rstrip("\n") for m in blocks if m["how"] == how}


def without(page: str) -> str:
    """The page without its transcripts; the other lines keep their numbers."""
    return _BLOCK.sub(lambda m: "\n" * m[0].count("\n"), page)


def commit(said: str) -> str | None:
    """The commit of which a measured block is, as the block's first line says."""
    first = _COMMIT.match(said)
    return first and first[1]


def said_by(command: str, how: str = QUICK) -> str:
    """Output of the command today, without text that changes at each run; for REFUSED, its standard
    error.

    RunError if it fails otherwise. bash runs the command in the checkout, with ``WIDTH`` columns
    and no terminal.
    """
    head = [f"# at {_measured_commit()}"] if how == MEASURED else []
    words = ["bash", "-o", "pipefail", "-c", command]
    path = {"PYTHONPATH": "tools:.:tools/test", "PYTHONSAFEPATH": ""}  # bench/ needs it
    done = heard(words, cwd=ROOT, env={**os.environ, **path, "COLUMNS": str(WIDTH)})
    if done.returncode != 2 * (how == REFUSED):
        raise RunError(f"{command}: status {done.returncode}\n{done.stderr[-2000:]}")
    output = done.stderr if how == REFUSED else done.stdout
    lines = _CHANGES.sub("", output).strip("\n").splitlines()
    return "\n".join(line.rstrip() for line in head + lines)


def _measured_commit() -> str:
    """RunError if the checkout has what no commit has."""
    changed = _git("status", "--porcelain", "--", ".", ":!docs", ":!*.md")
    if changed:
        raise RunError(f"commit first, then measure: {changed}")
    return _git("rev-parse", "--short=7", "HEAD")


def _git(*words: str) -> str:
    return subprocess.run(
        ["git", *words], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.strip()


def fill(
    page: str,
    run: Callable[[str, str], str] = said_by,
    wanted: tuple[str, ...] = (QUICK, REFUSED),
) -> str:
    """The page with each transcript of the kinds that are ``wanted`` made anew."""

    def replace(m: re.Match) -> str:
        if m["how"] not in wanted:
            return m[0]
        return f"{m['head']}{run(m['command'], m['how'])}\n{m['end']}"

    return _BLOCK.sub(replace, page)


if __name__ == "__main__":
    options = {"--slow": SLOW, "--measured": MEASURED}
    wanted = tuple(options[word] for word in sys.argv[1:] if word in options) or (QUICK, REFUSED)
    for path in (Path(word) for word in sys.argv[1:] if word not in options):
        path.write_text(fill(path.read_text(), wanted=wanted))
