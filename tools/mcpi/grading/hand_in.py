# SPDX-License-Identifier: BSD-2-Clause
"""A hand-in: a file, or a folder with the files that the lab names.

The files are copied to a folder of ``build/`` under the lab's names, so that a result does not
depend on what a file was called, or on where it lay.
"""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from mcpi.base.errors import UserError
from mcpi.base.repo import BUILD
from mcpi.grading.lab import MACHINE, SOURCE, Lab, Rules, at_most
from mcpi.machine import profile

ROOM = "hand-ins"  # of build/
LARGEST = 1 << 20  # bytes of a file


@dataclass(frozen=True)
class HandIn:
    """``files``: the copies, by the lab's names."""

    folder: Path
    files: dict[str, Path]


def read(lab: Lab, place: Path) -> HandIn:
    """Copy a hand-in. UserError if it is not what the lab asks for."""
    content = {name: _content(lab, place, name) for name in lab.files}
    return _copied(lab, content)


def reference(lab: Lab) -> HandIn:
    """The lab's own sources in the place of a hand-in."""
    names = [name for name, role in lab.files.items() if role == SOURCE]
    files = [lab.folder / name for name in lab.reference]
    return _copied(lab, {n: f.read_bytes() for n, f in zip(names, files, strict=True)})


def _content(lab: Lab, place: Path, name: str) -> bytes:
    if not place.exists():
        raise UserError(f"{place}: no such file or folder.")
    if place.is_dir():
        file = place / name
        if not file.is_file():
            raise UserError(f"{name} is missing in the hand-in.")
    elif len(lab.files) > 1:
        raise UserError(f"a folder with {', '.join(lab.files)} is wanted, and this is a file.")
    else:
        file = place
    try:
        if file.stat().st_size > LARGEST:
            raise UserError(f"{name} has more than {LARGEST >> 20} MB.")
        return file.read_bytes()
    except OSError as error:
        raise UserError(f"{name} cannot be read: {error.strerror}.") from None


def _copied(lab: Lab, content: dict[str, bytes]) -> HandIn:
    own = {file.name: file.read_bytes() for file in _own(lab)}
    text = repr(sorted((content | own).items())).encode()
    folder = BUILD / ROOM / hashlib.sha256(text).hexdigest()[:16]
    folder.mkdir(parents=True, exist_ok=True)
    for file, data in (content | own).items():
        if not (folder / file).exists() or (folder / file).read_bytes() != data:
            (folder / file).write_bytes(data)
    return HandIn(folder, {file: folder / file for file in content})


def _own(lab: Lab) -> list[Path]:
    """Sources of the lab that include what is handed in."""
    names = [row["image"] for row in lab.run if str(row.get("image", "")).endswith(".c")]
    return [lab.folder / name for name in names]


def check_machine(lab: Lab, handed: HandIn) -> None:
    """UserError for a machine that breaks the lab's rules."""
    for name, role in lab.files.items():
        if role == MACHINE and lab.machine:
            _check_machine(lab.machine, handed.files[name])


def _check_machine(rules: Rules, file: Path) -> None:
    try:
        given = profile.load(str(file)).parameters
    except UserError as error:
        raise UserError(str(error).replace(f"{file.parent}/", "")) from None
    base = profile.load(rules.base).parameters
    for key in sorted(given.keys() | base.keys()):
        if given.get(key) != base.get(key) and key not in rules.may_change:
            raise UserError(
                f"{file.name}: {key} = {given.get(key)}, and {rules.base} has {base.get(key)}. "
                f"This lab lets you change {', '.join(rules.may_change)}."
            )
    for limit in rules.limit:
        most, found = at_most(rules, limit), sum(given[key] for key in limit.parameters)
        if found > most:
            together = " + ".join(limit.parameters)
            raise UserError(f"{file.name}: {together} = {found:,}; at most {most:,} is allowed.")
