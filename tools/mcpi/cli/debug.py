# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi debug``: a program, both machines of a stack, or the cores of a machine, in GDB, forward
and backward."""

import datetime
from pathlib import Path
from typing import Annotated

import typer

from mcpi.base.errors import UserError
from mcpi.base.repo import RESULTS
from mcpi.cli import options
from mcpi.firmware import parallel
from mcpi.machine.profile import load
from mcpi.spec.node_spec import NodeImage, NodeSpec
from mcpi.spec.program_spec import ProgramSpec
from mcpi.spec.run_spec import RunSpec

MS = 1  # of warm-up, and then of measurement
ENTRY = "processor_main"  # of a program that starts the other cores itself


def debug(
    context: typer.Context,
    sources: Annotated[
        list[str] | None,
        typer.Argument(metavar="[FILE]...", help="C and assembly (.c, .S), or one ELF."),
    ] = None,
    peer: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE", help="What the other machine runs; repeatable."),
    ] = None,
    stack: options.Stack = RunSpec.stack,
    variant: options.Variant = RunSpec.variant,
    round_trips: options.RoundTrips = RunSpec.round_trips,
    cores: options.CoresOf = ProgramSpec.cores,
    machine: options.Machine = options.MACHINE,
    set_: options.Settings = None,
    engine: options.Engine = RunSpec.engine,
    define: options.Defines = None,
    optimise: Annotated[
        str,
        typer.Option("--optimise", "-O", metavar="0|1|2|3|s", help="Of a program's compiler."),
    ] = ProgramSpec.optimise,
    side: Annotated[
        str,
        typer.Option(metavar="send|receive", help="What a stack on several cores does."),
    ] = parallel.SIDES[0],
    seed: options.Seed = RunSpec.seed,
    script: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="GDB runs the commands of this file and ends."),
    ] = None,
    serve: Annotated[
        bool, typer.Option("--serve", help="Wait for another GDB, an editor's for one.")
    ] = False,
    out: options.Out = None,
) -> None:
    """Debug a program or a stack with GDB, forward and backward in time.

    [bold]Examples[/bold]

      ./mcpi debug hello.c            stops at main; then GDB's commands

      ./mcpi debug hello.c -O 0       the compiler moves nothing

      ./mcpi debug --stack tcp --variant all
          both machines, in one virtual time

      ./mcpi debug lock.c --machine challenge-100 --cores 4
          the cores of a machine, as threads

      ./mcpi debug --stack udp --machine challenge-100 --set core.count=4
          a stack on all of them

    In GDB: reverse-step, reverse-continue, watch (who wrote this?), why (who
    evicted this?), goto TICK, monitor help. docs/how-to/debug.md explains them.
    """
    spec: ProgramSpec | RunSpec | NodeSpec
    if not sources and not options.any_given(context, "stack", "variant"):
        raise UserError("what is to be debugged? ./mcpi debug hello.c, or --stack tcp")
    several = load(machine, options.settings(set_)).coherent
    if sources:
        options.no_effect(context, "stack variant round_trips side", "a program has no stack")
    else:
        options.no_effect(context, "cores", "a stack takes --set core.count=N")
    if not sources and not several:
        options.no_effect(context, "side", "each machine of a pair sends and receives")
    if sources and several and _starts_cores(sources):
        why = f"a program with {ENTRY} is compiled as it is, and takes --set core.count=N"
        options.no_effect(context, "peer define optimise cores", why)
        if len(sources) > 1:
            raise UserError(f"{sources[1]}: a program of several cores is one file.")
        images = (NodeImage(str(Path(sources[0]).resolve())),)
        spec = NodeSpec(machine, images, options.settings(set_), engine, seed)
    elif sources:
        spec = options.program(context, sources)
    elif several:
        options.no_effect(context, "peer optimise", "a stack is no program")
        options.no_effect(
            context, "variant round_trips", "a stack on several cores runs for a time, alone"
        )
        options.one_of("--stack", stack, parallel.STACKS)
        options.one_of("--side", side, parallel.SIDES)
        image = NodeImage(f"mpbench-{stack}", tuple(define or ()))
        fields = {"role": parallel.SIDES.index(side), "warmup": MS, "round_trips": MS}
        spec = NodeSpec(machine, (image,), options.settings(set_), engine, seed, fields)
    else:
        options.no_effect(context, "peer optimise", "a stack is no program")
        spec = options.spec(context)
    if script and not script.is_file():
        raise UserError(f"--script {script}: is no file.")
    if serve and script:
        raise UserError(
            "--script has no effect with --serve: GDB is somebody else's. Leave it out."
        )
    raise typer.Exit(start(spec, out, script, serve=serve))


def _starts_cores(sources: list[str]) -> bool:
    """A source has the entry of the other cores, and no runtime starts them."""
    paths = [Path(source) for source in sources if source.endswith(".c")]
    return any(path.is_file() and ENTRY in path.read_text(errors="ignore") for path in paths)


def start(
    spec: RunSpec | ProgramSpec | NodeSpec,
    out: Path | None,
    script: Path | None = None,
    at_failure: bool = False,
    serve: bool = False,
) -> int:
    """Start the debugger, at main or where the program fails; its exit status."""
    from mcpi.base import environment
    from mcpi.base.progress import Bar
    from mcpi.engines import debugging

    environment.want_group("debug")
    stamp = datetime.datetime.now(datetime.UTC).strftime("%Y%m%d-%H%M%S-%f")[:-3]
    place = (out or RESULTS / f"{spec.title}-debug-{stamp}").resolve()
    run = debugging.prepare(spec, place, Bar(), at_failure)
    if not serve:
        return debugging.debug(run, script)
    debugging.serve(run, lambda words: print(f"waiting for: {words}", flush=True))
    return 0
