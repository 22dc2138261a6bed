# SPDX-License-Identifier: BSD-2-Clause
"""A program of one's own, on the simulator of a spec's engine: built, run, measured.

The folder of the run has, like that of a stack's run, the files of the plain run, and below it
``ideal`` (memory that costs nothing), ``cold-N`` (region N from empty caches) and ``repeat-N``.
"""

import shutil
import time
from dataclasses import dataclass, replace
from pathlib import Path

from mcpi.base.errors import RunError, UserError
from mcpi.base.process import Stop, side_by_side
from mcpi.base.progress import Bar
from mcpi.build import graph, run_folder
from mcpi.engines import cores
from mcpi.engines.base import speed
from mcpi.engines.simulate import PEER_PAL, simulate
from mcpi.firmware import bounds, compiler_words, program, regions
from mcpi.firmware import images as firmware
from mcpi.firmware.inputs.given import Given
from mcpi.firmware.regions import Region
from mcpi.hdl import verilator
from mcpi.layout import lines
from mcpi.machine.profile import Machine
from mcpi.results import pcap, provenance, record
from mcpi.results import regions as measured
from mcpi.results.types import Result
from mcpi.spec import run_jobs, watching
from mcpi.spec.numbers import CLIENT, SERVER, SIDES
from mcpi.spec.program_spec import ProgramSpec, is_elf

WORKERS = 2
NAMES = ("image.elf", "peer.elf")
GUARDS = ("guard.0.csv", "guard.1.csv")  # bounds
UNWRITTEN = "unwritten.0.csv"  # of --check memory: bounds
COMPILER = "compiler.txt"  # its warnings, if there are any


@dataclass(frozen=True)
class Side:
    """A machine's image, what of it is measured, and the markers that say so."""

    elf: Path
    regions: list[Region]
    own: bool  # the image's marks are measured
    said: tuple[Path, ...] = ()  # files with the compiler's warnings
    mapped: bool = False  # pages of the image want entries of TLBs: no memory is ideal


@dataclass(frozen=True)
class Built:
    """``sides``: by node, the second only with a peer; ``repeats``: images of the further runs."""

    sides: tuple[Side, ...]
    pal: Path
    absent: Path
    absent_pal: Path
    repeats: tuple[tuple[Side, ...], ...]
    simulator: Path = Path()
    node_json: Path | None = None


def prepare(
    spec: ProgramSpec,
    machine: Machine,
    place: Path,
    bar: Bar,
    around: verilator.Program | None = None,
) -> Built:
    """Compile, look for what is measured, build the simulator, and put everything that the run
    depends on into ``place``. UserError for what the program has not. ``around``: as of
    ``graph.build``."""
    with bar.task("program", 1) as update:
        sides, pal = _sides(spec, machine, None)
        absent = firmware.build(program.absent(machine))
        more = [_sides(spec, machine, n)[0] for n in range(2, spec.repeat + 1)]
        update(1, 1, spec.title)
    simulator, node_json = graph.simulator(spec.engine, machine, bar, around)
    built = Built(sides, pal, absent.image, absent.pal, tuple(more), simulator, node_json)
    _fill(place, spec, machine, built, sides)
    if words := compiler_words.warnings(path for side in sides for path in side.said):
        (place / COMPILER).write_text(words)
        bar.say(words.rstrip())
    for job in ["."] if spec.alone else _jobs(sides[CLIENT], spec):
        own = machine.ideal if job == run_jobs.IDEAL else machine
        graph.write(place / job / "machine.json", own.to_json())
    for n, further in enumerate(more, 2):
        _fill(place / f"repeat-{n}", spec, machine, built, further)
        graph.write(place / f"repeat-{n}" / "machine.json", machine.to_json())
    run_folder.write_spec(place, spec)
    if watching.heap_of(spec):
        run_folder.write_allocators(place, spec)
    return built


def run(spec: ProgramSpec, machine: Machine, place: Path, built: Built, bar: Bar) -> int:
    """Leave the run's files in ``place``; its speed in ticks per wall second."""
    if spec.alone:
        return _on_cores(spec, place, built, bar)
    stop = Stop()

    def one(job: tuple[Path, str, list[str]]) -> None:
        folder, name, options = job
        number = int(folder.name.partition("-")[2] or 1) if folder != place else 1
        phases = run_jobs.phases_of(spec.seed, number, machine)
        title = folder.name if folder != place else "program" if name == "." else name
        with bar.task(title, 1) as update:
            words = (built.simulator, folder, name, spec, phases, options)
            simulate(*words, stop, update)

    logged = [*plain_options(place, built), "--passages", *watching.logs(spec)]
    plain = (place, ".", logged)
    jobs = _jobs(built.sides[CLIENT], spec)[1:]
    with_files = [(place, name, _options(built, name, spec)) for name in jobs]
    repeats = [
        (place / f"repeat-{n}", ".", [*_markers(built, "markers"), "--passages"])
        for n in range(2, spec.repeat + 1)
    ]
    one(plain)  # a program that fails does so once
    side_by_side(one, [*with_files, *repeats], WORKERS, stop)
    return speed(place)


