# SPDX-License-Identifier: BSD-2-Clause
"""A lab: ``lab.toml``, which says what is handed in, what runs, and what earns points."""

import dataclasses
import tomllib
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from mcpi.api.spec_from_kwargs import spec_of
from mcpi.base.errors import UserError, nearest
from mcpi.firmware import protocol_graph
from mcpi.machine import profile
from mcpi.spec.node_spec import NodeImage, NodeSpec
from mcpi.spec.program_spec import ProgramSpec
from mcpi.spec.run_spec import RunSpec
from mcpi.spec.spec import Spec

SOURCE, MACHINE, LAYOUT = ROLES = ("source", "machine", "layout")
HOST, REFERENCE = "host", "reference"
# Keys of [[run]] that are no fields of a spec.
PROGRAM = "program"  # sources without those that are handed in
OWN = ("name", PROGRAM, "sources", "image", "switches", "fields", "stack", "machine")
Number = int | float


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Condition that earns ``points``: ``run`` ends well; or it prints ``output``; or a
    ``value`` of its record (of ``place``), or a ``counter`` of the whole run, is in its bounds.
    ``needs``: parts without whose points there are none here."""

    name: Annotated[str, Meta(min_length=1)]
    points: Annotated[float, Meta(gt=0)]
    run: str
    output: str = ""
    place: str = ""
    value: str = ""
    counter: str = ""
    at_most: Number | None = None
    at_least: Number | None = None
    needs: tuple[str, ...] = ()


class Limit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The most that ``parameters`` of a machine that is handed in may be together."""

    parameters: tuple[str, ...]
    at_most: Number | str


class Rules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Rules for a machine that is handed in: only parameters of ``may_change`` differ from
    ``base``."""

    base: str
    may_change: tuple[str, ...]
    limit: tuple[Limit, ...] = ()


class Lab(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``files``: what is handed in, by name, and what each file is. ``reference``: sources that
    take the place of those that are handed in, when an output is compared with theirs."""

    title: str
    files: dict[str, Literal["source", "machine", "layout"]]
    run: tuple[dict[str, object], ...]
    part: tuple[Part, ...]
    reference: tuple[str, ...] = ()
    machine: Rules | None = None
    folder: Path = Path()

    @property
    def points(self) -> float:
        return sum(part.points for part in self.part)

    @property
    def base(self) -> str:
        """The machine of a run that names none, if no machine is handed in."""
        return self.machine.base if self.machine else RunSpec.machine

    def row(self, name: str) -> dict[str, object]:
        """The run of this name."""
        return next(row for row in self.run if row["name"] == name)

    def spec(self, name: str, given: dict[str, Path]) -> Spec:
        """The spec of a run with the files of a hand-in, by name. UserError for a slip."""
        row = self.row(name)
        there = [(given[name], role) for name, role in self.files.items() if name in given]
        handed = {role: [file for file, own in there if own == role] for role in ROLES}
        own = {key: value for key, value in row.items() if key not in OWN}
        machine = str(row.get("machine") or next(iter(handed[MACHINE]), self.base))
        for key in ("stdin", "files", "peer"):
            if key in own:
                own[key] = self._paths(own[key])
        if "image" in row:
            return spec_of(machine, _node(self, row, handed[SOURCE]), **own)
        if "stack" in row:
            own |= {"layout": str(handed[LAYOUT][0])} if handed[LAYOUT] else {}
            stack = str(row["stack"])
            graph = protocol_graph.is_own(stack)
            return spec_of(machine, stack=self._paths(stack) if graph else stack, **own)
        with_hand_in = [] if PROGRAM in row else handed[SOURCE]
        files = self._paths(row.get(PROGRAM, row.get("sources", [])))
        sources = [*files, *map(str, with_hand_in)]
        return spec_of(machine, ProgramSpec(tuple(sources)), **own)

    def _paths(self, names: object) -> object:
        if isinstance(names, str):
            return str(self.folder / names)
        return [str(self.folder / name) for name in names]


