# SPDX-License-Identifier: BSD-2-Clause
"""The pages of setup/help/: what each command prints for ``-h``, for ``./mcpi`` before there are
tools. ``./mcpi python -m mcpi.cli.help_pages`` writes them; a test compares them."""

import contextlib
import io
import os
import shutil
from collections.abc import Iterable

import typer.main

from mcpi.base.repo import ROOT
from mcpi.cli.main import app

PLACE = ROOT / "setup" / "help"
TOP = "mcpi"
WIDTH = "80"


def pages() -> dict[str, str]:
    """Each page by its name: ``board/attach.txt`` for ``./mcpi board attach``."""
    os.environ |= {"COLUMNS": WIDTH, "TERM": "dumb", "NO_COLOR": "1"}
    found = {}
    for words in _commands(typer.main.get_command(app), ()):
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.suppress(SystemExit):
            app([*words, "--help"], prog_name="./mcpi", standalone_mode=False)
        lines = (line.rstrip() for line in out.getvalue().strip("\n").splitlines())
        found[f"{'/'.join(words) or TOP}.txt"] = "\n".join(lines) + "\n"
    return found


def _commands(command, words: tuple[str, ...]) -> list[tuple[str, ...]]:
    """The words of ``command`` and of all commands in it."""
    inner = getattr(command, "commands", {})
    return [words, *(one for name in inner for one in _commands(inner[name], (*words, name)))]


def place_of(name: str, names: Iterable[str]) -> str:
    """Place of a page below PLACE: that of a command with commands of its own is in their
    folder."""
    word = name.removesuffix(".txt")
    return f"{word}/{name}" if any(other.startswith(f"{word}/") for other in names) else name


def main() -> None:
    shutil.rmtree(PLACE, ignore_errors=True)
    made = pages()
    for name, text in made.items():
        path = PLACE / place_of(name, made)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


if __name__ == "__main__":
    main()
