# SPDX-License-Identifier: BSD-2-Clause
"""The folder of a run, complete before anything runs."""

import dataclasses
import json
from pathlib import Path

from mcpi.base import staging
from mcpi.base.progress import Bar
from mcpi.build import graph, stretches
from mcpi.firmware import allocators, elf
from mcpi.machine.profile import Machine
from mcpi.spec import watching
from mcpi.spec.node_spec import CALLED, SCRIPT, NodeImage, NodeSpec
from mcpi.spec.numbers import SERVER, SIDES
from mcpi.spec.program_spec import ProgramSpec
from mcpi.spec.run_jobs import IDEAL, Job, jobs
from mcpi.spec.run_spec import RunSpec
from mcpi.spec.spec import Spec

SPEC_FILE = "spec.json"


def build(place: Path, spec: RunSpec | NodeSpec, machine: Machine, bar: Bar) -> graph.Built:
    """Build what changed, then ``prepare``."""
    built = graph.build(spec, machine, bar)
    prepare(place, spec, machine, built)
    return built


def prepare(
    place: Path,
    spec: RunSpec | NodeSpec,
    machine: Machine,
    built: graph.Built,
    wanted: list[Job] | None = None,
) -> None:
    """Everything the run depends on, so that a later build cannot change it.

    ``wanted``: the simulator runs that need a folder; all of the spec's, if not given.
    """
    sources = {"image.elf": built.image, "pal.elf": built.pal, **built.programs}
    if built.node_json:
        sources["Node.json"] = built.node_json
    if built.peer:
        sources["peer.elf"] = built.peer
    for name, image in (("image", built.image), ("peer", built.peer)):
        if image and (copies := image.with_suffix(".json")).is_file():
            sources[f"{name}.json"] = copies  # where the cloner's copies lie
    if isinstance(spec, NodeSpec) and spec.script:
        sources[SCRIPT] = Path(spec.script)
    # Read before the folder is emptied: the image may be the one of an earlier run in it.
    kept = {name: file.read_bytes() for name, file in sources.items()}
    place.mkdir(parents=True, exist_ok=True)
    staging.empty(place)
    write_spec(place, spec)
    for name, content in kept.items():
        (place / name).write_bytes(content)
    if isinstance(spec, NodeSpec) and spec.calls:
        files = [place / name for name in ("image.elf", *built.programs)]
        found = elf.functions(files, spec.calls)
        lines = (f"{found[name] & elf.PHYSICAL:#x}\n" for name in spec.calls)
        (place / CALLED).write_text("".join(lines))
    if watching.heap_of(spec):
        write_allocators(place, spec)
    all_ = wanted or jobs(spec)
    if any(job.stretches for job in all_) and (lines := stretches.markers(place / "image.elf")):
        (place / stretches.FILE).write_text(lines)
    for job in all_:
        own = machine.ideal if job.memory == IDEAL else machine
        graph.write(place / job.folder / "machine.json", own.to_json())


def write_allocators(place: Path, spec: Spec) -> None:
    """Where the heap of a side is followed."""
    peer = place / "peer.elf"
    server = SIDES[watching.heap_of(spec)] == SERVER and peer.exists()
    allocators.write(peer if server else place / "image.elf", place / watching.ALLOCATORS)


def read_spec(folder: Path) -> Spec:
    """The spec that ``write_spec`` has left. OSError, ValueError or TypeError if there is none of
    this release."""
    fields = json.loads((folder / SPEC_FILE).read_text())
    kind = ProgramSpec if "sources" in fields else NodeSpec if "images" in fields else RunSpec
    lists = {key: tuple(value) for key, value in fields.items() if isinstance(value, list)}
    if kind is NodeSpec:
        images = (NodeImage(i["name"], tuple(i["switches"])) for i in fields["images"])
        lists |= {"images": tuple(images)}
    return kind(**fields | lists)


def number(folder: Path, side: str) -> int:
    """The number of ``side`` in the files of the run in ``folder``: of a program on several cores
    that of the core that was asked for."""
    file = folder / SPEC_FILE
    core = json.loads(file.read_text()).get("core", 0) if file.is_file() else 0
    return core or SIDES[side]


def write_spec(place: Path, spec: Spec) -> None:
    """Write ``spec.json``, by which a folder is known to be a run's."""
    graph.write(place / SPEC_FILE, json.dumps(dataclasses.asdict(spec), indent=1) + "\n")