def _on_cores(spec: ProgramSpec, place: Path, built: Built, bar: Bar) -> int:
    began = time.monotonic()
    with bar.task("program", 1) as update:
        words = (built.simulator, place, ".", spec, [], cores.options(spec))
        simulate(*words, update=update)
    return cores.speed(place, time.monotonic() - began)


def result(spec: ProgramSpec, machine: Machine, place: Path) -> Result:
    """All but its times, from the files of the run alone."""
    sides = _left(spec, place)
    if spec.alone:
        about = {"provenance": provenance.of(place, spec, machine)}
        return record.of(about | cores.parts(spec, place, sides[CLIENT].regions, machine))
    nodes = [node for node in spec.nodes if node == CLIENT or _passed(place, node)]
    names = {number: side for side, number in SIDES.items()}
    ideal = None if sides[CLIENT].mapped else place / run_jobs.IDEAL
    found: dict = {"provenance": provenance.of(place, spec, machine)}
    found["steady"] = {names[node]: measured.steady(place, ideal, node, machine) for node in nodes}
    found["regions"] = {
        names[node]: measured.parts(place, ideal, node, sides[node].regions, machine)
        for node in nodes
    }
    if spec.cold:
        for n, region in enumerate(sides[CLIENT].regions, 1):
            if region.name in found["regions"]["client"]:
                cold = measured.cold(place / f"cold-{n}", CLIENT, machine)
                found["regions"]["client"][region.name]["cold"] = cold
    if spec.repeat > 1:
        _add_repeats(found["regions"]["client"], spec, place)
    if spec.peer:
        found["wire"] = pcap.summary(place / "wire.pcap")
    return record.of(found)


def places(spec: ProgramSpec, place: Path) -> list[str]:
    """Name what is measured on the first machine, of a run in ``place`` that is prepared."""
    return [region.name for region in regions_of(spec, place, CLIENT)]


def regions_of(spec: ProgramSpec, place: Path, node: int) -> list[Region]:
    """Measured places of a machine, of a run in ``place`` that is prepared."""
    return _left(spec, place)[node].regions


def images(spec: ProgramSpec, machine: Machine) -> list[Path]:
    """Build and return all that the run loads: programs, PALcode, the absent peer's image."""
    sides, pal = _sides(spec, machine, None)
    return [*(side.elf for side in sides), pal, firmware.build(program.absent(machine)).image]


def _left(spec: ProgramSpec, place: Path) -> list[Side]:
    """The machines' images in a run's folder, as ``_sides`` has those of the build."""
    functions = {CLIENT: spec.measure}
    return [_side(place / NAMES[node], functions.get(node, ())) for node in spec.nodes]


def _add_repeats(client: dict[str, dict], spec: ProgramSpec, place: Path) -> None:
    means = []
    for folder in (place, *(place / f"repeat-{n}" for n in range(2, spec.repeat + 1))):
        means.append(measured.mean_ticks(folder, CLIENT, _left(spec, folder)[CLIENT].regions))
    for name, region in client.items():
        region["run_ticks"] = [round(mean[name], 6) for mean in means if name in mean]


def _sides(
    spec: ProgramSpec, machine: Machine, shuffle: int | None
) -> tuple[tuple[Side, ...], Path]:
    """Images and regions of one layout, and the PALcode."""
    found = []
    for node, sources in ((CLIENT, spec.sources), (SERVER, spec.peer)):
        if not sources:
            continue
        given = spec.given if node == CLIENT else Given()
        measure = spec.measure if node == CLIENT else ()
        own = replace(spec, sources=sources, measure=measure)
        side, pal = build_side(own, machine, given, bool(spec.peer), shuffle)
        found.append(side)
    return tuple(found), pal


