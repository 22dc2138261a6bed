# SPDX-License-Identifier: BSD-2-Clause
"""Runs: a node whose processors send or receive packets. Each leaves its throughput, and who owned
the ticks of all processors."""

import json
import subprocess
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path

from mcpi.base.errors import RunError
from mcpi.base.process import Stop, side_by_side
from mcpi.base.progress import Bar
from mcpi.build import models
from mcpi.firmware import images, parallel
from mcpi.firmware.images import Plan
from mcpi.machine.profile import Machine, load
from mcpi.results import provenance
from mcpi.spec.run_spec import RunSpec
from mcpi.studies.osdi94.plan import BYTES, MACHINES, SIDES, Point, points
from mcpi.study.plan import Extent

MOST_TICKS = 2_000_000_000


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

    def done(self, root: Path, stop: Stop) -> dict:
        """Its record; ``stop`` ends the engine."""
        folder = root / self.name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "machine.json").write_text(self.machine.to_json())
        words = [self.engine, "--machine", folder / "machine.json", "--pal", self.image.pal]
        words += ["--image", self.image.image, "--out", folder, "--max-ticks", MOST_TICKS]
        boot = {"role": SIDES.index(self.point.side), "warmup": self.warmup}
        boot |= {"round_trips": self.packets, "seed": self.seed}
        words += [word for k, v in boot.items() for word in ("--boot", f"{k}={v}")]
        words += ["--seed", self.seed]
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
        if child.returncode:
            raise RunError(f"{self.name}: {said[-1500:] or f'status {child.returncode}'}")
        return self.record(folder)

    def record(self, folder: Path) -> dict:
        """Mb/s of user data, packets of each processor, ticks by owner of all together."""
        told = json.loads((folder / "counters.json").read_text())
        packets = [core["windows"]["probe"]["invocations"] for core in told["cores"]]
        owners: Counter[str] = Counter()
        for core in told["cores"]:
            own = {k.removeprefix("owner."): v for k, v in core["all"].items() if "owner." in k}
            if sum(own.values()) != told["ticks"]:
                raise RunError(f"{self.name}: not every tick has an owner.")
            owners.update(own)
        microseconds = told["ticks"] / self.machine.parameters["clock.ticks_per_us"]
        mbps = sum(packets) * BYTES * 8 / microseconds
        return {"mbps": mbps, "packets": packets, "ticks": told["ticks"], "owners": dict(owners)}


def runs(extent: Extent, seed: int, bar: Bar) -> list[Run]:
    """Builds every image."""
    found, wanted, engine = [], points(extent), models.build("mcpi-exact")
    with bar.task("images", len(wanted)) as update:
        for done, point in enumerate(wanted, 1):
            machine = load(point.machine, {"core.count": str(point.cores)})
            made = images.build(parallel.plan(machine, parallel.Wanted()))
            for n in range(extent.samples["udp"]):
                how = made, engine, extent.round_trips, extent.warmup, seed + n
                found.append(Run(point, machine, *how))
            update(done, len(wanted), point.key)
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
    results: dict[str, dict] = {}
    for run in every:
        own = results.setdefault(run.point.key, {"runs": []})
        own["runs"].append(found[run.name])
    about = provenance.of(out, RunSpec(machine=MACHINES[0], seed=seed), load(MACHINES[0]))
    return {
        "schema": 1,
        "unit": "packets",
        "provenance": about | {"rtl_digest": "none: the exact engine alone"},
        "extent": asdict(extent),
        "absent": {},
        "remarks": ["TCP, and the figures about it, are not there yet."],
        "maps": {},
        "results": results,
    }
