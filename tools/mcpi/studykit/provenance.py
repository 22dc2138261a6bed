# SPDX-License-Identifier: BSD-2-Clause
"""Counts beside a configuration's result, for the claims: where ticks went that no table shows."""

import csv
import json
from pathlib import Path

from mcpi.machine.profile import Machine
from mcpi.results import measure
from mcpi.spec import numbers, run_jobs
from mcpi.spec.run_spec import RunSpec

CLOSES = ("window_close", "window_pause")


def of(place: Path, spec: RunSpec, machine: Machine) -> dict:
    """Figures of the client, per round trip of the first sample.

    ``ideal``: owners under ideal memory. ``outside``: busy time and i-cache misses that are not the
    path's. ``behind_us``: of the path, what comes after the hand-over to the controller.
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
        found["behind_us"] = after_path(stamps, trips) / per_us
    if (oracle := place / "oracle.json").is_file():
        found["oracle"] = json.loads(oracle.read_text())[numbers.CLIENT]
    return found


def _busy(count: dict[str, int]) -> int:
    return count["ticks"] - count.get("owner.idle", 0)


def after_path(stamps: Path, trips: int) -> float:
    """Ticks of the path's window after the hand-over, per measured round trip."""
    with stamps.open(newline="") as stream:
        rows = [(int(r["tick"]), r["stamp"]) for r in csv.DictReader(stream) if r["node"] == "0"]
    begin = next((t for t, s in rows if s == "measure_start"), 0)
    end = next((t for t, s in rows if s == "measure_end"), 0)
    since: int | None = None  # the window is open, not paused, and the frame handed over
    opened = running = handed = False
    total = 0
    for tick, stamp in rows:
        if since is not None and stamp in (*CLOSES, "round_trip_end"):
            total += tick - since if begin <= tick <= end else 0
            since = None
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
                handed = True
            case "round_trip_end":
                handed = False
        if since is None and running and handed:
            since = tick
    return total / trips
