# SPDX-License-Identifier: BSD-2-Clause
"""A recording: the instructions of a machine's path, the copies of its frames, and the frames.

A run of engine ``exact`` with two markers more: the path's window also opens around the driver's
copy of a frame out of the chip, so that ``trace.csv`` has the addresses that it writes.
"""

import csv
import hashlib
import shutil
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from mcpi.base.errors import UserError
from mcpi.base.file_lock import hold
from mcpi.base.progress import Bar
from mcpi.base.repo import BUILD
from mcpi.build import graph, run_folder
from mcpi.engines import base as engines
from mcpi.engines import simulate
from mcpi.firmware import regions
from mcpi.firmware.clone.path_order import Step
from mcpi.firmware.elf import ACTIONS, PATH, Marker
from mcpi.results import pcap
from mcpi.spec import run_jobs
from mcpi.spec.numbers import SIDES
from mcpi.spec.run_spec import EXACT, RunSpec

VARIANT = "out"  # what PIN is made from
COPY = "frame_from_gap16"  # the driver's copy, which begins two bytes before the frame
BEFORE = 2
FCS_BYTES = 4
WARMUP, ROUND_TRIPS = 20, 12
FEWEST = 4  # invocations with the usual calls
FILES = ("image.elf", "trace.csv", "wire.pcap")
# Stations and addresses of both machines: each byte differs between the two recordings, and no
# internet address is one that nobody may be answered at.
STATIONS = (
    ("08:00:2b:00:00:01", "08:00:2b:00:00:02"),
    ("1a:61:4c:55:a6:7c", "1a:61:4c:55:a6:7d"),
)
ADDRESSES = (("10.0.0.1", "10.0.0.2"), ("117.77.99.200", "117.77.99.201"))
RECORDINGS = tuple(range(len(STATIONS)))


@dataclass(frozen=True)
class Invocation:
    """Steps of the path with one frame. ``at``: where the frame's first byte is; ``windows``: a
    list of steps for each thread that took part, in order."""

    frame: bytes
    at: int
    windows: tuple[list[Step], ...]

    @property
    def length(self) -> int:
        return sum(map(len, self.windows))


@dataclass(frozen=True)
class Recording:
    """Invocations of a side of one run. ``image``: the ELF file that ran."""

    side: str
    image: Path
    invocations: tuple[Invocation, ...]


def spec(stack: str, machine: str, settings: dict[str, str], number: int) -> RunSpec:
    """The run behind recording ``number``."""
    return RunSpec(
        engine=EXACT,
        machine=machine,
        settings=settings,
        stack=stack,
        variant=VARIANT,
        peer_variant=VARIANT,
        warmup=WARMUP,
        round_trips=ROUND_TRIPS,
        seed=number + 1,
    )


def make(
    stack: str, machine: str, settings: dict[str, str], side: str, number: int, bar: Bar
) -> Path:
    """A folder with ``FILES``; only what is not there yet is simulated."""
    wanted = spec(stack, machine, settings, number)
    resolved = engines.judged(wanted)
    node = SIDES[side]
    built = graph.build(wanted, resolved, bar)
    image = built.peer if node and built.peer else built.image
    made_of = [built.image.read_bytes(), (built.peer or built.image).read_bytes()]
    made_of += [resolved.to_json().encode(), built.simulator.read_bytes()]
    made_of += [repr((WARMUP, ROUND_TRIPS, STATIONS, ADDRESSES, number)).encode()]
    name = hashlib.sha256(b"\0".join(made_of)).hexdigest()[:16]
    place = BUILD / "recordings" / f"{wanted.title}-{side}-{number + 1}-{name}"
    with hold(place.with_suffix(".lock"), f"records {wanted.title}"):
        if all((place / name).exists() for name in FILES):
            return place
        stage = place.with_suffix(".new")
        for old in (place, stage):
            shutil.rmtree(old, ignore_errors=True)
        run_folder.prepare(stage, wanted, resolved, built)
        (stage / "markers.csv").write_text(regions.text(_markers(image)))
        phases = run_jobs.phases_of(wanted.seed, 1, resolved)
        options = [*_boot(number), "--node", f"{node}:markers=markers.csv"]
        options += ["--trace", str(node), "--no-oracle"]
        with bar.task(f"recording of {wanted.title}, {side}", wanted.steps) as update:
            words = (built.simulator, stage, ".", wanted, phases, options)
            simulate.simulate(*words, update=update)
        if node and built.peer:
            shutil.copyfile(built.peer, stage / "image.elf")
        stage.rename(place)
    return place


