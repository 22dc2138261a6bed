# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi release``: the files of a release, from the commit of the checkout."""

from pathlib import Path
from typing import Annotated

import typer


def release(
    out: Annotated[Path, typer.Option(help="The folder of the release; it is made.")],
    only: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="Only this artefact; repeatable. A wrong name lists all."
        ),
    ] = None,
    root: Annotated[
        Path | None, typer.Option(help="A root file system that becomes an image (OCI).")
    ] = None,
) -> None:
    """Make a release of the commit: archives, site, parts, results, SBOM, digests.

    [bold]Examples[/bold]

      ./mcpi release --out release

      ./mcpi release --out x --only source --only sbom
          some artefacts, quickly; the README names what is left out

      setup/bare-root --keep /var/tmp/r -- 'cd mcpi && ./mcpi paper --quick'
      ./mcpi release --out release --root /var/tmp/r/root
          with an image of a container, filled by the first command (as root)

      cd release && sha256sum -c SHA256SUMS

    A checkout with changes is refused. README.md of the folder says what each
    file is, what the release does not have, and which bytes another computer
    may not repeat.
    """
    from mcpi.base.progress import Bar
    from mcpi.releasing import release as made

    for path in made.write(out, only or [], root, Bar()):
        print(path)