def read(path: Path) -> Lab:
    """The lab in a file, every name in it looked up. UserError for a slip."""
    try:
        found = msgspec.convert(tomllib.loads(path.read_text()), Lab)
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}; a lab.toml is wanted.") from None
    except (msgspec.ValidationError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: {error}. docs/how-to/grade.md has the form.") from None
    found = msgspec.structs.replace(found, folder=path.resolve().parent)
    try:
        _check(found)
    except UserError as error:
        raise UserError(f"{path}: {error}") from None
    return found


def _check(lab: Lab) -> None:
    if not lab.files or not lab.part:
        raise UserError("files and at least one [[part]] are wanted.")
    if any("/" in name for name in lab.files):
        raise UserError("files: names without folders are wanted.")
    if (MACHINE in lab.files.values()) != bool(lab.machine):
        raise UserError("[machine], with base and may_change, belongs to a file that is a machine.")
    runs = [str(row.get("name", "")) for row in lab.run]
    for kind, names in (("run", runs), ("part", [part.name for part in lab.part])):
        if len(set(names)) < len(names) or "" in names:
            raise UserError(f"each [[{kind}]] wants a name of its own.")
    for row in lab.run:
        _check_run(lab, row)
    before: list[str] = []
    for part in lab.part:
        _check_part(lab, part, runs, before)
        before.append(part.name)
    for limit in lab.machine.limit if lab.machine else ():
        at_most(lab.machine, limit)


def _check_run(lab: Lab, row: dict[str, object]) -> None:
    kinds = {"image": NodeSpec, "stack": RunSpec}
    kind = next((kinds[key] for key in kinds if key in row), ProgramSpec)
    fields = {field.name for field in dataclasses.fields(kind)} - {"engine"}
    known = {*fields, "name", "set", "machine"}
    known |= {"image", "switches"} if "image" in row else set()
    known |= {PROGRAM} if kind is ProgramSpec else set()
    for key in row:
        if key not in known or key in ("settings", "images"):
            raise UserError(f"run {row['name']}: {key} is not known.{nearest(key, known)}")
    for key in (PROGRAM, "sources", "stdin", "files", "peer"):
        names = row.get(key, [])
        for name in [names] if isinstance(names, str) else names:
            if not (lab.folder / name).is_file():
                raise UserError(f"run {row['name']}: {key}: {lab.folder / name} is not there.")
    profile.load(
        str(row.get("machine", lab.base)),
        {key: str(value) for key, value in row.get("set", {}).items()},
    )


def _check_part(lab: Lab, part: Part, runs: list[str], before: list[str]) -> None:
    where = f"part {part.name}:"
    if part.run not in runs:
        raise UserError(f"{where} no run {part.run}.{nearest(part.run, runs)}")
    for name in part.needs:
        if name not in before:
            raise UserError(f"{where} needs {name}, which is no earlier part.")
    if sum(map(bool, (part.output, part.value, part.counter))) > 1:
        raise UserError(f"{where} one of output, value and counter is wanted.")
    bounds = part.at_most is not None or part.at_least is not None
    if bounds != bool(part.value or part.counter):
        raise UserError(f"{where} value or counter goes with at_most or at_least.")
    if part.place and not part.value:
        raise UserError(f"{where} place goes with value.")
    if part.output in (HOST, REFERENCE):
        if not lab.reference:
            raise UserError(f'{where} output = "{part.output}" wants reference, the right sources.')
        for name in lab.reference:
            if not (lab.folder / name).is_file():
                raise UserError(f"reference: {lab.folder / name} is not there.")
            if name in lab.files:
                raise UserError(f"reference: students change {name}; name a file of its own.")
    elif part.output and not (lab.folder / part.output).is_file():
        raise UserError(
            f"{where} output: {lab.folder / part.output} is not there; a file, "
            f"{REFERENCE} or {HOST} is wanted."
        )


def at_most(rules: Rules, limit: Limit) -> Number:
    """The most of a limit, in the parameters' unit. UserError for a slip."""
    base = profile.load(rules.base)
    for key in limit.parameters:
        if not isinstance(base.parameters.get(key), int):
            hint = nearest(key, base.parameters)
            raise UserError(f"limit: {key} is no number of {rules.base}.{hint}")
    if not isinstance(limit.at_most, str):
        return limit.at_most
    return profile.load(rules.base, {limit.parameters[0]: limit.at_most}).parameters[
        limit.parameters[0]
    ]


def _node(lab: Lab, row: dict[str, object], sources: list[Path]) -> NodeSpec:
    """The node of a run: ``image`` names what there is, or is a source that includes the files
    that are handed in."""
    names = [row["image"]] if isinstance(row["image"], str) else row["image"]
    switches = tuple(map(str, row.get("switches", ())))
    images = []
    for number, name in enumerate(names):
        own = str(sources[0].parent / name) if name.endswith(".c") else name
        images.append(NodeImage(own, () if number else switches))
    return NodeSpec("", tuple(images), fields=dict(row.get("fields", {})))
