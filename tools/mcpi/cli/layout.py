# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi layout``: functions, addresses and caches."""

import json
import shlex
import statistics
from pathlib import Path
from typing import Annotated

import typer

from mcpi.base.errors import UserError
from mcpi.cli import options
from mcpi.spec.run_spec import RunSpec

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
    help="""Where functions lie, what that does to the caches, and where they should lie.

A short run of the client's path is traced, instruction by instruction (kept
in build/traces/ until image or machine change). From it come the call order
that cloning needs, maps of the caches, and lists of which functions drive
each other out. docs/explanation/cloning.md explains the layouts.

[bold]Examples[/bold]

  ./mcpi layout map out clo     Figure 2 of the paper, from the real images

  ./mcpi layout map clo bad --stack rpc
      and what a bad layout looks like

  ./mcpi layout conflicts std   who drives out whom, as a table

  ./mcpi layout order --variant out
      the call order, for the recipes that clone

  ./mcpi layout outline         code that never runs, as a patch

  ./mcpi layout profile steady  how often the path goes from block to block
""",
)


@app.command("map")
def map_(
    variants: Annotated[
        list[str], typer.Argument(help="Two variants, shown side by side.", metavar="ONE OTHER")
    ],
    stack: options.Stack = RunSpec.stack,
    machine: options.Machine = options.MACHINE,
    set_: options.Settings = None,
    out: Annotated[
        Path | None, typer.Option(help="The HTML file; else results/layout-….html.")
    ] = None,
) -> None:
    """Maps of I-cache and b-cache, coloured by function, as one self-contained HTML
    page.

    A row is a way of the I-cache, a column one cache set: of what stands in one
    column as many blocks can be in the cache as it has ways. Grey is code that is
    not executed.
    """
    from mcpi.base.repo import RESULTS
    from mcpi.layout import cache_map, page

    if len(variants) != 2:
        raise UserError(f"map: two variants are wanted, as in: ./mcpi layout map out clo, "
                        f"not {len(variants)}.")  # fmt: skip
    options.writable(out)
    pair, g = _replayed(stack, variants, machine, set_)
    words = ["./mcpi", "layout", "map", *variants, "--stack", stack, "--machine", machine]
    words += [w for s in set_ or [] for w in ("--set", s)]
    text = page.page(stack, pair, cache_map.Geometry(*g), shlex.join(words))
    target = out or RESULTS / f"layout-{stack}-{'-'.join(variants)}.html"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text)
    for traced, icache, bcache in pair:
        print(
            f"{traced.variant}: {len(traced.invocations[-1])} instructions, "
            f"{icache.misses:.1f} I-cache misses, {bcache.misses:.1f} b-cache misses (path alone)"
        )
    print(f"file: {target}")


@app.command()
def conflicts(
    variants: Annotated[list[str], typer.Argument(help="Variants; at least one.")],
    stack: options.Stack = RunSpec.stack,
    machine: options.Machine = options.MACHINE,
    set_: options.Settings = None,
    most: Annotated[int, typer.Option(min=1, help="Pairs of functions in the table.")] = 15,
) -> None:
    """Which functions share cache sets and drive each other out, with counts from
    the trace.
    """
    from rich.console import Console
    from rich.table import Table

    people = Console(highlight=False)
    for traced, icache, bcache in _replayed(stack, variants, machine, set_)[0]:
        for what, result in (("I-cache", icache), ("b-cache", bcache)):
            title = f"{stack} {traced.variant}, {what}: {result.misses:.1f} misses"
            if not result.pairs:
                people.print(f"{title}, none of a block that other code has driven out")
                continue
            table = Table(title=title)
            for column in ("missed", "driven out by"):
                table.add_column(column)
            table.add_column("times an invocation", justify="right")
            for (victim, by), n in result.pairs.most_common(most):
                table.add_row(victim, by, f"{n:.1f}")
            people.print(table)
    people.print(
        "of the path alone, replayed; ./mcpi profile counts the run, with what comes between"
    )


