# SPDX-License-Identifier: BSD-2-Clause
"""A run spec from the keywords of a Python call."""

import dataclasses
from collections.abc import Iterable
from pathlib import Path

from mcpi.base.errors import UserError, nearest
from mcpi.machine import profile
from mcpi.spec.node_spec import NodeSpec
from mcpi.spec.program_spec import ProgramSpec
from mcpi.spec.run_spec import RunSpec

LISTS = ("defines", "ports", "wire", "measure", "peer", "arguments", "files")


def spec_of(
    machine: str, of: NodeSpec | ProgramSpec | None = None, **given: object
) -> RunSpec | NodeSpec | ProgramSpec:
    """Fields of ``RunSpec``, ``set`` for ``settings``; other names are parameters of the machine,
    ``_`` for each dot. ``of``: the spec of a node or a program that they are laid over.
    UserError for a name that is neither."""
    if "set" in given:
        given = {"settings": given.pop("set"), **given}
    fields = {field.name for field in dataclasses.fields(of or RunSpec)}
    keys = {key.replace(".", "_"): key for key in profile.load(machine).parameters}
    own = {name: given[name] for name in given.keys() & fields}
    settings = {key: _text(value) for key, value in own.pop("settings", {}).items()}
    for name in given.keys() - fields:
        if name not in keys:
            hint = nearest(name, [*fields, "set", *keys])
            raise UserError(f"{name}: no option of a run and no parameter of the machine.{hint}")
        if keys[name] in settings:
            raise UserError(f"{name}: set has {keys[name]} too; give it once.")
        settings[keys[name]] = _text(given[name])
    own |= {name: tuple(map(str, own[name])) for name in LISTS if name in own}
    if of:
        return dataclasses.replace(of, machine=machine, settings=of.settings | settings, **own)
    return RunSpec(machine, settings, **own)


def sources_of(given: str | Path | Iterable[str | Path]) -> tuple[str, ...]:
    """The files of a program: one, or several."""
    return (str(given),) if isinstance(given, (str, Path)) else tuple(map(str, given))


def _text(value: object) -> str:
    """Text of a value, as ``--set`` takes it."""
    return ("off", "on")[value] if isinstance(value, bool) else str(value)
