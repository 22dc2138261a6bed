# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi python`` and ``./mcpi notebook``: a Python that finds mCPI."""

import os
import sys
from pathlib import Path

import typer

from mcpi.base.errors import UserError
from mcpi.base.repo import ROOT

NOTEBOOKS = ROOT / "notebooks"
# All words are Python's, or Jupyter's.
WORDS = {"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []}


def python(context: typer.Context) -> None:
    """Python with mCPI, pandas and matplotlib: a script, -c CODE, or a prompt.

    [bold]Examples[/bold]

      ./mcpi python my_study.py --its-own-options

      ./mcpi python -c 'import mcpi; print(mcpi.run(variant="clo").client.owners)'

    docs/how-to/python.md says what there is.
    """
    _help(context)
    _there(context.args)
    _become(context.args, safe_path=False)


def notebook(context: typer.Context) -> None:
    """Jupyter with mCPI, in notebooks/ or where you say.

    [bold]Examples[/bold]

      ./mcpi notebook                    first-steps and others, in a browser

      ./mcpi notebook my-notes/ --port 9000
    """
    _help(context)
    words = context.args
    if all(word.startswith("-") for word in words[:1]):
        words = [str(NOTEBOOKS), *words]
    _there(words)
    _check_port(words)
    root = ["--allow-root"] if os.geteuid() == 0 else []  # in a container everybody is
    _become(["-m", "jupyterlab", *root, *words], safe_path=True)


def _help(context: typer.Context) -> None:
    """Ours, if it is the first word; behind a script it is the script's."""
    if context.args[:1] in (["-h"], ["--help"]):
        print(context.get_help())
        raise typer.Exit


def _there(words: list[str]) -> None:
    """UserError for a file or folder, the first word, that is not."""
    if words and not words[0].startswith("-") and not Path(words[0]).exists():
        raise UserError(f"{words[0]}: no such file.")


def _check_port(words: list[str]) -> None:
    """UserError for a --port that no server can have; Jupyter would look for another silently."""
    for n, word in enumerate(words):
        option, equals, value = word.partition("=")
        if option in ("--port", "--ServerApp.port"):
            given = value if equals else next(iter(words[n + 1 :]), "")
            if not (given.isdecimal() and 0 < int(given) < 65536):
                raise UserError(f"--port {given}: a number from 1 to 65535 is wanted.")


def _become(words: list[str], safe_path: bool) -> None:
    """Python in our place. A script's own folder is on its path, as usual."""
    environment = dict(os.environ)
    if not safe_path:
        environment.pop("PYTHONSAFEPATH", None)
    sys.stdout.flush()
    os.execve(sys.executable, [sys.executable, *words], environment)
