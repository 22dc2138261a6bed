# SPDX-License-Identifier: BSD-2-Clause
"""A part of a run, tick by tick, of both machines."""

import contextlib
import csv
import dataclasses
import functools
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from mcpi.analysis import attribution
from mcpi.analysis.attribution import Tick
from mcpi.analysis.places import Places
from mcpi.api import last_instructions
from mcpi.base import staging
from mcpi.base.errors import RunError, UserError
from mcpi.base.progress import Bar, Silent
from mcpi.base.repo import BUILD
from mcpi.build import run_folder
from mcpi.engines import cost
from mcpi.engines import span as runs
from mcpi.machine.profile import Machine
from mcpi.results import files, measure, pcap, round_trip_owners
from mcpi.spec.numbers import SIDES
from mcpi.spec.run_spec import RunSpec
from mcpi.spec.spec import Spec
from mcpi.tracing import frames, span_selection
from mcpi.tracing.disassembly import Disassembly
from mcpi.tracing.functions import Access
from mcpi.tracing.pipeline import Pipeline
from mcpi.tracing.span_selection import Span, Wanted
from mcpi.tuning import ordering


@dataclass(frozen=True)
class Trace:
    """``folder`` has the files of the run, of which ``span`` was logged; ``side``: whose pipeline
    is shown; ``sides``: the machines that run something."""

    folder: Path
    span: Span
    side: str
    sides: tuple[str, ...]
    ticks_per_us: int
    prepared: runs.Prepared
    fault: str = ""  # why the run failed, if it did

    def ticks(self, side: str) -> Iterator[Tick]:
        """The rows of ``span.N.csv``, in order."""
        return attribution.read(self.folder / f"span.{run_folder.number(self.folder, side)}.csv")

    def pipeline(self, side: str = "") -> Pipeline:
        return Pipeline(self.ticks(side or self.side))

    def code(self, side: str = "") -> Disassembly:
        pal = self.folder / "pal.elf"
        return Disassembly(Places(self.prepared.image(SIDES[side or self.side]), pal), pal)

    def accesses(self, side: str) -> Iterator[Access]:
        """The rows of ``accesses.N.csv``, in order."""
        file = self.folder / f"accesses.{run_folder.number(self.folder, side)}.csv"
        with file.open(newline="") as stream:
            for row in csv.DictReader(stream):
                yield Access(int(row["issue"]), row["kind"] == "store", int(row["address"], 16))

    def write_perfetto(self, file: Path) -> None:
        """Both machines and the wire, for ui.perfetto.dev."""
        from mcpi.export import perfetto

        machines = [
            perfetto.Machine(
                side,
                functools.partial(self.ticks, side),
                functools.partial(self.accesses, side),
                self.code(side),
                span_selection.Stamps.read(
                    self.folder / "stamps.csv", run_folder.number(self.folder, side)
                ).rows,
            )
            for side in self.sides
        ]
        sent = frames.read(self.folder, self.ticks_per_us, self.prepared.spec.is_faulty)
        perfetto.write(file, self.span, machines, sent, self._trips(), self.ticks_per_us)

    def write_slides(self, file: Path, number: int) -> None:
        """Round trip ``number``, which is the span, on two pages for a projector. RunError if it
        has no time line."""
        from mcpi.export import slides

        trips = self._trips()
        if not trips:
            raise RunError(f"round trip {number} is not one clean exchange, and has no time line.")
        spec = self.prepared.spec
        title = f"Your packet, tick by tick: {spec.title.upper()}, round trip {number}"
        words = spec.command().partition(" run ")[2]
        command = f"./mcpi trace {words} --round-trip {number} --slides FILE"
        rows, code = self.pipeline().passages(), self.code()
        text = slides.page(title, trips[number - 1], self.ticks_per_us, rows, code, command)
        staging.write(file, text)

    def _trips(self) -> list[round_trip_owners.Legs]:
        """Time lines of the measured round trips; none of a program, or of a run that failed."""
        if self.fault or not files.place(self.folder / "spells.0.csv").exists():
            return []
        window = measure.measured(self.folder / "events.csv")
        return round_trip_owners.time_lines(self.folder, window) or []

    def write_fst(self, file: Path) -> tuple[int, int]:
        """The waveform, if there is one; how many signals and ticks."""
        from mcpi.export import fst

        return fst.write(self.folder / "waves.vcd", file)

    def write_pcap(self, file: Path) -> int:
        """The frames whose first bit was sent in the span; how many."""
        whole = self.folder / "wire.pcap"
        return pcap.cut(whole, file, self.span.start, self.span.end, self.ticks_per_us)


