# SPDX-License-Identifier: BSD-2-Clause
"""The playground: a page that runs programs and stacks, on machines that its reader changes.

Its scripts are in ``html/playground/``: ``log.js`` reads each tick, ``pipeline.js``, ``sets.js``
and ``trip.js`` make of the files what is drawn, ``link.js`` keeps all choices in the address,
``playground.js`` draws.
"""

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from mcpi.base import template
from mcpi.base.errors import UserError
from mcpi.base.progress import Bar
from mcpi.base.repo import ROOT
from mcpi.browser import carried
from mcpi.browser.carried import Carried
from mcpi.engines import base as engines
from mcpi.engines import program, simulate, simulated
from mcpi.firmware.elf import PHYSICAL
from mcpi.isa import assembler, table
from mcpi.layout import symbols
from mcpi.machine import listing
from mcpi.results import causes, trip_table
from mcpi.results.summary import OWNERS
from mcpi.spec import run_jobs
from mcpi.spec.program_spec import ProgramSpec
from mcpi.spec.run_spec import RunSpec

HERE = carried.HERE / "playground"
SCRIPTS = ("log.js", "pipeline.js", "sets.js", "trip.js", "instruction.js", "assembly.js")
SCRIPTS += ("link.js", "playground.js")
# Files of which the time line of a round trip is made.
OF_TRIP = ("stamps.csv", "spells.0.csv", "spells.1.csv", "lance.0.csv", "lance.1.csv")
TYPED = Path(__file__).parent / "typed"  # the program around what a reader types
COURSE = ROOT / "firmware" / "test" / "programs" / "course"
OF_COURSE = ("numbers/collatz", "numbers/fibonacci", "numbers/gcd", "numbers/sieve")
OF_COURSE += ("structures/hash", "structures/heap", "structures/matrix", "structures/queens")
OF_COURSE += ("structures/sort",)
ALONE = "two-sends"  # the example that wants a peer
STACKS = {"tcp": "TCP/IP", "rpc": "RPC"}
VARIANTS = ("std", "out", "clo", "pin", "all", "fast")
TRIPS, WARMUP = 8, 16
# Further words and files, for each tick and each access of what is measured.
LOGGED = {"words": ["--tick-log", "0", "--trace", "0"], "wanted": ["ticks.csv", "trace.csv"]}
FORMATS = ("memory", "branch", "jump", "operate", "misc")  # of what the page assembles
# Parameters that shape the hardware, and no image.
SIZES = ("icache.size", "dcache.size", "bcache.size")
LEFT_OUT = ("memory.ideal", "lance.", "link.", "timer.", "tlb.")  # beginnings of keys


@dataclass(frozen=True)
class Item:
    """A choice of the page: what runs, and its group in the list."""

    key: str
    title: str
    group: str
    spec: RunSpec | ProgramSpec


def usual() -> list[Item]:
    """Twenty programs, and both stacks in six versions."""
    examples = [p for p in sorted((ROOT / "examples").glob("*.c")) if p.stem != ALONE]
    found = [own(path, "examples") for path in examples]
    found += [own(COURSE / f"{name}.c", "a course's programs") for name in OF_COURSE]
    for stack, title in STACKS.items():
        for variant in VARIANTS:
            spec = RunSpec(stack=stack, variant=variant, round_trips=TRIPS, warmup=WARMUP)
            key, words = f"{stack}-{variant}", f"{title}, {variant.upper()}"
            found.append(Item(key, words, "a round trip between two machines", spec))
    return [*found, typed()]


def typed() -> Item:
    """Assembly that the reader types into the page."""
    spec = ProgramSpec((str(TYPED / "typed.c"), str(TYPED / "room.S")))
    return Item("typed", "type assembly", "yours", spec)


def instructions() -> dict:
    """Instructions of user mode and short forms, for the page's assembler."""
    rows = [
        {
            "name": row.name,
            "match": row.match,
            "format": row.format,
            "cycles": row.group == "cycles",
        }
        for row in table.rows()
        if row.format in FORMATS and not row.mode
    ]
    words = {"nop": assembler.NOP, "unop": assembler.UNOP}
    return {"rows": rows, "short": assembler.SHORT, **words}


