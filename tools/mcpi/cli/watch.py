# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi watch``: a page in which programs run on machines that its reader changes."""

from pathlib import Path
from typing import Annotated

import typer

from mcpi.base.repo import BUILD
from mcpi.cli import options

PAGE = BUILD / "watch.html"


def watch(
    sources: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[FILE]...", help="C programs, each a choice of the page."),
    ] = None,
    measure: options.Measure = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The page; else build/watch.html.")
    ] = None,
) -> None:
    """Make a page that runs programs and stacks in a browser, tick by tick.

    [bold]Examples[/bold]

      ./mcpi watch             twenty programs, and both stacks in six versions

      ./mcpi watch hello.c     a program of one's own

      ./mcpi watch before.c after.c --out two.html

    Open the page from disk: it loads nothing, and holds engine and images. Its
    controls change the machine; ticks by owner, misses, the round trip and the
    pipeline follow at once, for two settings side by side. The page's address
    keeps all choices, so that a link shows what you see. docs/how-to/watch.md
    says more.
    """
    from mcpi.base.progress import Bar
    from mcpi.browser import playground

    items = [playground.own(source, measure=tuple(measure or ())) for source in sources or []]
    page = (out or PAGE).absolute()
    playground.check(sources or [], tuple(measure or ()), page)
    with Bar() as bar:
        text = playground.page(items or playground.usual(), bar)
    page.write_text(text)
    typer.echo(f"page: {page.as_uri()}, {len(text.encode()) / 1e6:.1f} MB")