@app.command()
def order(
    variant: Annotated[str, typer.Option(help="The variant that is traced; it may not clone.")],
    stack: options.Stack = RunSpec.stack,
    machine: options.Machine = options.MACHINE,
    server: Annotated[
        bool, typer.Option("--server", help="The server's path, where it is one of its own.")
    ] = False,
) -> None:
    """Call order, classes and data of a variant's path, for the recipes that clone
    it.

    Writes firmware/variants/orders/<variant>-<path>.csv and ….data.csv, which
    recipes name as the order of clone. They are checked in; make them again when
    functions come, go or are renamed.
    """
    from mcpi.tuning import ordering

    base, data = ordering.make(variant, stack, machine, server)
    print(f"files: {base} {data}")


@app.command()
def micro(
    variant: Annotated[str, typer.Option(help="A variant that clones.")] = "clo",
    stack: options.Stack = RunSpec.stack,
    machine: options.Machine = options.MACHINE,
) -> None:
    """Positions for the layout 'micro', from the trace of a variant that clones the
    same functions.

    Writes firmware/variants/orders/<order>-<path>.positions.csv.
    """
    from mcpi.engines import trace
    from mcpi.firmware import recipes
    from mcpi.firmware.clone import path_order as orders
    from mcpi.layout import micro_position as positioning
    from mcpi.layout import symbols
    from mcpi.machine import caches as primary
    from mcpi.machine import profile as machines
    from mcpi.tuning import ordering

    rules = recipes.recipe(variant)
    if "clone" not in rules:
        raise UserError(f"--variant {variant}: it does not clone.")
    caches = machines.load(machine).parameters
    primary.direct(caches, "the layout 'micro'", "icache.ways", "icache.victims")
    folder = trace.traced(stack, variant, machine, {})
    traced = symbols.read(folder, variant)
    image = json.loads((folder / "image.json").read_text())
    sizes = {c["function"]: 4 * c["words"] for c in image["copies"]}
    found = positioning.positions(traced, sizes, caches["icache.size"], caches["cache.block"])
    target = ordering.place(rules["clone"]["order"], stack).with_suffix(".positions.csv")
    rows = [{"function": name, "position": at} for name, at in found.items()]
    orders.write(target, ["function", "position"], rows)
    print(f"file: {target}")


@app.command()
def search(
    context: typer.Context,
    variant: Annotated[str, typer.Option(help="A variant that clones.")] = "all",
    stack: options.Stack = RunSpec.stack,
    machine: options.Machine = options.MACHINE,
    set_: options.Settings = None,
    seed: options.Seed = RunSpec.seed,
    searches: Annotated[
        int, typer.Option(min=1, max=1000, help="Searches, each from another start.")
    ] = 4,
    candidates: Annotated[
        int, typer.Option(min=1, max=10**9, help="Placements that each search tries.")
    ] = 200_000,
    seconds: Annotated[
        float, typer.Option(min=0, help="Most seconds of each search. [no limit]")
    ] = 0,
    judged: Annotated[
        int, typer.Option(min=1, max=1000, help="Other phases on which layouts are judged.")
    ] = 10,
    start: Annotated[
        Path | None, typer.Option(help="Positions that an earlier search left: go on from there.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Where positions go; else results/layout-….")
    ] = None,
    json_: options.Json = False,
) -> None:
    """The places of a variant's copies and data that cost least, found by search.

    The client's run is recorded over eight invocations, with all that runs
    between them. Simulated annealing moves the copies, then sections of data; the
    replay of the record through I-cache and D-cache says what each placement
    costs. Then engine exact judges the best one, and the worst, on phases that
    the search has not seen, beside the layouts made by hand and by rule.

    [bold]Examples[/bold]

      ./mcpi layout search --stack tcp --variant all

      ./mcpi run --variant all --layout FOLDER/searched.positions.csv

      ./mcpi layout search --stack examples/udpecho/udpecho.graph --variant clo
          a protocol graph of your own

      ./mcpi layout search --start results/layout-tcp-all/searched.positions.csv
          goes on where the last one ended

    ^C ends the search, and judges what was best until then.
    """
    import dataclasses

    from mcpi.base.progress import Bar
    from mcpi.base.repo import RESULTS
    from mcpi.layout.placing.search import Limits
    from mcpi.spec.run_spec import EXACT
    from mcpi.tuning import placing

    options.writable(out)
    spec = options.spec(context, engine=EXACT, round_trips=50)
    placing.check(spec)
    target = out or RESULTS / f"layout-{spec.title}"
    wanted = placing.Wanted(spec, judged, searches, Limits(candidates, seconds), start)
    with Bar() as bar:
        found, bound = placing.run(wanted, target, bar)
    if json_:
        rows = [dataclasses.asdict(one) | {"median": one.median} for one in found]
        print(json.dumps({"layouts": rows, "bound": dataclasses.asdict(bound)}))
        return
    _judged(found, bound)
    print(f"files: {target}")