@contextlib.contextmanager
def trace(
    source: Spec | Path,
    wanted: Wanted,
    side: str = "client",
    waves: tuple[str, ...] | None = None,
    bar: Bar | None = None,
    engine: str = "",
) -> Iterator[Trace]:
    """Run ``source``, or again the finished run in that folder, and log the span that is
    ``wanted``. Its files are there until the context ends. ``waves``: a waveform of these modules
    of ``side``, of all if none is named; None: there is none. ``engine``: in place of the run's.
    UserError for what cannot be, as far as it is known before anything is built."""
    folder = source if isinstance(source, Path) else None
    spec = runs.recorded(folder) if folder else source
    if engine:
        spec = dataclasses.replace(spec, engine=engine)
    machine = _judged(spec, wanted, side)
    if waves:
        runs.scopes(machine, list(waves), False)
    given = wanted.given(runs.ticks(folder) if folder else spec.longest)
    BUILD.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=BUILD, prefix="trace-") as temporary:
        place = Path(temporary, "run")
        with bar or Silent() as progress:
            if isinstance(spec, RunSpec) and not folder:
                ordering.of_own_graph(spec, progress)
            words = (spec, machine, place, progress, waves is not None)
            prepared = runs.again(folder, *words) if folder else runs.prepare(*words)
            side, span = (side, given) if given else _found(prepared, wanted, side, progress)
            _check_room(span, place)
            more = ["--spells"] if isinstance(spec, RunSpec) else []
            more += [] if waves is None else prepared.waves(SIDES[side], list(waves))
            failed = prepared.log(span.start, span.end, more, progress)
        if (length := runs.ticks(place)) < span.end:
            raise UserError(f"--ticks {wanted.ticks}: the run lasts {length:,} ticks.")
        names = tuple(name for name, n in SIDES.items() if n in spec.nodes)
        per_us = machine.parameters["clock.ticks_per_us"]
        fault = last_instructions.fault_text(prepared, failed) if failed else ""
        yield Trace(place, span, side, names, per_us, prepared, fault)


def _check_room(span: Span, place: Path) -> None:
    """UserError for a span whose ticks do not fit the disk."""
    needed = cost.SPAN * (span.end - span.start)
    free = shutil.disk_usage(place.parent).free
    if needed > free:
        raise UserError(
            f"{span.why}: {span.end - span.start:,} ticks take up to {cost.size(needed)} below "
            f"{place.parent.parent}, and {cost.size(free)} are free. Give fewer ticks."
        )


def _judged(spec: Spec, wanted: Wanted, side: str) -> Machine:
    machine = runs.judged(spec)
    if SIDES[side] not in spec.nodes:
        raise UserError(f"--side {side}: the program runs on one machine; the client is there.")
    if wanted.around:
        wanted.place  # noqa: B018 - refuses what it cannot read
    trips, is_program = getattr(spec, "round_trips", 0), bool(spec.program)
    if wanted.round_trip and is_program:
        raise UserError("--round-trip: a program has none; --invocation is of its passages.")
    for option, number in (("invocation", wanted.invocation), ("round-trip", wanted.round_trip)):
        if number > trips and not is_program:
            raise UserError(f"--{option} {number}: the run has {trips} round trips.")
    if not is_program:
        cost.check(spec)
    return machine


def _found(prepared: runs.Prepared, wanted: Wanted, side: str, bar: Bar) -> tuple[str, Span]:
    """The span of a passage, an invocation, or the run's end, and of which side: a first run says
    when it is."""
    node, at = SIDES[side], []
    if wanted.around:
        places = Places(prepared.image(node), prepared.place / "pal.elf")
        at = span_selection.addresses(places, wanted)
    failed = prepared.look(node, at, bar)
    if wanted.last or (failed and wanted in (Wanted(), Wanted(round_trip=1))):
        return last_instructions.found(
            prepared, side, wanted.last or last_instructions.LAST, failed, bar
        )
    stamps = span_selection.Stamps.read(
        prepared.place / "stamps.csv", run_folder.number(prepared.place, side)
    )
    try:
        span = span_selection.choose(wanted, stamps, runs.STAMP, side)
    except UserError as error:
        if failed:  # what is wanted comes no more
            raise RunError(f"{error}\n  {last_instructions.fault_text(prepared, failed)}") from None
        raise
    return side, dataclasses.replace(span, end=min(span.end, runs.ticks(prepared.place)))