def own(source: Path, group: str = "yours", **more) -> Item:
    """A program; ``more``: of its spec."""
    return Item(source.stem, source.name, group, ProgramSpec((str(source),), **more))


def page(items: list[Item], bar: Bar) -> str:
    """The whole page, which loads nothing from elsewhere."""
    runs = Carried()
    with tempfile.TemporaryDirectory() as folder, bar.task("images", len(items)) as update:
        made = []
        for done, item in enumerate(items, 1):
            made.append(_prepared(item, Path(folder) / item.key, runs, bar))
            update(done, len(items), item.title)
    return template.render(
        "browser/html/playground/playground.html",
        title="mCPI: two machines in your browser",
        groups=_groups(items),
        script={
            "data": template.embedded(
                {
                    "files": runs.files,
                    "items": made,
                    "parameters": parameters(),
                    "owners": owners(OWNERS),
                    "trip": owners(trip_table.WORDS),
                    "isa": instructions(),
                }
            ),
            "engine": template.embedded(carried.engine()),
            "own": carried.scripts() + "".join((HERE / name).read_text() for name in SCRIPTS),
        },
    )


def _groups(items: list[Item]) -> dict[str, list[Item]]:
    found: dict[str, list[Item]] = {}
    for item in items:
        found.setdefault(item.group, []).append(item)
    return found


def parameters() -> list[dict]:
    """Parameters that the page can change without another image: from the table that
    ``./mcpi parameters`` prints."""
    return [
        one.plain()
        for one in listing.of(RunSpec.machine, {})
        if (one.acts == "run" or one.key in SIZES) and not one.key.startswith(LEFT_OUT)
        if not one.range.startswith("only")
    ]


def owners(words: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Words and colour of each owner, in the order of the tables."""
    return {name: {"words": said, "colour": causes.colour(name)} for name, said in words.items()}


def _prepared(item: Item, place: Path, runs: Carried, bar: Bar) -> dict:
    """The item's request, and ``logged``: further words and files for the pipeline and the
    sets."""
    spec = item.spec
    machine = engines.judged(spec)
    built = engines.of(spec.engine).prepare(spec, machine, place, bar)
    found = {"key": item.key, "title": item.title, "places": [], "trips": 0}
    if isinstance(spec, ProgramSpec):
        options = [*program.plain_options(place, built), "--passages"]
        own_spec, phases = spec, run_jobs.phases_of(spec.seed, 1, machine)
        files = ["passages.0.csv", "console.0.txt"]
        found["places"] = [
            {"name": region.name, "opens": [f"{address:x}" for address in region.opens]}
            for region in built.sides[0].regions
        ]
    else:
        job = run_jobs.Job(1, run_jobs.REAL)
        own_spec, phases, options = simulated.request(spec, job, machine, place)
        files, found["trips"] = ["events.csv", *OF_TRIP], spec.round_trips
    words = simulate.command(built.simulator, place, ".", own_spec, phases, options)[1:]
    request = runs.run(place, words, ["counters.json", *files])
    read = request["files"]
    found |= {"request": request, "machine": read["machine.json"], "image": read["image.elf"]}
    found["copies"] = _copies(place / "image.elf")
    return found | {"logged": LOGGED}


def _copies(image: Path) -> list[dict]:
    """Functions that the cloner copies at boot: name, physical address and bytes of each."""
    copies = [one for one in symbols.spans(image)[0] if one.copy]
    return [
        {"name": f"{one.function} (copy)", "start": one.start & PHYSICAL, "size": _size(one)}
        for one in copies
    ]


def _size(span: symbols.Span) -> int:
    return span.end - span.start


def check(sources: list[Path], measure: tuple[str, ...], page: Path) -> None:
    """UserError for programs of one name, for functions without a program, and for a page that
    cannot be written."""
    names = [source.stem for source in sources]
    if twice := next((name for name in names if names.count(name) > 1), ""):
        raise UserError(f"two programs are called {twice}: rename one of them.")
    if measure and not sources:
        raise UserError("--measure: which program has the function? Name its file.")
    for source in sources:
        ProgramSpec((str(source),)).check()
    if page.is_dir() or not page.parent.is_dir():
        raise UserError(f"--out {page}: name a file in a folder that is there.")
