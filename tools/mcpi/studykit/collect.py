# SPDX-License-Identifier: BSD-2-Clause
"""From the folders of all runs to one record, ``study.json``."""

import dataclasses
import json
import statistics
from pathlib import Path

from mcpi.batch.plan import ORDERS, RESULTS, Experiment, Extent
from mcpi.engines import base as engines
from mcpi.machine.profile import Machine, load
from mcpi.results import cold_replay, measure, stretches
from mcpi.results import provenance as run_provenance
from mcpi.results.record import of as checked
from mcpi.results.record import plain
from mcpi.spec import numbers, run_jobs
from mcpi.studykit import provenance
from mcpi.studykit.definition import Study
from mcpi.studykit.measured import Measured

ONLY_ONCE = ("time",)  # parts of a result in which equal runs differ
OF_A_RUN = ("images", "command", "variant", "stack", "layout", "program", "defines")


def collect(
    study: Study,
    root: Path,
    extent: Extent,
    experiments: list[Experiment],
    maps: dict[str, dict] | None = None,
) -> Measured:
    """Each experiment's figures under its part; each whole one gets its ``result.json`` too. A
    study of nodes makes its own parts."""
    common = {
        "schema": 1,
        "extent": dataclasses.asdict(extent),
        "absent": study.absent(),
        "remarks": [],
        "maps": maps or {},
    }
    if study.collect:
        own = study.collect(root, experiments, extent)
        return Measured({**common, "provenance": _of_nodes(root, experiments[0]), **own})
    found: dict[str, dict] = {RESULTS: {}, ORDERS: {}, "evidence": {}}
    for e in experiments:
        place, spec, machine = root / e.name, e.spec, e.machine
        if not e.whole:
            _put(found, e.part, _plain(place, spec, machine, e.jobs))
            continue
        result = whole(place, spec, machine)
        _put(found, e.part, result)
        seen = provenance.of(place, spec, machine)
        _put(found, ("evidence", *e.part[1:]), seen)
    results = found[RESULTS]
    for stack, versions in found[ORDERS].items():
        for variant, named in versions.items():
            result = results[stack][variant]
            icpi = result["steady"]["client"]["icpi"]
            result["layout_noise"] = _noise(list(named.values()), icpi)
            checked(result)
    about = _provenance(results, study.base)
    for stack in results.values():
        for result in stack.values():
            for part in ONLY_ONCE:
                result.pop(part, None)
    remarks = list(study.remarks(results))
    return Measured({**common, "provenance": about, "remarks": remarks, **found})


def _of_nodes(root: Path, first: Experiment) -> dict:
    """Provenance that all runs have in common: the machine of the first, without its settings."""
    plain = dataclasses.replace(first.spec, settings={})
    about = run_provenance.of(root / first.name, plain, load(plain.machine))
    about |= {"rtl_digest": about.get("rtl_digest", "none: the exact engine alone")}
    return {key: value for key, value in about.items() if key not in OF_A_RUN}


def _put(tree: dict, part: tuple[str, ...], value: dict) -> None:
    for key in part[:-1]:
        tree = tree.setdefault(key, {})
    tree[part[-1]] = value


def whole(place: Path, spec, machine: Machine) -> dict:
    """The run's result, made of its files by its engine; it is also left as ``result.json``."""
    result = plain(engines.of(spec.engine).result(spec, machine, place))
    checked(result)
    (place / "result.json").write_text(json.dumps(result, indent=1) + "\n")
    return result


def _plain(place: Path, spec, machine: Machine, jobs: tuple[run_jobs.Job, ...]) -> dict:
    """A few figures of a single run, without ideal memory; and of its cold invocation, if it has
    one, the replay."""
    trip, path = of_run(place, spec.round_trips, machine)
    found = {"mean_us": trip["mean_us"]}
    found |= {k: path[k] for k in ("time_us", "cpi", "instructions")}
    found |= {"i_misses": path["icache"]["misses"]}
    found |= {"b_misses": path["bcache"]["misses"] if "bcache" in path else 0.0}
    found |= {"owners": {k: round(v, 3) for k, v in path["owners"].items() if v}}
    cold = any(job.memory == run_jobs.COLD for job in jobs)
    if any(job.stretches for job in jobs):
        found |= _stretched(place, machine, {job.memory: place / job.folder for job in jobs})
    if replay := cold and cold_replay.counts(place / run_jobs.COLD, machine):
        found["replay"] = replay
    return found | {key: trip[key] for key in ("breakdown_us", "wire_us") if trip.get(key)}


def _stretched(place: Path, machine: Machine, folders: dict[str, Path]) -> dict:
    """Figures between Table 3's points, in the steady state and cold, and the path's iCPI: those
    that the jobs in ``folders`` have."""
    client = {
        kind: measure.counters(folder / "counters.json")[numbers.CLIENT]
        for kind, folder in folders.items()
    }
    ideal, found = client.get(run_jobs.IDEAL), {}
    found["between"] = stretches.between(client[run_jobs.REAL], ideal)
    if ideal:
        path = ideal["path"]
        found["icpi"] = round(path["ticks"] / path["instructions"], 6)
    if cold := client.get(run_jobs.COLD):
        found["between_cold"] = stretches.between(cold, ideal)
        image = place / "image.elf"
        found["ranges"] = cold_replay.result(folders[run_jobs.COLD], image, machine).get(
            "ranges", {}
        )
    return found


def of_run(place: Path, round_trips: int, machine: Machine) -> tuple[dict, dict]:
    """Round trip, with its parts, and client's path of the run in a folder."""
    per_us = machine.parameters["clock.ticks_per_us"]
    window = measure.measured(place / "events.csv")
    count = measure.counters(place / "counters.json")[numbers.CLIENT]["path"]
    path = measure.path(count, None, per_us, machine.parameters["cache.block"])
    trip = measure.round_trip([window], round_trips, per_us)
    parts = measure.breakdown(window, per_us), measure.wire(place / "stamps.csv", window, per_us)
    return trip | {"breakdown_us": parts[0], "wire_us": parts[1]}, path


def _noise(layouts: list[dict], icpi: float) -> dict:
    """Median and range of T_e, T_p and mCPI over link orders. ``icpi``: of the usual order."""
    rows = {
        "mean_us": [one["mean_us"] for one in layouts],
        "time_us": [one["time_us"] for one in layouts],
        "mcpi": [one["cpi"] - icpi for one in layouts],
    }
    kinds = {"median": statistics.median, "min": min, "max": max}
    spread = {
        name: {kind: round(take(values), 6) for kind, take in kinds.items()}
        for name, values in rows.items()
    }
    return {"layouts": len(layouts), **spread}


def _provenance(results: dict[str, dict], base: str) -> dict:
    """Provenance that all configurations have in common."""
    some = [result["provenance"] for stack in results.values() for result in stack.values()]
    first = next((p for p in some if p["variant"] == base), some[0])
    return {key: value for key, value in first.items() if key not in OF_A_RUN}
