# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi docs``: the pages of docs/ and the generated reference as a site."""

from pathlib import Path
from typing import Annotated

import typer

from mcpi.base.repo import BUILD
from mcpi.cli.checkout import become


def docs(
    out: Annotated[Path, typer.Option(help="The folder of the site.")] = BUILD / "docs",
    serve: Annotated[
        int | None,
        typer.Option(
            min=0, max=65535, metavar="PORT", help="Then serve it on 127.0.0.1; 0: any free port."
        ),
    ] = None,
) -> None:
    """Make the site: every page, with search, and the reference made by programs.

    [bold]Examples[/bold]

      ./mcpi docs
          then open build/docs/index.html; no server, no network

      ./mcpi docs --out site.new --serve 8000

    The reference has commands, parameters, counters, owners, instructions,
    registers and the Python functions. A link that leads nowhere is an error
    that names page and line. Equal commits give equal files.
    """
    become("verify.docgen.site", out.absolute(), "" if serve is None else serve)
