# SPDX-License-Identifier: BSD-2-Clause
"""Raw run folders of each study, small and checked in.

``./mcpi python -m verify.second_hand.fixtures [STUDY...]`` makes them, each time the same bytes. An
archive of ``fixtures/`` has the folders of some experiments. Of an image it has the symbols.
"""

import io
import json
import lzma
import re
import shutil
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from mcpi.base.process import heard
from mcpi.base.progress import Bar
from mcpi.base.repo import BUILD
from mcpi.batch import perform, repeat
from mcpi.batch.plan import Experiment
from mcpi.firmware.commands import PREFIX
from mcpi.spec import run_jobs
from mcpi.spec.node_spec import CALLED, SCRIPT
from mcpi.spec.run_spec import RTL, RunSpec
from verify.second_hand.fixture_plan import FIXTURES, Fixture

HERE = Path(__file__).with_name("fixtures")
RUNS = BUILD / "second-hand"
MOST_EACH, MOST = 300_000, 3_000_000  # bytes
# Files that tables are made of.
KEPT = ("events.csv", "stamps.csv", "counters.json", "wire.pcap", "cold_trace.csv", "replay.json")
KEPT += ("passages.0.csv", "evictions.0.csv", "calls.0.csv", "console.0.txt", "console.txt")
KEPT += ("spells.0.csv", "spells.1.csv", "lance.0.csv", "lance.1.csv")
KEPT += ("oracle.json", "locks.json", SCRIPT, CALLED, "image.elf", "run.json")
KEPT += ("mach_server.elf", "first_program.elf")


def made(name: str, jobs: int, out: Path) -> list[Experiment]:
    """Run a study's fixtures in the folder ``runs`` of ``out``; returns their experiments."""
    return run(FIXTURES[name], name, jobs, out)


def run(fixture: Fixture, name: str, jobs: int, out: Path) -> list[Experiment]:
    """The same of what ``fixture`` wants."""
    root, wanted = out / repeat.RUNS, fixture.planned(name)
    with Bar() as bar:
        perform.perform(perform.build(wanted, root, bar), jobs, bar)
        while more := fixture.more(name, root, wanted):
            perform.perform(perform.build(more, root, bar), jobs, bar)
            wanted += more
        again = [e for e in wanted if e.name in fixture.oracles]
        again = [repeat.on_rtl(replace(e, jobs=e.jobs[:1])) for e in again]
        perform.perform(perform.build(again, out / RTL, bar), jobs, bar)
    if again:
        repeat.compared(again, wanted, out)
    return wanted


def packed(name: str, wanted: list[Experiment], root: Path) -> dict[str, bytes]:
    """The archives of a study by name, from the folders of its runs."""
    groups: dict[str, list[Experiment]] = {}
    for e in wanted:
        groups.setdefault(FIXTURES[name].group(e), []).append(e)
    return {group: _archive(own, root, FIXTURES[name]) for group, own in groups.items()}


def _archive(wanted: list[Experiment], root: Path, fixture: Fixture) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        # Files of one name follow each other: they are alike.
        for path, content in sorted(_files(wanted, root, fixture), key=_name):
            about = tarfile.TarInfo(str(path))
            about.size = len(content)
            tar.addfile(about, io.BytesIO(content))
    return lzma.compress(out.getvalue(), preset=9 | lzma.PRESET_EXTREME)


def _name(file: tuple[Path, bytes]) -> tuple[str, str]:
    return file[0].name, str(file[0])


def _files(wanted: list[Experiment], root: Path, fixture: Fixture) -> Iterator[tuple[Path, bytes]]:
    for e in wanted:
        timed, debugged = fixture.time_lines(e), e.name in fixture.debugged
        for folder in dict.fromkeys(job.folder for job in e.jobs):
            own = Path(e.name, folder)
            for path in sorted((root / own).iterdir()):
                if path.name in KEPT and _read(path.name, folder, e, timed):
                    yield own / path.name, _content(path, debugged)


def _read(name: str, folder: str, e: Experiment, timed: bool) -> bool:
    """Return true if a table is made of it: frames and stamps of a version or a node, the time
    line and stamps of a sample, an image's symbols where its functions are looked for."""
    complete = e.whole or not isinstance(e.spec, RunSpec)
    if name.partition(".")[0] in ("spells", "lance"):
        return timed and (folder == "." or folder.startswith("sample-"))
    if name == "stamps.csv":
        return complete and (folder == "." or timed and folder.startswith("sample-"))
    if name.endswith(".elf"):
        return complete or any(j.stretches and j.memory == run_jobs.COLD for j in e.jobs)
    return complete or name != "wire.pcap"


def _content(path: Path, debugged: bool) -> bytes:
    """A file's bytes, without what differs from run to run."""
    if path.suffix == ".elf":
        return _symbols(path, debugged)
    if path.name == "run.json":
        about = json.loads(path.read_text())
        about.pop("wall_seconds", None)
        return json.dumps(about).encode()
    return path.read_bytes()


_known: dict[tuple[bytes, bool], bytes] = {}
SHARED = re.compile(rb"(build/firmware/shared/)[0-9a-f]{16}")  # a digest of all that is compiled
UNREAD = ("line", "loc", "loclists", "aranges", "frame")  # debug information nobody asks for


def _symbols(image: Path, debugged: bool) -> bytes:
    """The image with its symbols alone, or with functions in line too."""
    key = image.read_bytes(), debugged
    if key not in _known:
        less = [f"--remove-section=.debug_{name}" for name in UNREAD]
        less = less if debugged else ["--strip-debug"]
        with tempfile.TemporaryDirectory() as place:
            bare, symbols = (Path(place, name) for name in ("bare.elf", "symbols.elf"))
            heard([f"{PREFIX}objcopy", *less, image, bare], check=True)
            heard([f"{PREFIX}objcopy", "--only-keep-debug", bare, symbols], check=True)
            _known[key] = SHARED.sub(rb"\g<1>" + 16 * b"0", symbols.read_bytes())
    return _known[key]


def unpack(name: str, root: Path) -> None:
    """The run folders of a study below ``root``."""
    for path in sorted((HERE / name).glob("*.tar.xz")):
        with tarfile.open(path) as tar:
            for member in tar:
                target = root / member.name
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(tar.extractfile(member).read())


def write(name: str, jobs: int) -> None:
    out = RUNS / name
    archives = packed(name, made(name, jobs, out), out / repeat.RUNS)
    place = HERE / name
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    for group, content in archives.items():
        (place / f"{group}.tar.xz").write_bytes(content)
    sizes = [len(content) for content in archives.values()]
    print(f"{name}: {len(sizes)} archives, {sum(sizes):,} bytes, the largest {max(sizes):,}")


if __name__ == "__main__":
    for study in sys.argv[1:] or FIXTURES:
        write(study, 1)
