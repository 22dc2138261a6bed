# SPDX-License-Identifier: BSD-2-Clause
"""A point with a seed: a node whose processors send or receive packets.

A run is known by what it is made of: engine, image, machine, boot block. What has been measured
once is not measured again, so a study that was interrupted goes on where it was.
"""

import hashlib
import json
import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from mcpi.base.errors import RunError
from mcpi.base.process import Stop
from mcpi.base.repo import BUILD
from mcpi.firmware import parallel
from mcpi.firmware.images import Plan
from mcpi.machine.profile import Machine, load
from mcpi.studies.osdi94 import recording
from mcpi.studies.osdi94.plan import LOCKS, SIDES, WAYS, Curve, Point
from mcpi.studies.osdi94.recording import lock_functions, recorded

# A run that takes longer has processors of which some never win a race for a word.
START_TICKS, PACKET_TICKS = 6_000_000, 200_000
SOURCES = (Path(__file__), Path(recording.__file__))
DONE = BUILD / "osdi94"  # records by what they are made of


@cache
def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


@dataclass(frozen=True)
class Run:
    """A point with a seed."""

    point: Point
    machine: Machine
    image: Plan
    engine: Path
    packets: int
    warmup: int
    seed: int

    @property
    def name(self) -> str:
        return f"{self.point.key}-{self.seed}"

    @property
    def boot(self) -> dict[str, int]:
        boot = {"round_trips": self.packets, "seed": self.seed, "warmup": self.warmup}
        if side := self.point.curve.side:
            boot["role"] = SIDES.index(side)
        return boot

    @property
    def most_ticks(self) -> int:
        return START_TICKS + PACKET_TICKS * (self.warmup + self.packets)

    @property
    def digest(self) -> str:
        """Of all that the record follows from."""
        files = (self.engine, self.image.pal, self.image.image, *SOURCES)
        parts = [*map(_digest, files), self.machine.to_json(), json.dumps(self.boot)]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:24]

    def done(self, root: Path, stop: Stop) -> dict:
        """Its record; ``stop`` ends the engine."""
        kept = DONE / f"{self.digest}.json"
        if kept.is_file():
            return json.loads(kept.read_text())
        record = self._measured(root / self.name, stop)
        DONE.mkdir(parents=True, exist_ok=True)
        part = kept.with_suffix(f".{self.name}")
        part.write_text(json.dumps(record))
        part.replace(kept)  # whole or not at all
        return record

    def words(self, folder: Path) -> list[str]:
        """The command; its files are in ``folder``, the machine's too."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "machine.json").write_text(self.machine.to_json())
        words = [self.engine, "--machine", folder / "machine.json", "--pal", self.image.pal]
        words += ["--image", self.image.image, "--out", folder, "--max-ticks", self.most_ticks]
        words += [word for k, v in self.boot.items() for word in ("--boot", f"{k}={v}")]
        return [str(word) for word in (*words, "--seed", self.seed)]

    def _measured(self, folder: Path, stop: Stop) -> dict:
        status, said = ended([*self.words(folder), *lock_functions(self.image.image)], stop)
        if status and (gave_up := re.search(r"gave up at tick \d+", said)):
            return {"no_end": gave_up[0]}
        if status:
            raise RunError(f"{self.name}: {said[-1500:] or f'status {status}'}")
        return recorded(folder, self.point, self.machine, self.image.image)


def ended(words: Sequence[object], stop: Stop) -> tuple[int, str]:
    """The status of a simulator, and what it said of its errors."""
    silent = subprocess.DEVNULL
    child = subprocess.Popen(
        [str(word) for word in words],
        stdin=silent,
        stdout=silent,
        stderr=subprocess.PIPE,
        text=True,
    )
    stop.add(child)
    said = child.communicate()[1]
    return child.returncode, said


def of(curve: Curve, cores: int) -> tuple[Machine, parallel.Wanted]:
    """A point's machine and program."""
    way = WAYS[curve.way]
    machine = load(curve.machine, way.settings | {"core.count": str(cores)})
    if curve.stack == LOCKS:
        return machine, parallel.Wanted("mpcount", switches=way.switches)
    return machine, parallel.Wanted("mpbench", curve.stack, way.defines)
