# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi docs``: the pages of docs/ and the generated reference as a site."""

from pathlib import Path
from typing import Annotated

import typer

from mcpi.base.repo import BUILD
from mcpi.cli.checkout import become


def docs(
    out: Annotated[
        Path | None, typer.Option(help="The folder of the site; else build/docs.")
    ] = None,
    serve: Annotated[
        int | None,
        typer.Option(
            min=0, max=65535, metavar="PORT", help="Then serve it on 127.0.0.1; 0: any free port."
        ),
    ] = None,
    playground: Annotated[
        bool,
        typer.Option("--playground", help="Also watch.html, the page of ./mcpi watch."),
    ] = False,
) -> None:
    """Make the site: every page, with search, and the reference made by programs.

    [bold]Examples[/bold]

      ./mcpi docs
          then open build/docs/index.html; no server, no network

      ./mcpi docs --out site.new --serve 8000

      ./mcpi docs --playground
          with a page that runs programs and stacks, one click from the first

    The reference has commands, parameters, counters, owners, instructions,
    registers and the Python functions. A link that leads nowhere is an error
    that names page and line. Equal commits give equal files.
    """
    port = "" if serve is None else serve
    words = ["playground"] * playground
    become("verify.docgen.site", (out or BUILD / "docs").absolute(), port, *words)
