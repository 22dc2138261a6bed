# SPDX-License-Identifier: BSD-2-Clause
"""Every simulator run once: what has ended is kept under a digest of all that went into it."""

import functools
import hashlib
import os
import shutil
from collections.abc import Callable
from pathlib import Path

from elftools.elf.elffile import ELFFile

from mcpi.base import reuse, staging
from mcpi.base.repo import BUILD

ELF = b"\x7fELF"
# Another folder for the processes of a test.
KEPT = Path(os.environ.get("MCPI_KEPT", BUILD / "runs"))
# Files that a run leaves; `machine.json` and the rest of its folder were there before it.
LEFT = ("events.csv", "stamps.csv", "counters.json", "wire.pcap", "run.json", "command.txt")
LEFT += ("stderr.txt", "console.0.txt", "console.1.txt", "cold_trace.csv", "replay.json")
LEFT += ("oracle.json", "ticks.csv", "misses.0.csv", "misses.1.csv")
# A node's run also leaves passages of a window, functions that are entered, and evictions.
LEFT += ("passages.0.csv", "passages.1.csv", "calls.0.csv", "evictions.0.csv", "console.txt")
STREAMS = ("spells.0.csv", "spells.1.csv", "lance.0.csv", "lance.1.csv")
LEFT += ("locks.json", *STREAMS)
# Names that they and the other long files have if they are compressed.
PACKED = tuple(f"{name}.gz" for name in (*STREAMS, "events.csv", "stamps.csv", "wire.pcap"))
LEFT += PACKED
Version = tuple[int, ...]
_images: dict[str, str] = {}  # digests of images by those of their files


def key(words: list[str], place: Path) -> str:
    """Digest of a simulator's command line: its files by content, its outputs left out.

    ``words``: as of ``simulate.command``; ``place``: where its relative paths begin.
    """
    said, skipped = [], {"--out", "--reproduce"}
    for before, word in zip(["", *words], words, strict=False):
        if before in skipped or word in skipped:
            continue
        head, _, name = word.rpartition("=")
        path = place / name
        said.append(f"{head}={digest(path)}" if path.is_file() else word)
    return hashlib.sha256("\0".join(said).encode()).hexdigest()[:24]


def digest(path: Path) -> str:
    """Digest of a file's content. Lines of source in an image do not count, as a comment moves
    them. A file is read once as long as it is the same."""
    return _digest_of(path, _version(path))


def _version(path: Path) -> Version:
    """The same as long as it is the same file."""
    about = path.stat()
    return about.st_ino, about.st_size, about.st_mtime_ns, about.st_ctime_ns


@functools.cache
def _digest_of(path: Path, version: Version) -> str:
    content = _content(path, version)
    with path.open("rb") as stream:
        if path.suffix != ".elf" or stream.read(len(ELF)) != ELF:
            return content
        if content not in _images:  # many runs have copies of one image
            _images[content] = _image(ELFFile(stream))
    return _images[content]


@functools.cache
def _content(path: Path, _: Version) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _image(elf: ELFFile) -> str:
    found = hashlib.sha256(str(elf["e_entry"]).encode())
    parts = [(f"{s['p_vaddr']:x} {s['p_memsz']:x}", s.data()) for s in elf.iter_segments()]
    kept = (s for s in elf.iter_sections() if ".debug" not in s.name)
    parts += [(f"{s.name} {s['sh_addr']:x}", s.data()) for s in kept]
    for where, content in parts:
        found.update(f"{where} {len(content)}\0".encode() + content)
    return found.hexdigest()


def once(words: list[str], place: Path, folder: str, simulate: Callable[[], None]) -> bool:
    """Put the files of this run into ``place/folder``; True if it ran, False if it was kept."""
    kept = KEPT / key(words, place)
    reuse.note("runs", kept.is_dir())
    if kept.is_dir():
        os.utime(kept)
        _copy(kept, place / folder)
        return False
    simulate()
    put(words, place, folder)
    return True


def put(words: list[str], place: Path, folder: str) -> None:
    """Keep the files of this run, which has ended in ``place/folder``."""
    kept = KEPT / key(words, place)
    stage = staging.sibling(kept)
    stage.mkdir(parents=True)
    _copy(place / folder, stage)
    try:
        stage.rename(kept)
    except OSError:  # another mcpi was faster with the same run
        shutil.rmtree(stage)


def lasting(path: Path) -> Path:
    """A copy of a program or an image that no other build changes, and of what lies next to it
    about its copies; named by both."""
    parts = [p for p in (path, path.with_suffix(".json")) if p.is_file()]
    both = "".join(_content(p, _version(p)) for p in parts)
    name = f"{path.stem}-{hashlib.sha256(both.encode()).hexdigest()[:24]}"
    kept = KEPT / "built"
    kept.mkdir(parents=True, exist_ok=True)
    for part in reversed(parts):
        target = kept / f"{name}{part.suffix}"
        if not target.is_file():
            staging.write(target, part.read_bytes(), part.stat().st_mode)
    return target


def result(key: str) -> Path:
    """Where the ``result.json`` of a whole run is kept, under a key of one's own."""
    return KEPT / f"{key}.json"


def put_result(key: str, text: str) -> None:
    """Keep it."""
    staging.write(result(key), text)


def _copy(source: Path, target: Path) -> None:
    for name in LEFT:
        (target / name).unlink(missing_ok=True)
        if (source / name).is_file():
            shutil.copyfile(source / name, target / name)