@app.command("profile")
def profile_(
    name: Annotated[str, typer.Argument(help="Name of the profile, as recipes have it.")],
    machine: options.Machine = options.MACHINE,
    define: Annotated[
        list[str] | None,
        typer.Option(help="A switch of the traced sources, NAME or NAME=VALUE; repeat it."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="The file; else firmware/variants/profiles/NAME.csv.")
    ] = None,
) -> None:
    """How often the path goes from block to block.

    Recipes order blocks by it. Both ends of each stack are traced, of variant
    out. A recipe has profile = NAME, and blocks says how it is used: source
    moves what no invocation executed, tsp makes chains of the rest too. Profiles
    are checked in. If a function's number of blocks has changed since, its
    annotations outline it.

    [bold]Examples[/bold]

      ./mcpi layout profile steady

      ./mcpi layout profile stale --define XK_INLINE=0 --define XK_MAPINL=0
          of the program as it was before these changes
    """
    from mcpi.base.progress import Bar
    from mcpi.firmware import switches
    from mcpi.firmware.blocks import profile as profiles
    from mcpi.spec.run_spec import STACKS
    from mcpi.tuning import blocks

    options.writable(out)
    defines = tuple(define or [])
    switches.check(defines)
    with Bar() as bar:
        found, unused = blocks.make(STACKS, machine, defines, bar)
    if unused:
        raise UserError(f"--define {unused[0]}: no source of any stack depends on it.")
    target = out or profiles.PROFILES / f"{name}.csv"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(profiles.text(found))
    print(f"{len(found)} functions")
    print(f"file: {target}")


@app.command()
def outline(
    stack: Annotated[str, typer.Option(help="Protocol stack. \\[all]", metavar="tcp|rpc")] = "",
    variant: Annotated[str, typer.Option(help="The variant that is trained on.")] = "std",
    machine: options.Machine = options.MACHINE,
    set_: options.Settings = None,
    round_trips: Annotated[int, typer.Option(min=4, help="Round trips of the training runs.")] = 60,
    least: Annotated[
        int, typer.Option(min=1, help="A branch that was executed less often says nothing.")
    ] = 50,
    most: Annotated[int, typer.Option(min=0, help="Rows of the table.")] = 10,
    out: Annotated[
        Path | None, typer.Option(help="Where the patch goes; else results/outline.patch.")
    ] = None,
) -> None:
    """Code of the path that is never executed, as a patch of annotations.

    Each stack's path is recorded at both ends. A branch that always goes the
    same way guards code that outlining can move (PREDICT_FALSE, PREDICT_TRUE).
    The patch has the annotations that the sources do not have yet and that all
    stacks agree on; whoever applies it keeps them. Then it is measured what the
    annotations that are there cost when the code they move is needed.

    [bold]Examples[/bold]

      ./mcpi layout outline

      ./mcpi layout outline --stack tcp

      git apply results/outline.patch
          keeps what it found
    """
    from mcpi.base.progress import Bar
    from mcpi.base.repo import RESULTS
    from mcpi.layout import outlining
    from mcpi.spec.numbers import STACKS
    from mcpi.spec.run_spec import one_of
    from mcpi.tuning import outlining as training

    options.writable(out)
    if stack:
        one_of("stack", stack, tuple(STACKS))
    stacks = (stack,) if stack else tuple(STACKS)
    settings = options.settings(set_)
    training.check(stacks, variant, machine, settings)
    with Bar() as bar:
        words = variant, machine, settings, round_trips, least, bar
        trained = [training.train(one, *words) for one in stacks]
        costs = training.costs(stacks, machine, settings, bar)
    text, number = outlining.patch(
        outlining.proposals((one.training, one.never) for one in trained)
    )
    target = out or RESULTS / "outline.patch"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text)
    for one in trained:
        _outlined(one, most)
    _costs(costs, training.ENDS)
    print(f"the patch has {number} annotations that the sources do not have")
    print(f"files: {target}")


