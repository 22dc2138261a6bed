# SPDX-License-Identifier: BSD-2-Clause
"""Runs: a receiver, and messages that are put on its wire to the tick. Each leaves the overhead of
every probe: ticks of its loads above those of the same loads when all is in the cache."""

import csv
import hashlib
import json
import random
import subprocess
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path

from mcpi.base.errors import RunError
from mcpi.base.process import Stop, side_by_side
from mcpi.base.progress import Bar
from mcpi.build import models
from mcpi.firmware import images
from mcpi.firmware.images import Plan
from mcpi.machine.profile import Machine, load
from mcpi.results import provenance
from mcpi.spec.run_spec import RunSpec
from mcpi.studies.tr9304 import frames
from mcpi.studies.tr9304.plan import MACHINE, Configuration, configurations
from mcpi.study.plan import Extent

FIRST_TICK = 9_000_000  # the receiver waits in its socket by then
AFTER_TICKS = 20_000_000  # the last messages and the end
PROBES = 10  # of a message


@dataclass(frozen=True)
class Run:
    """A configuration with a seed."""

    configuration: Configuration
    machine: Machine
    images: tuple[Plan, Plan]
    engine: Path
    messages: int
    warmup: int
    seed: int

    @property
    def name(self) -> str:
        return f"{self.configuration.key}-{self.seed}"

    def prepare(self, folder: Path) -> list[str]:
        """Writes what the engine reads; its command."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "machine.json").write_text(self.machine.to_json())
        c, messages = self.configuration, self.messages + self.warmup
        text = frames.script(self.machine, messages, c.gap, FIRST_TICK, c.checksum)
        (folder / "messages.txt").write_text(text)
        period = self.machine.parameters["clock.ticks_per_us"] * 1_000_000
        period //= self.machine.parameters["timer.hz"]
        phase = random.Random(self.seed).randrange(1, period)
        last = int(text.splitlines()[-1].split()[1])
        words = [self.engine, "run", "--out", folder, "--node-json", "/dev/null"]
        words += ["--machine", folder / "machine.json", "--max-ticks", last + AFTER_TICKS]
        words += ["--hang-ticks", 50_000_000, "--wire", f"0:script={folder / 'messages.txt'}"]
        for node, made in enumerate(self.images):
            for item in (f"pal={made.pal}", f"image={made.image}"):
                words += ["--node", f"{node}:{item}"]
        for item in ("boot.role=0", "boot.round_trips=0", f"boot.seed={self.seed}"):
            words += ["--node", f"1:{item}"]
        return [str(word) for word in [*words, "--node", f"1:phase={phase}"]]

    def key(self, words: list[str], folder: Path) -> str:
        """Of all that the record depends on."""
        files = [Path(__file__), self.engine, folder / "machine.json", folder / "messages.txt"]
        files += [file for made in self.images for file in (made.pal, made.image)]
        digest = hashlib.sha256(" ".join(words).encode())
        for file in files:
            digest.update(file.read_bytes())
        return digest.hexdigest()

    def done(self, root: Path, stop: Stop) -> dict:
        """Its record, kept from before or measured; ``stop`` ends the engine."""
        folder = root / self.name
        words = self.prepare(folder)
        key, kept = self.key(words, folder), folder / "record.json"
        if kept.is_file() and (found := json.loads(kept.read_text()))["key"] == key:
            return found
        silent = subprocess.DEVNULL
        child = subprocess.Popen(
            words, stdin=silent, stdout=silent, stderr=subprocess.PIPE, text=True
        )
        stop.add(child)
        said = child.communicate()[1]
        if child.returncode:
            raise RunError(f"{self.name}: {said[-1500:] or f'status {child.returncode}'}")
        found = self.record(folder) | {"key": key}
        stage = kept.with_suffix(".new")
        stage.write_text(json.dumps(found) + "\n")
        stage.rename(kept)  # whole, or not there
        return found

    def record(self, folder: Path) -> dict:
        """Overheads after the warm-up, and where every message went."""
        measured = probes((folder / "stamps.csv").read_text())
        ideal = min(again for _, again in measured)
        counted = json.loads((folder / "counters.json").read_text())["nodes"][1]["windows"]["probe"]
        said = (folder / "console.1.txt").read_text().splitlines()
        counts = dict(line.rsplit(" ", 1) for line in said[1:])
        return {
            "ideal": ideal,
            "overheads": [took - ideal for took, _ in measured[PROBES * self.warmup :]],
            "offered": self.messages + self.warmup,
            "received": len(measured) // PROBES,
            "counts": {name: int(value) for name, value in counts.items()},
            "owners": {k.removeprefix("owner."): v for k, v in counted.items() if "owner." in k},
            "probes": len(measured),
        }


def probes(stamps: str) -> list[tuple[int, int]]:
    """Of each probe: ticks of its loads, and of the same loads once more. The last stamp comes of
    small mbufs too, which are not probed."""
    found: list[tuple[int, int]] = []
    opened, closed = 0, None
    for row in csv.DictReader(stamps.splitlines()):
        if row["node"] != "1":
            continue
        tick = int(row["tick"])
        match row["stamp"]:
            case "probe_open":
                opened = tick
            case "probe_close":
                closed = tick
            case "probe_again" if closed is not None:
                found.append((closed - opened, tick - closed))
                closed = None
    return found


def runs(extent: Extent, seed: int, bar: Bar) -> list[Run]:
    """Builds every image."""
    found, wanted, engine = [], configurations(), models.build("mcpi-exact")
    with bar.task("images", len(wanted)) as update:
        for done, c in enumerate(wanted, 1):
            machine = load(MACHINE, c.settings)
            silent = images.build(images.plan(machine, "std", "hello"))
            stack = f"udprecv-{c.structure}"
            receiver = images.build(images.plan(machine, "std", stack, c.switches))
            for n in range(extent.samples["udp"]):
                made = (silent, receiver)
                how = made, engine, extent.round_trips, extent.warmup, seed + n
                found.append(Run(c, machine, *how))
            update(done, len(wanted), c.key)
    return found


def measure(extent: Extent, seed: int, out: Path, cores: int, bar: Bar) -> dict:
    """``study.json``'s record."""
    every = runs(extent, seed, bar)
    stop, found = Stop(), {}

    def one(run: Run) -> None:
        found[run.name] = run.done(out / "runs", stop)

    def left(ended: int) -> None:
        update(ended, len(every), f"{len(every) - ended} runs left")

    with bar.task("runs", len(every)) as update:
        side_by_side(one, every, cores, stop, left)
    records = [found[run.name] for run in every]
    results: dict[str, dict] = {}
    for run, one in zip(every, records, strict=True):
        own = results.setdefault(run.configuration.key, {"runs": [], "probes": 0})
        own["runs"].append({k: one[k] for k in ("offered", "received", "ideal", "counts")})
        own["probes"] += one["probes"]
        own.setdefault("overheads", []).append(one["overheads"])
        own["owners"] = dict(Counter(own.get("owners", {})) + Counter(one["owners"]))
    about = provenance.of(out, RunSpec(machine=MACHINE, seed=seed), load(MACHINE))
    return {
        "schema": 1,
        "unit": "messages",
        "provenance": about | {"rtl_digest": "none: the exact engine alone"},
        "extent": asdict(extent),
        "absent": {},
        "remarks": [],
        "maps": {},
        "results": results,
    }
