# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi trace``: a part of a run, tick by tick."""

import itertools
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mcpi.base.errors import RunError, UserError
from mcpi.cli import options
from mcpi.spec.program_spec import ProgramSpec
from mcpi.spec.run_spec import RunSpec

if TYPE_CHECKING:
    from mcpi.api.tracing import Trace

ROUND_TRIPS = 10
WIDTH = 100
ROWS = 40
PARTS = ("around", "ticks", "invocation", "last", "round_trip")
RESULT = ("machine", "set_", "measure", "cores", "core", "seed")  # and what no program has


def trace(
    context: typer.Context,
    program: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[FILE... | FOLDER]",
            help="A program (./mcpi exec), or a finished run's folder, in place of a stack.",
        ),
    ] = None,
    around: Annotated[
        str, typer.Option(metavar="FUNCTION+0x40", help="The ticks around a passage of it.")
    ] = "",
    ticks: Annotated[
        str,
        typer.Option(
            metavar="A:B",
            help="Ticks A to B - 1 of the run; +A:+B of the invocation or round trip.",
        ),
    ] = "",
    round_trip: Annotated[
        int,
        typer.Option(
            min=1,
            metavar="N",
            help="The N-th measured round trip. \\[1 with --pcap, --perfetto, --slides]",
            show_default=False,
        ),
    ] = None,
    invocation: Annotated[
        int, typer.Option(min=1, help="Number of the measured invocation of the path.")
    ] = 1,
    width: Annotated[
        int, typer.Option(min=1, max=10**7, help="Ticks around that passage.")
    ] = WIDTH,
    last: Annotated[
        int, typer.Option(min=0, help="The last N instructions before the run fails or ends.")
    ] = 0,
    side: options.Side = "client",
    rows: Annotated[int, typer.Option(min=0, help="Instructions shown; 0: all.")] = ROWS,
    konata: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The side's pipeline, for Konata.")
    ] = None,
    svg: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A drawing of the instructions shown.")
    ] = None,
    perfetto: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Both machines, for ui.perfetto.dev.")
    ] = None,
    pcap: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The frames sent in these ticks.")
    ] = None,
    slides: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A round trip on two pages for a projector (HTML)."),
    ] = None,
    fst: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A waveform of the side; engine rtl.")
    ] = None,
    modules: Annotated[
        str,
        typer.Option(
            metavar="NAME,...", help="With --fst: modules to record, with all in them. \\[all]"
        ),
    ] = "",
    measure: options.Measure = None,
    cores: options.CoresOf = ProgramSpec.cores,
    core: options.Core = ProgramSpec.core,
    stack: options.Stack = RunSpec.stack,
    variant: options.Variant = RunSpec.variant,
    peer_variant: options.PeerVariant = RunSpec.peer_variant,
    machine: options.Machine = options.MACHINE,
    set_: options.Settings = None,
    define: options.Defines = None,
    engine: options.Engine = RunSpec.engine,
    round_trips: options.RoundTrips = ROUND_TRIPS,
    seed: options.Seed = RunSpec.seed,
) -> None:
    """Each instruction of a part of a run in the pipeline, tick by tick.

    [bold]Examples[/bold]

      ./mcpi trace                      the client's first measured invocation

      ./mcpi trace --around tcp_output+0x40 --invocation 3
          100 ticks around that instruction

      ./mcpi trace --round-trip 7 --ticks +12000:+12400
          ticks 12,000 to 12,399 of the seventh round trip

      ./mcpi trace --stack rpc --pcap rpc.pcap
          a call and its reply, for Wireshark

      ./mcpi trace --round-trip 3 --slides packet.html
          two pages for a lecture: your packet, tick by tick

      ./mcpi trace hello.c --around main --konata hello.kanata

      ./mcpi trace hello.c --last 100
          before it fails, with the fault; a run that fails shows 40 by itself

      ./mcpi trace --around lance_push --engine rtl --fst x.fst
          a waveform of these ticks

      ./mcpi trace results/tcp-std-... --ticks 1136213:1136400 --side server
          of a run that has ended, which is run again

    docs/how-to/trace.md explains the chart and the files.
    """
    from mcpi.api import tracing
    from mcpi.base.progress import Bar, counted
    from mcpi.tracing.span_selection import Wanted

    options.check(context, options.TRACE)
    options.writable(konata, svg, perfetto, pcap, slides, fst)
    if not around:
        options.no_effect(context, "width", "it is the width of --around")
    if not fst:
        options.no_effect(context, "modules", "they are those of --fst")
    waves = tuple(filter(None, modules.split(","))) if fst else None
    source = _source(context, program)
    other = engine if options.given(context, "engine") and isinstance(source, Path) else ""
    if ticks and not ticks.startswith("+"):
        options.no_effect(
            context,
            "invocation round_trip",
            "these ticks are counted from the start of the run; +A:+B are counted from there",
        )
    if not options.any_given(context, *PARTS) and (pcap or perfetto or slides):
        round_trip = None if _is_program(source) else 1
    if slides and (_is_program(source) or not round_trip or ticks):
        raise UserError("--slides shows a whole round trip of a stack; add --round-trip N alone.")
    wanted = Wanted(around, ticks, invocation, width, last, round_trip or 0)
    with tracing.trace(source, wanted, side, waves, Bar(), other) as found:
        if (last or found.fault) and not options.given(context, "rows"):
            rows = 0  # all of them
        _show(found, rows)
        if konata:
            from mcpi.export import konata as konata_

            konata_.write(found.pipeline(), found.code(), konata)
        if svg:
            from mcpi.export import pipeline_drawing

            first = itertools.islice(found.pipeline().passages(), rows or None)
            svg.write_text(pipeline_drawing.svg(_title(found), first, found.code()))
        if perfetto:
            found.write_perfetto(perfetto)
        if pcap:
            frames = found.write_pcap(pcap)
            hint = "" if frames else "; --round-trip N has the N-th request and its reply"
            typer.echo(f"{counted(frames, 'frame')} sent in these ticks{hint}", err=True)
        if slides:
            found.write_slides(slides, round_trip)
        if fst:
            signals, samples = found.write_fst(fst)
            typer.echo(f"{counted(signals, 'signal')}, {counted(samples, 'sample')}", err=True)
        for file in (konata, svg, perfetto, pcap, slides, fst):
            if file:
                typer.echo(f"file: {file}", err=True)
        if found.fault:
            raise RunError(found.fault)


