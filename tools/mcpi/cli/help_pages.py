# SPDX-License-Identifier: BSD-2-Clause
"""The pages of setup/help/: what each command prints for ``-h``, for ``./mcpi`` before there are
tools. ``./mcpi python -m mcpi.cli.help_pages`` writes them; a test compares them."""

import contextlib
import io
import os
import shutil

import typer.main

from mcpi.base.repo import ROOT
from mcpi.cli.main import app

PLACE = ROOT / "setup" / "help"
TOP = "mcpi"
WIDTH = "80"


def pages() -> dict[str, str]:
    """Each page by its path below PLACE."""
    return {path(words, inner): text for (words, inner), text in texts().items()}


def path(words: tuple[str, ...], inner: bool) -> str:
    """``board/attach.txt`` for ``./mcpi board attach``, ``board/board.txt`` for ``./mcpi board``;
    ``inner``: the command has commands of its own."""
    if not words:
        return f"{TOP}.txt"
    return f"{'/'.join((*words, words[-1]) if inner else words)}.txt"


def texts() -> dict[tuple[tuple[str, ...], bool], str]:
    """Each page by the words of its command, and whether that has commands of its own."""
    os.environ |= {"COLUMNS": WIDTH, "TERM": "dumb", "NO_COLOR": "1"}
    found = {}
    for words, inner in _commands(typer.main.get_command(app), ()):
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.suppress(SystemExit):
            app([*words, "--help"], prog_name="./mcpi", standalone_mode=False)
        lines = (line.rstrip() for line in out.getvalue().strip("\n").splitlines())
        found[words, inner] = "\n".join(lines) + "\n"
    return found


def _commands(command, words: tuple[str, ...]) -> list[tuple[tuple[str, ...], bool]]:
    """The words of ``command`` and of all commands in it, and whether each has such."""
    inner = getattr(command, "commands", {})
    below = [one for name in inner for one in _commands(inner[name], (*words, name))]
    return [(words, bool(inner)), *below]


def main() -> None:
    shutil.rmtree(PLACE, ignore_errors=True)
    for name, text in pages().items():
        file = PLACE / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)


if __name__ == "__main__":
    main()
