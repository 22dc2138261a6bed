# SPDX-License-Identifier: BSD-2-Clause
"""Bitstreams of a release: those that ``./mcpi board build`` made of the commit's Verilog, each
with its record; and the choice of a bitstream for ``./mcpi board load --release``."""

import hashlib
import json
import shutil
import tarfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from mcpi.base.errors import UserError
from mcpi.base.repo import BUILD
from mcpi.fpga import builds, machine_sizes, place_route
from mcpi.machine import boards, profile
from mcpi.machine.boards import Board
from mcpi.releasing import archive
from mcpi.releasing.commit import Commit

END, SUMS = "-bitstreams.tar.gz", "SHA256SUMS"


def built() -> tuple[dict[Path, dict], dict[str, str]]:
    """The records of the bitstreams that ``build/boards`` has of this Verilog, by bitstream; and
    each bitstream that is missing there, with the reason."""
    tried = {}
    for path, said in builds.records(BUILD):
        key = (said["board"], said["machine"], tuple(sorted(said["settings"].items())))
        if builds.bitstream(path).is_file():
            tried.setdefault(key, []).append(path.parent)
    wanted = dict.fromkeys(
        [*((name, machine_sizes.USUAL, ()) for name in boards.names()), *sorted(tried)]
    )
    found, missing = {}, {}
    for board, machine, settings in wanted:
        words = "".join(f" --set {key}={value}" for key, value in settings)
        typed = f"`./mcpi board build {board} --machine {machine}{words}` makes it."
        name = f"bitstream of {named(board, machine, dict(settings))}"
        folders = tried.get((board, machine, settings), [])
        if not folders:
            missing[name] = f"`build/boards` has none; {typed}"
            continue
        model = boards.load(board)
        place = place_route.place(model, place_route.elaborate(model, machine, dict(settings)))
        if place not in folders:
            missing[name] = f"`build/boards` has some of other Verilog; {typed}"
            continue
        record = place / builds.RECORD
        found[builds.bitstream(record)] = json.loads(record.read_text())
    return found, missing


def named(board: str, machine: str, settings: Mapping[str, str]) -> str:
    return ", ".join([board, machine, *(f"{key}={value}" for key, value in settings.items())])


def write(out: Path, place: Path, commit: Commit) -> tuple[str, dict[str, str]]:
    """Write the archive, made in the empty folder ``place``, unless there is no bitstream. Returns
    a line on what it has, and what is missing with the reason."""
    found, missing = built()
    for bits, said in found.items():
        there = place / bits.parent.name
        there.mkdir()
        shutil.copy(bits, there)
        (there / builds.RECORD).write_text(json.dumps(recorded(bits, said, commit), indent=1))
    if found:
        top = out.name.removesuffix(".tar.gz")
        archive.write(out, top, archive.folder(place), commit.seconds)
    has = "; ".join(
        f"{named(said['board'], said['machine'], said['settings'])}: RTL {said['rtl_digest']}"
        for said in found.values()
    )
    return has, missing


def recorded(bits: Path, said: Mapping, commit: Commit) -> dict:
    """The record in the archive: without folders of this computer, with the digest of the bitstream
    and all that shapes the machine."""
    machine = profile.load(said["machine"], said["settings"])
    return {
        **said,
        "bitstream": bits.name,
        "sha256": hashlib.sha256(bits.read_bytes()).hexdigest(),
        "settings": machine.shape,
        "parameters": machine.selected("elaborate"),
        "commit": commit.name,
    }


def choose(
    release: Path, board: Board, machine: str, settings: dict[str, str]
) -> tuple[str, bytes, dict]:
    """Name and bytes of the bitstream for ``board`` and a machine, and its record, from a release's
    folder or its archive of bitstreams. UserError unless all digests and the machine fit."""
    wanted = profile.load(machine, settings)
    held = {}
    for at, said, read in _records(_archive(release)):
        key = (said["board"], said["machine"], tuple(sorted(said["settings"].items())))
        held[key] = at, said, read
    key = (board.name, machine, tuple(sorted(wanted.shape.items())))
    if key not in held:
        has = "; ".join(named(name, of, dict(rest)) for name, of, rest in sorted(held))
        raise UserError(
            f"--release {release}: has no bitstream for {named(board.name, machine, wanted.shape)}."
            f" It has: {has or 'none'}. To build one, type: ./mcpi board build {board.name}"
        )
    at, said, bits = held[key]
    if bits is None or hashlib.sha256(bits).hexdigest() != said["sha256"]:
        raise UserError(
            f"--release {release}: {at}/{said['bitstream']} is missing, or is not the bitstream of "
            f"{builds.RECORD} (sha256 {said['sha256'][:16]}). Get the release again."
        )
    ours = {key: json.loads(json.dumps(v)) for key, v in wanted.selected("elaborate").items()}
    for name in sorted(ours.keys() | said["parameters"].keys()):
        there, here = said["parameters"].get(name), ours.get(name)
        if there != here:
            raise UserError(
                f"--release {release}: machine {machine} is another one there: {name} is {there}, "
                f"in this checkout {here}. Check out commit {said['commit']}, which the release is "
                "of."
            )
    return said["bitstream"], bits, said


def _archive(release: Path) -> Path:
    """The archive of bitstreams that ``release`` is or has, with the digest of SHA256SUMS."""
    if release.is_file():
        return release
    if not release.is_dir():
        raise UserError(f"--release {release}: no such folder or archive.")
    sums = release / SUMS
    if not sums.is_file():
        raise UserError(f"--release {release}: is no release, which has a file {SUMS}.")
    lines = dict(line.split("  ", 1)[::-1] for line in sums.read_text().splitlines() if line)
    names = [name for name in lines if name.endswith(END)]
    if not names:
        raise UserError(
            f"--release {release}: the release has no bitstreams; its README.md says why."
        )
    file = release / names[0]
    if not file.is_file():
        raise UserError(f"--release {release}: {file.name}, which {SUMS} names, is missing.")
    found = hashlib.sha256(file.read_bytes()).hexdigest()
    if found != lines[names[0]]:
        raise UserError(
            f"--release {release}: {file.name} is damaged: its SHA-256 is {found[:16]}…, and "
            f"{SUMS} has {lines[names[0]][:16]}…. Get the file again."
        )
    return file


def _records(file: Path) -> Iterator[tuple[str, dict, bytes | None]]:
    """Folder, record and bitstream of each bitstream of an archive."""
    wrong = UserError(f"--release {file}: is no archive of bitstreams of a release.")
    try:
        with tarfile.open(file, "r:gz") as tar:
            files = {one.name: tar.extractfile(one).read() for one in tar if one.isfile()}
        for name, data in files.items():
            folder, _, last = name.rpartition("/")
            if last == builds.RECORD:
                said = json.loads(data)
                fields = ("board", "machine", "settings", "sha256", "parameters", "commit")
                if any(field not in said for field in fields):
                    raise wrong
                yield folder, said, files.get(f"{folder}/{said['bitstream']}")
    except (tarfile.TarError, OSError, EOFError, ValueError, KeyError):
        raise wrong from None
