# SPDX-License-Identifier: BSD-2-Clause
"""The record of each boot, of the files that its run left, and the sums of a configuration."""

import csv
import json
from collections import Counter
from dataclasses import asdict
from pathlib import Path

from mcpi.batch.plan import Experiment, Extent
from mcpi.machine.profile import load
from mcpi.spec.node_spec import SCRIPT
from mcpi.studies.tr9304 import evictors, frames, probes, saturation, steps
from mcpi.studies.tr9304.plan import FOLLOW, MACHINE, RESULTS, WARMUP, configurations
from mcpi.studies.tr9304.probes import FIELDS, PROBES, Probe

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
OF_A_BOOT = ("offered", "received", "ideal", "counts", "measured", "counters")


def collect(root: Path, experiments: list[Experiment], extent: Extent) -> dict:
    """The parts of ``study.json`` that are the study's own; ``root`` has a folder of each run.
    ``probes.csv`` next to it has every probe."""
    made: dict[str, list[Experiment]] = {RESULTS: [], FOLLOW: [], saturation.PART: []}
    for e in experiments:
        made[e.part[0]].append(e)
    order = {c.key: n for n, c in enumerate(configurations())}
    made[RESULTS].sort(key=lambda e: order.get(e.part[1], len(order)))
    found = {e.name: record(root / e.name) for e in made[RESULTS]}
    _write_probes(root.parent / "probes.csv", made[RESULTS], found)
    results: dict[str, list[dict]] = {}
    for e in made[RESULTS]:
        results.setdefault(e.part[1], []).append(found[e.name])
    return {
        "schema": 2,
        "unit": "messages",
        "saturation": saturation.limits(root, experiments, saturation.saturated(experiments)),
        "steps": {e.part[1]: steps.record(root / e.name, e) for e in made[FOLLOW]},
        "results": {key: _sum(records) for key, records in results.items()},
    }


def record(folder: Path) -> dict:
    """Record of a boot: the causes of each probe's ticks after the warm-up, and the fate of every
    message. ``counters``: of the messages after the warm-up, ``measured`` of them."""
    passes = probes.again((folder / "stamps.csv").read_text())
    ideal = min(passes, default=0)
    found = probes.read((folder / "passages.0.csv").read_text(), ideal)
    node = json.loads((folder / "counters.json").read_text())["nodes"][0]
    said = (folder / "console.0.txt").read_text().splitlines()
    counts = dict(line.rsplit(" ", 1) for line in said[1:])
    owners = node["windows"].get("probe", {})
    received = len(found) // PROBES or int(said[0].split()[1])  # of a reader without probes
    evicted = {}
    if (file := folder / "evictions.0.csv").is_file():  # of an engine that has them
        evicted = evictors.read(file.read_text(), evictors.domains(folder))
    return {
        "evictors": evicted,
        "of_probes": len(found),
        "ideal": ideal,
        "probes": probes.rows(found[PROBES * WARMUP :]),
        "offered": len(frames.starts(folder / SCRIPT)),
        "received": received,
        "measured": max(0, received - WARMUP),
        "counts": {name: int(value) for name, value in counts.items()},
        "owners": {k.removeprefix("owner."): v for k, v in owners.items() if "owner." in k},
        "counters": {name: node["all"].get(name, 0) for name in COUNTED},
    }


def _sum(records: list[dict]) -> dict:
    """Sum of all boots of a configuration."""
    found: dict = {"runs": [], "overheads": []}
    causes, owners, counters, evicted = Counter(), Counter(), Counter(), Counter()
    p = load(MACHINE).parameters
    clean, dirty = p["memory.read_ticks"], p["memory.read_ticks"] + p["dcache.dirty_ticks"]
    for record in records:
        own = [Probe(*row) for row in record["probes"]]
        found["runs"].append({k: record[k] for k in OF_A_BOOT})
        found["overheads"].append([probe.overhead for probe in own])
        for probe in own:
            causes.update(asdict(probe))
            rest = probe.rest(clean, dirty)
            causes["interrupt_ticks"] += rest * probe.interrupted
            causes["code_ticks"] += rest * (probe.code > 0 and not probe.interrupted)
            causes["unexplained"] += rest != 0 and probe.quiet
        owners.update(record["owners"])
        evicted.update(record["evictors"])
        if record["measured"]:
            counters.update(record["counters"])
    measured = sum(record["measured"] for record in records)
    found |= {"measured": measured, "counters": dict(counters), "owners": dict(owners)}
    found |= {"evictors": dict(evicted), "of_probes": sum(r["of_probes"] for r in records)}
    probed = sum(len(record["probes"]) for record in records)
    return found | {"probes": probed, "causes": dict(causes)}


def _write_probes(path: Path, every: list[Experiment], found: dict[str, dict]) -> None:
    """A line for each probe after the warm-up."""
    with path.open("w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["configuration", "boot", "message", "place", *FIELDS])
        for e in every:
            for n, row in enumerate(found[e.name]["probes"]):
                message, place = divmod(n, PROBES)
                out.writerow([e.part[1], e.spec.seed, message, place, *row])
