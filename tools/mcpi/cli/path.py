# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi path``: the path of a stack, found in recordings."""

import json
from pathlib import Path
from typing import Annotated

import typer

from mcpi.cli import options
from mcpi.spec.run_spec import RunSpec

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
    help="""The path of a stack, found in recordings of it.

[bold]Examples[/bold]

  ./mcpi path find --stack tcp

  ./mcpi run --variant pin --path results/path-tcp

docs/explanation/paths.md explains how a path is found.
""",
)


@app.callback()
def path() -> None:
    """Keep ``find`` a command of its own, though it is the only one."""


@app.command()
def find(
    stack: options.Stack = RunSpec.stack,
    machine: options.Machine = options.MACHINE,
    set_: options.Settings = None,
    recordings: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Recordings of an earlier search, for new ones."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Where the files go; else results/path-<stack>.")
    ] = None,
    json_: options.Json = False,
) -> None:
    """A stack's path, as files that ./mcpi run --path takes.

    Both machines are recorded, with two sets of addresses. From the
    instructions come the functions of the path, calls with one target, and the
    bits of a frame that decide where those calls go: the guard. Where
    firmware/paths has a path by hand, each difference is printed with its reason.

    [bold]Examples[/bold]

      ./mcpi path find --stack tcp

      ./mcpi path find --stack examples/udpecho/udpecho.graph
          a protocol graph of your own

      ./mcpi run --stack tcp --variant pin --path results/path-tcp
    """
    from mcpi.base import staging
    from mcpi.base.errors import UserError
    from mcpi.base.progress import Bar
    from mcpi.base.repo import RESULTS
    from mcpi.firmware import path_inline, protocol_graph
    from mcpi.pathfinding import comparison, finding

    settings = options.settings(set_)
    target = out or RESULTS / f"path-{protocol_graph.file_of(stack).stem}"
    staging.check(target, mark="recordings")
    there = next(place for place in target.resolve().parents if place.exists())
    if not there.is_dir():
        raise UserError(f"--out {target}: Not a directory: {there}.")
    with Bar() as bar:
        found = finding.find(stack, machine, settings, bar, recordings)
        folders = finding.record(stack, machine, settings, bar, recordings)
    finding.write(found, folders, target)
    rows = []
    for one in found:
        by_hand = path_inline.PATHS / f"{one.name}.toml"
        if by_hand.is_file() and not protocol_graph.is_own(stack):
            rows.append((one, *comparison.compare(one, by_hand)))
        else:
            rows.append((one, [], None))
    if json_:
        print(json.dumps([_record(*row) for row in rows]))
        return
    for row in rows:
        _show(*row)
    target = target.relative_to(Path.cwd()) if target.is_relative_to(Path.cwd()) else target
    print(f"files: {target}   to run it: ./mcpi run --stack {stack} --variant pin --path {target}")


def _show(one, differences: list, shares) -> None:
    from mcpi.firmware.path_inline import INPUT, OUTPUT

    numbers = ", ".join(f"{kind} {len(one.path.inline[kind])}" for kind in (INPUT, OUTPUT))
    print(
        f"{one.name}: functions: {numbers}; {len(one.path.calls)} calls with one target; "
        f"{one.guard.same.bit_count()} bits of a frame in the guard"
    )
    for place, why in one.path.left_out.items():
        print(f"  stays a call: {place[1]} of {place[0]}: {why}")
    if shares is None:
        return
    (functions, same), (calls, there), (size, kept) = shares.functions, shares.calls, shares.bytes
    print(
        f"  of the path by hand: {same} of {functions} functions, {there} of {calls} calls, "
        f"{kept} of {size} bytes of the guard; {shares.more_bytes} bytes more"
    )
    for difference in differences:
        print(f"  {difference}")


def _record(one, differences: list, shares) -> dict:
    import dataclasses

    return {
        "name": one.name,
        "functions": {kind: [f"{f}: {n}" for f, n in p] for kind, p in one.path.inline.items()},
        "calls": {f"{folder}.{call}": name for (folder, call), name in one.path.calls.items()},
        "left_out": {f"{f}: {n}": why for (f, n), why in one.path.left_out.items()},
        "guard_bits": one.guard.same.bit_count(),
        "differences": [str(difference) for difference in differences],
        "shares": dataclasses.asdict(shares) if shares else None,
    }