def _boot(number: int) -> Iterator[str]:
    """Options that give both machines the stations and addresses of a recording."""
    for node in SIDES.values():
        for field, values in (("mac", STATIONS), ("ip", ADDRESSES)):
            for name, value in (
                (field, values[number][node]),
                (f"peer_{field}", values[number][1 - node]),
            ):
                yield from ("--node", f"{node}:boot.{name}={value}")


def _markers(image: Path) -> list[Marker]:
    """The image's markers, and two around the copy. UserError if it marks no path, or has no
    copy."""
    read = regions.Image(image)
    if not any(ACTIONS[marker.action] == "invocation" for marker in read.markers):
        raise UserError(
            "none of the graph's protocols marks an invocation of the path, so there is none to "
            "find. One must, with MARK(MARK_INVOCATION, WINDOW_PATH) where a message has come up "
            "(firmware/platform/marker.h)."
        )
    if COPY not in read.program.functions:
        raise UserError(f"the image has no function {COPY}, with which its driver copies frames.")
    copy = read.function(COPY)
    around = [Marker(at, regions.OPEN, PATH) for at in copy.opens]
    around += [Marker(at, regions.CLOSE, PATH) for at in copy.closes]
    return [*read.markers, *around]


def read(folder: Path, side: str, image: Path, number: int) -> Recording:
    """The recording in ``folder``. UserError for one of another image, or one without a path."""
    for name in FILES:
        if not (folder / name).is_file():
            raise UserError(f"{folder}: no recording: {name} is missing.")
    if (folder / "image.elf").read_bytes() != image.read_bytes():
        raise UserError(
            f"{folder}: a recording of another image than {image}, which is built from the "
            "sources as they are now. Record again: leave --recordings out."
        )
    start = regions.Image(folder / "image.elf").program.functions[COPY].start
    frames = _frames(folder / "wire.pcap", STATIONS[number][SIDES[side]])
    found, windows, at, frame, before = [], [], None, b"", None
    for invocation, steps in _windows(folder / "trace.csv"):
        if steps[0].pc == start:
            at = next(s.address for s in steps if s.kind == "store") + BEFORE
            frame, windows = next(frames, b""), []
            continue
        windows.append(steps)
        if before is not None and invocation != before and at is not None:
            found.append(Invocation(frame, at, tuple(windows)))
            at, windows = None, []
        before = invocation
    return Recording(side, folder / "image.elf", _usual(found, folder))


def _usual(found: list[Invocation], folder: Path) -> tuple[Invocation, ...]:
    """The invocations behind the warm-up that are as long as most; the last is left out, as it may
    close the connection."""
    settled = found[WARMUP // 2 : -1]
    lengths = Counter(one.length for one in settled).most_common(1)
    alike = tuple(one for one in settled if lengths and one.length == lengths[0][0])
    if len(alike) < FEWEST:
        raise UserError(
            f"{folder}: {len(found)} invocations of the path with a frame each, and "
            f"{len(alike)} alike; {FEWEST} are needed. Is the path entered by a frame?"
        )
    return alike


def _windows(trace: Path) -> Iterator[tuple[int, list[Step]]]:
    """The invocation's number at its end, and the steps of each time the window was open."""
    steps: list[Step] = []
    window = last = 0
    with trace.open() as stream:
        rows = csv.reader(stream)
        next(rows)
        for passage, count, pc, kind, address in rows:
            if passage != window and steps:
                yield int(last), steps
                steps = []
            window, last = passage, count
            steps.append(Step(int(pc, 16), kind, int(address, 16) if address else None))
    if steps:
        yield int(last), steps


def _frames(file: Path, station: str) -> Iterator[bytes]:
    """Frames that somebody else than ``station`` has sent."""
    own = bytes.fromhex(station.replace(":", ""))
    for _, frame in pcap.stamped(file):
        if frame[6:12] != own:
            yield frame[:-FCS_BYTES]
