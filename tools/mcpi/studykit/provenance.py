# SPDX-License-Identifier: BSD-2-Clause
"""Counts beside a configuration's result, for the claims: where ticks went that no table shows."""

import csv
import json
from pathlib import Path

from mcpi.machine.profile import Machine
from mcpi.results import measure
from mcpi.spec import numbers, run_jobs
from mcpi.spec.run_spec import RunSpec


def of(place: Path, spec: RunSpec, machine: Machine) -> dict:
    """Figures of the client, per round trip of the first sample.

    ``ideal``: owners under ideal memory. ``outside``: busy time and i-cache misses that are not the
    path's. ``hidden_us``: of the path, what runs while request and reply are under way;
    ``reply_us``: what comes after the reply's last bit.
    ``oracle``: counters of the whole run, as the hardware, the retirements and the memory model
    have them; of engine exact, of the same run on the RTL.
    """
    per_us = machine.parameters["clock.ticks_per_us"]
    real = measure.counters(place / "counters.json")[numbers.CLIENT]
    ideal = measure.counters(place / run_jobs.IDEAL / "counters.json")[numbers.CLIENT]["path"]
    trips = spec.round_trips
    owners = {k: v for k, v in ideal.items() if k.startswith("owner.") and v}
    found = {
        "ideal": {k.removeprefix("owner."): v / ideal["invocations"] for k, v in owners.items()},
        "taken": ideal.get("taken_branches", 0) / ideal["invocations"],
        "outside": {
            "busy_us": (_busy(real["all"]) - _busy(real["path"])) / trips / per_us,
            "i_misses": (real["all"]["icache.misses"] - real["path"]["icache.misses"]) / trips,
        },
    }
    if (stamps := place / "stamps.csv").is_file():
        ticks = path_split(stamps, trips)
        found |= {f"{name}_us": n / per_us for name, n in ticks.items()}
    if (oracle := place / "oracle.json").is_file():
        found["oracle"] = json.loads(oracle.read_text())[numbers.CLIENT]
    return found


def _busy(count: dict[str, int]) -> int:
    return count["ticks"] - count.get("owner.idle", 0)


def path_split(stamps: Path, trips: int) -> dict[str, float]:
    """Ticks of the path's window per measured round trip: ``hidden``, from the hand-over to the
    reply's last bit, while nobody waits for the client; ``reply``, from there on."""
    with stamps.open(newline="") as stream:
        rows = [(int(r["tick"]), r["stamp"]) for r in csv.DictReader(stream) if r["node"] == "0"]
    begin = next((t for t, s in rows if s == "measure_start"), 0)
    end = next((t for t, s in rows if s == "measure_end"), 0)
    opened = running = False
    phase, before = "request", 0
    total = {"request": 0, "hidden": 0, "reply": 0}
    for tick, stamp in rows:
        if running and begin <= before and tick <= end:
            total[phase] += tick - before
        before = tick
        match stamp:
            case "window_open":
                opened = running = True
            case "window_close":
                opened = running = False
            case "window_pause":
                running = False
            case "window_resume":
                running = opened
            case "hand_over":
                phase = "hidden"
            case "rx_last_bit" if phase == "hidden":
                phase = "reply"
            case "round_trip_end":
                phase = "request"
    return {name: total[name] / trips for name in ("hidden", "reply")}