def _is_program(source) -> bool:
    from mcpi.engines import span

    spec = span.recorded(source) if isinstance(source, Path) else source
    return hasattr(spec, "sources")


def _source(context: typer.Context, program: list[str] | None):
    if not program:
        options.no_effect(context, "measure cores core", "only a program has it")
        return options.spec(context)
    if Path(program[0]).is_dir():
        if len(program) > 1:
            raise UserError(f"{program[0]}: one folder is wanted; leave {program[1]} out.")
        options.no_effect(context, " ".join(RESULT), f"{program[0]} says how it was run")
        return Path(program[0])
    return options.program(context, program)


def _title(found: "Trace") -> str:
    span = found.span
    spec = found.prepared.spec
    whose = f"core {spec.core}" if _is_program(spec) and spec.alone else found.side
    return f"{whose}, ticks {span.start:,} to {span.end - 1:,}: {span.why}"


def _show(found: "Trace", rows: int) -> None:
    from mcpi.tracing import text

    pipeline, span = found.pipeline(), found.span
    print(_title(found))
    print(text.legend())
    passages = pipeline.passages()
    first = itertools.islice(passages, rows) if rows else passages
    for line in text.lines(first, found.code(), span.marked):
        print(line)
    if left := sum(1 for _ in passages):
        print(f"{left:,} more instructions: --rows 0 shows all")
    print()
    for line in text.owners(Counter(pipeline.owners).most_common()):
        print(line)