def _outlined(trained, most: int) -> None:
    from rich.console import Console
    from rich.table import Table

    cold = [one for one in trained.never if one.words]
    found = len(trained.by_hand) - len(trained.missed)
    table = Table(box=None, pad_edge=False)
    for name, justify in (("words", "right"), ("executed", "right"), ("function", "left")):
        table.add_column(name, justify=justify, no_wrap=True)
    table.add_column("branch", no_wrap=True)
    table.add_column("annotation", no_wrap=True)
    for one in cold[:most]:
        place = f"{one.place.file.removeprefix('firmware/')}:{one.place.line}"
        row = (str(one.words), str(one.executed), one.function, place, one.says or "")
        table.add_row(*row)
    people = Console(highlight=False)
    people.print(
        f"{trained.stack}: {len(trained.never)} branches go one way alone; {len(cold)} of them "
        f"guard code that nothing executes, {sum(one.words for one in cold)} words."
    )
    people.print(table)
    people.print(f"annotations by hand on the path: {found} of {len(trained.by_hand)} found")
    for mark in trained.missed:
        people.print(f"  not found, as both ways are taken: {mark.file}:{mark.first}")
    people.print()


def _costs(costs: dict, ends: tuple[str, ...]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for name in ("ticks", ""):
        table.add_column(name, no_wrap=True)
    for name in ends:
        table.add_column(name.upper(), justify="right", no_wrap=True)
    for (stack, event), ticks in costs.items():
        table.add_row(stack, event, *(f"{n:,.0f}" for n in ticks))
    Console(highlight=False).print(table)


def _judged(found: list, bound) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("layout", no_wrap=True)
    heads = ("replay", "run", "loads", "missed", "trained", "median", "range", "server")
    for head in heads:
        table.add_column(head, justify="right", no_wrap=True)
    for one in sorted(found, key=lambda one: one.median):
        table.add_row(
            one.name,
            "–" if one.predicted is None else f"{one.predicted:,.0f}",
            f"{one.waited:,.0f}",
            "–" if one.loads is None else f"{one.loads:.1f}",
            f"{one.missed:.1f}",
            f"{one.trained:.2f}",
            f"{one.median:.2f}",
            f"{min(one.client):.2f}–{max(one.client):.2f}",
            f"{statistics.median(one.server):.2f}",
        )
    people = Console(highlight=False)
    people.print(table)
    people.print(
        "replay, run: ticks that an invocation waits for instructions; loads, missed: its\nmisses "
        "of the d-cache, by the replay and in the run; the others: T_p in µs"
    )
    people.print(
        f"at least, whatever the placement: {bound.instructions:,.0f} instructions, "
        f"{bound.taken:,.0f} ticks of\ntaken branches, {bound.misses:.1f} i-cache misses (packed, "
        f"Belady): {bound.time_us:.2f} µs"
    )


def _replayed(stack: str, variants: list[str], machine: str, set_: list[str] | None):
    """Each variant traced and replayed; and the machine's cache sizes."""
    from mcpi.base.progress import Silent
    from mcpi.engines import base as engines
    from mcpi.engines import trace
    from mcpi.layout import replay, symbols
    from mcpi.machine import caches as primary
    from mcpi.machine import profile as machines
    from mcpi.tuning import ordering

    settings = options.settings(set_)
    caches = machines.load(machine, settings).parameters
    primary.direct(caches, "the replay of a trace", "icache.victims")
    for variant in variants:
        engines.judged(trace.spec(stack, variant, machine, settings))
    g = tuple(caches[k] for k in ("icache.size", "bcache.size", "cache.block", "icache.ways"))
    found = []
    for variant in variants:
        ordering.of_own_graph(trace.spec(stack, variant, machine, settings), Silent())
        traced = symbols.read(trace.traced(stack, variant, machine, settings), variant)
        found.append((traced, *replay.replay(traced, *g)))
    return found, g
