# SPDX-License-Identifier: BSD-2-Clause
"""A run: a receiver, and messages that are put on its wire to the tick. Its record is kept."""

import csv
import hashlib
import json
import random
import subprocess
from dataclasses import dataclass
from pathlib import Path

from mcpi.base.errors import RunError
from mcpi.base.process import Stop
from mcpi.firmware.images import Plan
from mcpi.machine.profile import Machine
from mcpi.studies.tr9304 import evictors, frames, probes
from mcpi.studies.tr9304.plan import PHASE, WARMUP, Configuration
from mcpi.studies.tr9304.probes import PROBES

FIRST_TICK = 9_000_000  # the receiver waits in its socket by then
AFTER_TICKS = 20_000_000  # the last messages and the end
WINDOW = 4  # the probe's
COUNTED = (
    "ticks",
    "owner.idle",
    "dcache.misses",
    "dcache.dirty_misses",
    "dcache.store_misses",
    "bus.core_waits_dma",
    "icache.misses",
    "dtb.misses",
    "dtb.refill_ticks",
    "itb.misses",
    "context_switches",
)


@dataclass(frozen=True)
class Run:
    """A configuration with a seed: one boot."""

    configuration: Configuration
    machine: Machine
    images: tuple[Plan, Plan]  # the receiver's; of the machine that says nothing
    engine: Path
    messages: int
    seed: int
    node_json: Path = Path("/dev/null")  # of a simulator of the RTL
    evictions: bool = True  # the exact engine alone has them

    @property
    def name(self) -> str:
        return f"{self.configuration.key}-{self.seed}"

    def prepare(self, folder: Path) -> list[str]:
        """Writes what the engine reads; its command."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "machine.json").write_text(self.machine.to_json())
        c, messages = self.configuration, self.messages + WARMUP
        text = frames.script(self.machine, messages, c.gap, FIRST_TICK, c.checksum)
        (folder / "messages.txt").write_text(text)
        last = int(text.splitlines()[-1].split()[1])
        words = [self.engine, "run", "--out", folder, "--node-json", self.node_json]
        words += ["--machine", folder / "machine.json", "--max-ticks", last + AFTER_TICKS]
        words += ["--hang-ticks", 50_000_000, "--wire", f"1:script={folder / 'messages.txt'}"]
        words += ["--passages", "--passages-of", WINDOW]
        words += ["--evictions"] * self.evictions
        for node, made in enumerate(self.images):
            for item in (f"pal={made.pal}", f"image={made.image}"):
                words += ["--node", f"{node}:{item}"]
        for item in ("boot.role=0", "boot.round_trips=0", f"boot.seed={self.seed}"):
            words += ["--node", f"0:{item}"]
        return [str(word) for word in [*words, "--node", f"0:phase={self.phase}"]]

    @property
    def phase(self) -> int:
        """The tick of the first timer interrupt."""
        period = self.machine.parameters["clock.ticks_per_us"] * 1_000_000
        period //= self.machine.parameters["timer.hz"]
        if PHASE in self.configuration.still:
            return period
        return random.Random(self.seed).randrange(1, period)

    def key(self, words: list[str], folder: Path) -> str:
        """Of all that the run depends on."""
        files = [self.engine, folder / "machine.json", folder / "messages.txt"]
        files += [file for made in self.images for file in (made.pal, made.image)]
        digest = hashlib.sha256(" ".join(words).encode())
        for file in files:
            digest.update(file.read_bytes())
        return digest.hexdigest()

    def done(self, root: Path, stop: Stop) -> dict:
        """Its record, of files that were kept or are made now; ``stop`` ends the engine."""
        folder = root / self.name
        words = self.prepare(folder)
        key, kept = self.key(words, folder), folder / "key"
        if kept.is_file() and kept.read_text() == key:
            return self.record(folder)
        kept.unlink(missing_ok=True)
        silent = subprocess.DEVNULL
        child = subprocess.Popen(
            words, stdin=silent, stdout=silent, stderr=subprocess.PIPE, text=True
        )
        stop.add(child)
        said = child.communicate()[1]
        if child.returncode:
            raise RunError(f"{self.name}: {said[-1500:] or f'status {child.returncode}'}")
        kept.write_text(key)  # last: its files are whole
        return self.record(folder)

    def record(self, folder: Path) -> dict:
        """Of each probe after the warm-up what it was spent on; and where every message went.
        ``counters``: of the messages after the warm-up, ``measured`` of them."""
        passes = again((folder / "stamps.csv").read_text())
        ideal = min(passes, default=0)
        found = probes.read((folder / "passages.0.csv").read_text(), ideal)
        node = json.loads((folder / "counters.json").read_text())["nodes"][0]
        said = (folder / "console.0.txt").read_text().splitlines()
        counts = dict(line.rsplit(" ", 1) for line in said[1:])
        owners = node["windows"]["probe"]
        received = len(found) // PROBES
        evicted = {}
        if self.evictions:
            known = evictors.domains(self.images[0].folder)
            evicted = evictors.read((folder / "evictions.0.csv").read_text(), known)
        return {
            "evictors": evicted,
            "of_probes": len(found),
            "ideal": ideal,
            "probes": probes.rows(found[PROBES * WARMUP :]),
            "offered": self.messages + WARMUP,
            "received": received,
            "measured": max(0, received - WARMUP),
            "counts": {name: int(value) for name, value in counts.items()},
            "owners": {k.removeprefix("owner."): v for k, v in owners.items() if "owner." in k},
            "counters": {name: node["all"].get(name, 0) for name in COUNTED},
        }


def again(stamps: str) -> list[int]:
    """Of each probe the ticks of its loads once more. The last stamp comes of small mbufs too,
    which are not probed."""
    found: list[int] = []
    closed = None
    for row in csv.DictReader(stamps.splitlines()):
        if row["node"] != "0":
            continue
        if row["stamp"] == "probe_close":
            closed = int(row["tick"])
        elif row["stamp"] == "probe_again" and closed is not None:
            found.append(int(row["tick"]) - closed)
            closed = None
    return found