def build_side(
    spec: ProgramSpec, machine: Machine, given: Given, wire: bool, shuffle: int | None = None
) -> tuple[Side, Path]:
    """The image of the spec's sources, what of it is measured, and the PALcode; ``wire``: with what
    mcpi_net.h has."""
    paths = tuple(Path(source).resolve() for source in spec.sources)
    own = Path(spec.pal).resolve() if spec.pal else None
    if is_elf(spec.sources[0]):
        plan, elf = program.palcode(machine, paths[0], own), paths[0]
        firmware.build(plan)
    else:
        how = (spec.optimise, spec.defines, shuffle, wire)
        wanted = program.Wanted(paths, *how, given=given, pal=own)
        plan = _compiled(machine, wanted)
        elf = plan.image
    return replace(_side(elf, spec.measure), said=plan.said), plan.pal


def _compiled(machine: Machine, wanted: program.Wanted) -> firmware.Plan:
    """Compile the program and return its plan. UserError with the compiler's words if it has a
    fault."""
    plan = program.plan(machine, wanted)
    try:
        firmware.build(plan)
        if not regions.Image(plan.image).returns(regions.MAIN):
            plan = program.plan(machine, replace(wanted, returns_nothing=True))
            firmware.build(plan)
    except RunError as error:
        raise UserError(compiler_words.for_people(str(error))) from None
    return plan


def _side(elf: Path, functions: tuple[str, ...]) -> Side:
    image = regions.Image(elf)
    marks, mapped = image.marked(lines.Lines(elf).source), not image.program.base
    if functions:
        return Side(elf, [image.function(n) for n in functions], False, mapped=mapped)
    if marks:
        return Side(elf, marks, True, mapped=mapped)
    if regions.MAIN not in image.program.functions:
        raise UserError(f"{elf.name}: nothing is marked, and there is no main: --measure FUNCTION.")
    return Side(elf, [image.function(regions.MAIN)], False, mapped=mapped)


def _fill(
    place: Path, spec: ProgramSpec, machine: Machine, built: Built, sides: tuple[Side, ...]
) -> None:
    """Images, markers, bounds."""
    place.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(built.pal, place / "pal.elf")
    if spec.pal:
        shutil.copyfile(built.absent_pal, place / PEER_PAL)
    if built.node_json:
        shutil.copyfile(built.node_json, place / "Node.json")
    for node, name in enumerate(NAMES[:1] if spec.alone else NAMES):
        side = sides[node] if node < len(sides) else None
        shutil.copyfile(side.elf if side else built.absent, place / name)
        if side:
            write_markers(place, f"markers.{node}.csv", side, side.regions)
            if text := "" if spec.alone else bounds.text(side.elf, machine):
                (place / GUARDS[node]).write_text(text)
            if spec.checks:
                (place / UNWRITTEN).write_text(bounds.unwritten(side.elf, machine))
    for n, region in enumerate(sides[CLIENT].regions, 1):
        if spec.cold:
            write_markers(place, f"cold-{n}.0.csv", sides[CLIENT], [region])


def write_markers(place: Path, name: str, side: Side, wanted: list[Region]) -> None:
    """Write the file of markers that measures these regions."""
    table = regions.Image(side.elf).table(wanted, side.own)
    (place / name).write_text(regions.text(table))


def _jobs(client: Side, spec: ProgramSpec) -> list[str]:
    """Folders of the simulator runs of the plain layout."""
    cold = [f"cold-{n}" for n in range(1, len(client.regions) + 1) if spec.cold]
    return [".", *([] if client.mapped else [run_jobs.IDEAL]), *cold]


def _options(built: Built, name: str, spec: ProgramSpec) -> list[str]:
    if name == run_jobs.IDEAL:
        return [*_markers(built, "markers"), "--passages", *watching.ideal_logs(spec)]
    return [*_markers(built, "markers", name), "--cold", "--no-oracle"]


def _markers(built: Built, stem: str, client: str = "") -> list[str]:
    words = []
    for node in range(len(built.sides)):
        own = client if client and node == CLIENT else stem
        words += ["--node", f"{node}:markers={own}.{node}.csv"]
    return words


def plain_options(place: Path, built: Built) -> list[str]:
    """Options of the plain run without its logs."""
    checked = (place / UNWRITTEN).exists()
    follows = ["--node", f"{CLIENT}:unwritten={UNWRITTEN}"] if checked else []
    return [*_markers(built, "markers"), *guards(place), *follows]


def guards(place: Path) -> list[str]:
    """Options of a simulator that stop a program that leaves its bounds, where they are known."""
    there = [(node, name) for node, name in enumerate(GUARDS) if (place / name).exists()]
    return [word for node, name in there for word in ("--node", f"{node}:guard={name}")]


def _passed(place: Path, node: int) -> bool:
    """Return true if anything of the machine was measured. A server may measure nothing."""
    return len(measured.file(place, node).read_text().splitlines()) > 1
