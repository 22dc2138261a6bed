# SPDX-License-Identifier: BSD-2-Clause
"""Runs every boot of every configuration, and sums up what they left."""

import csv
import dataclasses
from collections import Counter
from dataclasses import asdict
from pathlib import Path

from mcpi.base.process import Stop, side_by_side
from mcpi.base.progress import Bar, counted
from mcpi.machine.profile import load
from mcpi.results import provenance
from mcpi.spec.run_spec import RunSpec
from mcpi.studies.tr9304 import frames, on_rtl, saturation, steps
from mcpi.studies.tr9304.bench import Bench
from mcpi.studies.tr9304.plan import (
    FAST,
    MACHINE,
    Configuration,
    configurations,
)
from mcpi.studies.tr9304.probes import FIELDS, PROBES, Probe
from mcpi.studies.tr9304.run import Run
from mcpi.study.plan import Extent

SATURATED = 3  # times as many messages: most are lost


def measure(extent: Extent, seed: int, out: Path, cores: int, bar: Bar) -> dict:
    """``study.json``'s record; ``probes.csv`` has every probe."""
    bench, wanted = Bench(extent, seed, out, Stop()), configurations()
    limits = _saturation([c.structure for c in wanted if c.saturated], bench, cores, bar)
    every: list[Run] = []
    with bar.task("images", len(wanted)) as update:
        for done, c in enumerate(wanted, 1):
            messages = extent.round_trips * (SATURATED if c.saturated else 1)
            real = dataclasses.replace(c, gap=limits[c.structure]["ms"]) if c.saturated else c
            every += bench.runs(real, extent.samples["udp"], messages)
            update(done, len(wanted), c.key)
    found: dict[str, dict] = {}

    def one(run: Run) -> None:
        found[run.name] = bench.done(run)

    def left(ended: int) -> None:
        update(ended, len(every), f"{counted(len(every) - ended, 'run')} left")

    with bar.task("runs", len(every)) as update:
        side_by_side(one, every, cores, bench.stop, left)
    _write_probes(out / "probes.csv", every, found)
    results: dict[str, list[dict]] = {}
    for run in every:
        results.setdefault(run.configuration.key, []).append(found[run.name])
    stepped = steps.measured(wanted, bench, bar)
    about = provenance.of(out, RunSpec(machine=MACHINE, seed=seed), load(MACHINE))
    about |= on_rtl.repeated(bench, cores, bar)
    return {
        "schema": 2,
        "unit": "messages",
        "provenance": about,
        "extent": asdict(extent),
        "absent": {},
        "remarks": [],
        "maps": {},
        "saturation": limits,
        "steps": stepped,
        "results": {key: _sum(records) for key, records in results.items()},
    }


def _saturation(systems: list[str], bench: Bench, cores: int, bar: Bar) -> dict[str, dict]:
    """By system: µs of a message on the fast wire, of the gap that it takes (None: any), and ms of
    the gap that overloads it."""
    found: dict[str, dict] = {}
    machine = load(MACHINE, Configuration("bsd", 0, mbps=FAST).settings)
    message = frames.message_ticks(machine) / machine.parameters["clock.ticks_per_us"]

    def one(system: str) -> None:
        gap = saturation.gap_us(system, bench.drops)
        found[system] = {"message_us": message, "gap_us": gap}
        found[system]["ms"] = saturation.overloaded(gap or 0, message)

    with bar.task("saturation", len(systems)) as update:
        side_by_side(one, systems, cores, bench.stop, lambda n: update(n, len(systems), ""))
    return found


def _sum(records: list[dict]) -> dict:
    """Of all boots of a configuration."""
    found: dict = {"runs": [], "overheads": []}
    causes, owners, counters, evicted = Counter(), Counter(), Counter(), Counter()
    p = load(MACHINE).parameters
    clean, dirty = p["memory.read_ticks"], p["memory.read_ticks"] + p["dcache.dirty_ticks"]
    for record in records:
        own = [Probe(*row) for row in record["probes"]]
        found["runs"].append({k: record[k] for k in ("offered", "received", "ideal", "counts")})
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
    return found | {"probes": PROBES * measured, "causes": dict(causes)}


def _write_probes(path: Path, every: list[Run], found: dict[str, dict]) -> None:
    """A line for each probe after the warm-up."""
    with path.open("w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["configuration", "boot", "message", "place", *FIELDS])
        for run in every:
            for n, row in enumerate(found[run.name]["probes"]):
                message, place = divmod(n, PROBES)
                out.writerow([run.configuration.key, run.seed, message, place, *row])
