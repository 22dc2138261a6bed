# SPDX-License-Identifier: BSD-2-Clause
"""Everything that was measured as one record, ``study.json``; the tables draw from it alone."""

import dataclasses
import json
import statistics
from dataclasses import dataclass
from pathlib import Path

from mcpi import measure, run
from mcpi.machine import Machine
from mcpi.paper import evidence, plan
from mcpi.paper.plan import BASE, Experiment, Extent, Wanted
from mcpi.record import BOARD, MODEL, variants
from mcpi.result import check

ONLY_ONCE = ("time",)  # parts of a result in which equal runs differ
OF_A_RUN = ("images", "command", "variant", "stack", "layout")


@dataclass(frozen=True)
class Study:
    """``record`` is what ``study.json`` holds."""

    record: dict

    def result(self, stack: str, variant: str) -> dict | None:
        """The result.json of a configuration, with ``layout_noise``; None: not measured."""
        return self.record["results"].get(stack, {}).get(variant)

    def why(self, variant: str) -> str:
        """Why there is no result of a variant."""
        return self.record["absent"].get(variant, "not asked for")

    @property
    def variants(self) -> list[str]:
        """Those of the paper's order that any stack has."""
        of = self.record["results"].values()
        return [v for v in plan.ORDER if any(v in stack for stack in of)]


def collect(
    root: Path,
    wanted: Wanted,
    extent: Extent,
    experiments: list[Experiment],
    machine: Machine,
    predicted: dict[str, dict] | None = None,
    maps: dict[str, dict] | None = None,
) -> Study:
    """From the folders of all experiments; each whole one gets its ``result.json`` too."""
    results: dict[str, dict] = {}
    switches, noise, layouts, guards, seen = {}, {}, {}, {}, {}
    for e in experiments:
        place, record = root / e.name, e.record
        if record.cold or record.engine == BOARD:
            result = _whole(place, record, machine)
            seen.setdefault(record.stack, {})[record.variant] = evidence.of(place, record, machine)
            check(result)
            (place / "result.json").write_text(json.dumps(result, indent=1) + "\n")
            results.setdefault(record.stack, {})[record.variant] = result
        else:
            one = _plain(place, record, machine)
            if record.defines == (plan.GUARD,):
                guards[record.stack] = one
            elif record.defines:
                switches[record.defines[0].partition("=")[0]] = one
            elif record.copies:
                own = layouts.setdefault(record.stack, {}).setdefault(record.variant, {})
                own[record.copies] = one
            else:
                noise.setdefault((record.stack, record.variant), {})[record.layout] = one
    orders: dict[str, dict] = {}
    for (stack, variant), named in noise.items():
        result = results[stack][variant]
        icpi = result["steady"]["client"]["icpi"]
        result["layout_noise"] = _noise(list(named.values()), icpi)
        check(result)
        orders.setdefault(stack, {})[variant] = named
    about = _provenance(results)
    for stack in results.values():
        for result in stack.values():
            for part in ONLY_ONCE:
                result.pop(part, None)
    return Study(
        {
            "schema": 1,
            "provenance": about,
            "extent": dataclasses.asdict(extent),
            "absent": plan.absent(variants()),
            "remarks": remarks(results),
            "results": results,
            "switches": switches,
            "layouts": layouts,
            "orders": orders,
            "guards": guards,
            "evidence": seen,
            "model": predicted or {},
            "maps": maps or {},
        }
    )


def remarks(results: dict[str, dict]) -> list[str]:
    """What a reader must know before any figure."""
    return [*_other_servers(results), *_other_frames(results)]


def _other_frames(results: dict[str, dict]) -> list[str]:
    """Versions that did not send what the base sent: their figures compare two programs."""
    said = []
    for stack, versions in results.items():
        sent = {v: r["wire"]["digest"] for v, r in versions.items() if "wire" in r}
        if others := [v.upper() for v, digest in sent.items() if digest != sent.get(BASE, digest)]:
            said.append(
                f"{stack.upper()}: other frames than {BASE.upper()}'s: {', '.join(others)}."
            )
    return said


def _other_servers(results: dict[str, dict]) -> list[str]:
    """RPC's server is a fixed reference (4.2)."""
    peers = {v: r["provenance"]["peer_variant"] for v, r in results.get("rpc", {}).items()}
    if others := [f"{v.upper()} with {p.upper()}" for v, p in peers.items() if p != plan.BEST]:
        return [f"RPC's server should be ALL in every row; it is not in: {', '.join(others)}."]
    return []


def _whole(place: Path, record, machine: Machine) -> dict:
    """The model engine has left its result; the RTL's is made of its files."""
    if record.engine == MODEL:
        return json.loads((place / "result.json").read_text())
    return run.result_of(place, record, machine)


def _plain(place: Path, record, machine: Machine) -> dict:
    """Round trip and client's path of a single run."""
    if record.engine == MODEL:
        result = json.loads((place / "result.json").read_text())
        return _few(result["round_trip"], result["steady"]["client"])
    ticks_per_us = machine.parameters["clock.ticks_per_us"]
    window = measure.measured(measure.events(place / "events.csv"))
    count = measure.counters(place / "counters.json")[measure.CLIENT]["path"]
    path = measure.path(count, None, ticks_per_us, machine.parameters["cache.block"])
    trip = measure.round_trip([window], record.round_trips, ticks_per_us)
    return _few(trip, path)


def _few(trip: dict, path: dict) -> dict:
    found = {"mean_us": trip["mean_us"]}
    found |= {k: path[k] for k in ("time_us", "cpi", "instructions")}
    found |= {"i_misses": path["icache"]["misses"]}
    return found | {"b_misses": path["bcache"]["misses"] if "bcache" in path else 0.0}


def _noise(layouts: list[dict], icpi: float) -> dict:
    """Median and range; mCPI by the iCPI of the image that is not shuffled."""
    rows = {
        "mean_us": [one["mean_us"] for one in layouts],
        "time_us": [one["time_us"] for one in layouts],
        "mcpi": [one["cpi"] - icpi for one in layouts],
    }
    spread = {
        name: {
            "median": round(statistics.median(values), 6),
            "min": round(min(values), 6),
            "max": round(max(values), 6),
        }
        for name, values in rows.items()
    }
    return {"layouts": len(layouts), **spread}


def _provenance(results: dict[str, dict]) -> dict:
    """What all configurations have in common."""
    some = [result["provenance"] for stack in results.values() for result in stack.values()]
    first = next((p for p in some if p["variant"] == BASE), some[0])
    return {key: value for key, value in first.items() if key not in OF_A_RUN}


def save(study: Study, path: Path) -> None:
    path.write_text(json.dumps(study.record, indent=1, sort_keys=True) + "\n")


def read(path: Path) -> Study:
    return Study(json.loads(path.read_text()))
