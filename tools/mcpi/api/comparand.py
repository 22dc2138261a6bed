# SPDX-License-Identifier: BSD-2-Clause
"""Comparands that a word of ``./mcpi compare`` names: a result folder, else a variant, else a
machine."""

import dataclasses
from dataclasses import dataclass
from pathlib import Path

from mcpi.base.errors import UserError, nearest
from mcpi.firmware import recipes
from mcpi.machine import profile
from mcpi.spec import run_spec
from mcpi.spec.program_spec import SOURCES, ProgramSpec
from mcpi.spec.run_spec import RunSpec

FOLDER, VARIANT, MACHINE, RUN = "folder", "variant", "machine", "run"  # RUN: of this process
SOURCE = "source"
RECORD = "result.json"


@dataclass(frozen=True)
class Comparand:
    """``kind``: what the word names. A folder has an earlier run, the others a ``spec`` to run."""

    title: str
    kind: str
    spec: RunSpec | ProgramSpec | None = None
    folder: Path | None = None


def of(word: str, usual: RunSpec) -> Comparand:
    """The comparand that ``word`` names: NAME, or NAME,KEY=VALUE,… with machine parameters of its
    own, which are laid over ``usual``. UserError for a word that names nothing, or more than one
    thing."""
    if Path(word, RECORD).is_file() and not _is_name(word):
        return Comparand(word, FOLDER, folder=Path(word))
    name, *settings = word.split(",")
    if Path(name).suffix in SOURCES and Path(name).is_file():
        own = run_spec.settings(settings)
        if twice := sorted(own.keys() & usual.settings.keys()):
            raise UserError(f"{word}: --set {twice[0]} is given too; give it once.")
        spec = ProgramSpec(
            (name,), machine=usual.machine, settings={**usual.settings, **own}, engine=usual.engine
        )
        spec = dataclasses.replace(spec, defines=usual.defines, seed=usual.seed)
        return Comparand(word, SOURCE, spec)
    kinds = _kinds(name)
    if not kinds:
        raise UserError(_nothing(name))
    if len(kinds) > 1:
        raise UserError(_both(name, kinds))
    if kinds == [FOLDER]:
        if settings:
            raise UserError(f"{word}: {name} is a finished run; leave {settings[0]} out.")
        return Comparand(name, FOLDER, folder=Path(name))
    own = run_spec.settings(settings)
    if twice := sorted(own.keys() & usual.settings.keys()):
        raise UserError(f"{word}: --set {twice[0]} is given too; give it once.")
    changed = {"settings": {**usual.settings, **own}, kinds[0]: name}
    return Comparand(word, kinds[0], dataclasses.replace(usual, **changed))


def _is_name(word: str) -> bool:
    """Return true if ``word`` can name a variant or machine, as it is no path."""
    return Path(word).name == word


def _kinds(name: str) -> list[str]:
    if not _is_name(name):
        machine = name.endswith(".toml") and Path(name).is_file()
        return [MACHINE] if machine else [FOLDER] if Path(name, RECORD).is_file() else []
    there = {
        FOLDER: Path(name, RECORD).is_file(),
        VARIANT: name in recipes.variants(),
        MACHINE: name in profile.names() or name.endswith(".toml") and Path(name).is_file(),
    }
    return [kind for kind, found in there.items() if found]


def _both(name: str, kinds: list[str]) -> str:
    ways = {
        FOLDER: f"./{name} is the folder",
        VARIANT: f"the variant is compared with --variant {name}, its machine as A or B",
        MACHINE: f"machines/{name}.toml is the machine",
    }
    if kinds[0] == FOLDER:
        ways[VARIANT] = "for the variant, start in another folder"
    said = "; ".join(ways[kind] for kind in kinds)
    return f"{name} is a {' and a '.join(kinds)}: {said}."


def _nothing(name: str) -> str:
    if Path(name).is_dir():
        return f"{name}: no {RECORD} in it; it is no finished run's folder."
    variants, machines = recipes.variants(), profile.names()
    hint = nearest(name, [*variants, *machines])
    return (
        f"{name}: no result folder, no variant ({', '.join(variants)}) and no machine "
        f"({', '.join(machines)}).{hint}"
    )
