# SPDX-License-Identifier: BSD-2-Clause
"""Commands about the checkout itself: ``baseline``, ``test``, ``release``, ``doctor``, ``setup``.

The first two are programs of ``verify/``, which the product starts and never imports.
"""

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from mcpi.base.errors import UserError
from mcpi.base.repo import PYTHONPATH, RESULTS
from mcpi.cli import options


def baseline(
    context: typer.Context,
    write: Annotated[
        bool, typer.Option("--write", help="Keep what the runs leave today as the baseline.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option(help="Where the runs go; else results/baseline.")
    ] = None,
    jobs: options.Cores = None,
    folders: Annotated[
        tuple[Path, Path] | None,
        typer.Option(metavar="A B", help="Compare two result folders instead; nothing runs."),
    ] = None,
) -> None:
    """Compare the results of all studies, byte for byte, with those of the baseline.

    [bold]Examples[/bold]

      ./mcpi baseline                      compares; exit status 1: what moved

      ./mcpi baseline --write              after a change meant to move figures

      ./mcpi baseline --folders A B
          two runs, as of two engines, file by file

    It runs the quick study on the RTL, and parts of the other studies and
    programs of ./mcpi exec on the exact engine. It compares a digest of each
    file with baseline.json: events, stamps, frames, consoles and tick logs byte
    by byte, records and counters without their provenance and times. About six
    minutes; runs of round trips that ended earlier are not run again.
    """
    from mcpi.results import folders as two
    from mcpi.studykit import command

    options.check(context, options.BASELINE)
    if folders:
        raise typer.Exit(two.check(*folders))
    place = command.study_folder(out or RESULTS / "baseline")
    become("verify.baseline", place, jobs or command.cores(), *["--write"] * write)


def test(
    quick: Annotated[bool, typer.Option("--quick", help="Leave out tests marked slow.")] = False,
    all_: Annotated[
        bool,
        typer.Option("--all", help="Also tests marked long: every random machine, every mutant."),
    ] = False,
    k: Annotated[
        str,
        typer.Option(
            "-k",
            metavar="EXPRESSION",
            help="Parts of names of tests and their files, with and, or, not.",
        ),
    ] = "",
    workers: Annotated[
        int, typer.Option(min=1, help="Tests side by side; some wait for a process or a clock.")
    ] = 3,
    fresh: Annotated[
        bool,
        typer.Option("--fresh", help="Also tests that passed and whose files have not changed."),
    ] = False,
) -> None:
    """Everything that can fail; the last line is 'N passed, N failed'.

    A test does not run again while all files that it read when it passed are
    the same; --all, -k and --fresh run it.

    [bold]Examples[/bold]

      ./mcpi test --quick

      ./mcpi test -k lance

      ./mcpi test --all -k "random or mutants"
          the long ones; what has passed is not run again
    """
    if quick and all_:
        raise UserError("--quick and --all contradict each other; give one of them.")
    kinds = "QUICK" if quick else "ALL" if all_ else "USUAL"
    become("verify.test_runner", kinds, k, workers, "fresh" if fresh else "")


def become(module: str, *words: object) -> None:
    """Run a program of ``verify/`` in the place of this process."""
    sys.stdout.flush()
    environment = os.environ | {"PYTHONPATH": PYTHONPATH}
    os.execve(sys.executable, [sys.executable, "-m", module, *map(str, words)], environment)


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

      setup/bare-root --keep /var/tmp/r -- './mcpi paper --quick'
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


def doctor() -> None:
    """Say which tools are here, which are missing, what to type, and which pages
    of docs/ are stale."""
    from rich.console import Console

    from mcpi.base import doctor

    status, console = doctor.doctor(), Console()
    for line in _stale():
        console.print(line, soft_wrap=True, markup=False, highlight=False)
    raise typer.Exit(status)


def _stale() -> list[str]:
    """The stale pages of all studies, a line each; none where the studies' packages are not
    installed."""
    try:
        from mcpi import studies
        from mcpi.studykit import freshness

        return [
            line
            for name in studies.there()
            for line in freshness.words(studies.find(name), studies.called(name))
        ]
    except ImportError:
        return []


def setup(
    purpose: Annotated[
        str, typer.Argument(help="exec, rtl, test or all: each brings what those before it bring.")
    ] = "test",
    with_: Annotated[
        list[str],
        typer.Option(
            "--with",
            metavar="GROUP",
            help="Also a group: analysis, c++, caches, debug, docs, drawing, mill, notebook, "
            "page, parts or trace; repeatable.",
        ),
    ] = (),
) -> None:
    """Complete the tool environment; each command does it for what it wants.

    [bold]Examples[/bold]

      ./mcpi setup exec
          only what programs of your own and the exact engine want

      ./mcpi setup --with notebook
          pandas, Dask and Jupyter too, before somebody needs them
    """
    from mcpi.base import doctor

    raise typer.Exit(doctor.doctor())
