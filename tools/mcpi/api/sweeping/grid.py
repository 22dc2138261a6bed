# SPDX-License-Identifier: BSD-2-Clause
"""The runs of a sweep: all combinations of what varies, as run specs."""

import dataclasses
import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from mcpi.api.spec_from_kwargs import LISTS, spec_of
from mcpi.base.errors import UserError
from mcpi.base.progress import counted
from mcpi.machine import profile
from mcpi.spec.node_spec import NodeSpec
from mcpi.spec.program_spec import ProgramSpec
from mcpi.spec.run_spec import EXACT, RTL, RunSpec

ENGINES = (EXACT, RTL)
ALWAYS = ("stack", "variant", "machine", "layout", "seed", "engine")
OF_A_NODE = ("program", "machine", "seed", "engine")
MOST = 100_000  # runs; more are a slip
SPECS = {f.name for kind in (RunSpec, NodeSpec, ProgramSpec) for f in dataclasses.fields(kind)} | {
    "program"
}
# Runs of a sweep have one sample, and leave no logs.
NOT_SWEPT = {
    "samples",
    "cold",
    "trace",
    "tick_log",
    "recording",
    "settings",
    "ports",
    "baud",
    "repeat",
    "sources",
}


@dataclass(frozen=True)
class Grid:
    """``axes``: what varies, by column name, with its values in order. ``columns``: what was asked
    for, in the order of the data set: fields of a spec and machine parameters."""

    specs: tuple[RunSpec, ...] | tuple[NodeSpec, ...] | tuple[ProgramSpec, ...]
    axes: dict[str, tuple]
    columns: tuple[str, ...]

    def __str__(self) -> str:
        """2 variants × 3 icache_size × 10 seeds."""
        return product(self.axes) or "one combination"


def product(axes: Mapping[str, tuple]) -> str:
    """The number of values of each axis; a machine parameter keeps its name."""
    named = ("peer_variant", *ALWAYS)
    return " × ".join(
        counted(len(values), name) if name in named else f"{len(values)} {name}"
        for name, values in axes.items()
    )


def of(
    given: Mapping[str, object],
    layouts: int = 0,
    seeds: int = 0,
    node: NodeSpec | ProgramSpec | None = None,
) -> Grid:
    """Each keyword of ``given`` has one value or several (a list, tuple or range): fields of
    ``RunSpec``, machine parameters with ``_`` for each dot, ``set`` for more of them. ``layouts``:
    the usual link order and so many shuffled ones; ``seeds``: 1 to this. ``node``: the spec of a
    node or a program that the keywords are laid over, in the place of ``RunSpec``. UserError
    for a slip."""
    wanted = dict(given)
    usual = node or RunSpec()
    machine = _values("machine", wanted.get("machine", usual.machine))[0]
    if node and (layouts or "layout" in wanted):
        raise UserError(f"layout: the image of {node.title} has one link order here; leave it out.")
    for key, value in dict(wanted.pop("set", {})).items():
        name = key.replace(".", "_")
        if key not in profile.load(machine).parameters:
            profile.load(machine, {key: ""})  # says what is wrong
        if name in wanted:
            raise UserError(f"{key} is given twice; give it once.")
        wanted[name] = value
    for name, count, values in (
        ("layout", layouts, ["default", *(f"shuffle-{n}" for n in range(1, layouts + 1))]),
        ("seed", seeds, range(1, seeds + 1)),
    ):
        if count and name in wanted:
            raise UserError(f"{name} and {name}s contradict each other; give one of them.")
        if count:
            wanted[name] = values
    if wrong := NOT_SWEPT & wanted.keys():
        raise UserError(f"{sorted(wrong)[0]}: no option of a sweep.")
    values = {name: _values(name, value) for name, value in wanted.items()}
    if wrong := [e for e in values.setdefault("engine", (usual.engine,)) if e not in ENGINES]:
        raise UserError(f"engine {wrong[0]}: a sweep runs on {' or '.join(ENGINES)}.")
    total = 1
    for some in values.values():
        total *= len(some)
    if total > MOST:
        raise UserError(f"{total:,} runs; a sweep has {MOST:,} at most. Give fewer values.")
    specs = []
    for one in itertools.product(*values.values()):
        named = dict(zip(values, one))
        specs.append(spec_of(**{"machine": machine, "of": node, **named}))
    return Grid(
        tuple(specs),
        {name: some for name, some in values.items() if len(some) > 1},
        tuple(dict.fromkeys((*(OF_A_NODE if node else ALWAYS), *values))),
    )


def _values(name: str, given: object) -> tuple:
    is_many = isinstance(given, Iterable) and not isinstance(given, str)
    if is_many and name in LISTS:  # lists themselves: one value
        given = [tuple(given)]
    found = tuple(given) if is_many else (given,)
    if not found:
        raise UserError(f"{name}: no value; give one or more.")
    if len(set(found)) < len(found):
        raise UserError(f"{name}: a value is given twice; give each once.")
    return found
