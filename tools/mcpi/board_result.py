# SPDX-License-Identifier: BSD-2-Clause
"""``result.json`` of a run on boards: counters in ticks, the round trip in wall time."""

import json
from pathlib import Path

from mcpi import boards, doctor, measure
from mcpi.machine import Machine
from mcpi.record import Record
from mcpi.result import provenance


def result_of(place: Path, record: Record, machine: Machine) -> dict:
    """From the files of the run alone; what only a simulator sees is absent."""
    ticks_per_us = machine.parameters["clock.ticks_per_us"]
    block = machine.parameters["cache.block"]
    real = measure.counters(place / "counters.json")
    ideal = measure.counters(place / "ideal" / "counters.json")
    about = json.loads((place / "boards.json").read_text())["boards"]
    source = provenance(place, record, machine, doctor.tools())
    source["rtl_digest"] = about[0]["rtl_digest"]
    result = {
        "schema": 1,
        "provenance": source,
        "round_trip": {
            "samples": record.samples,
            "round_trips": record.round_trips,
            "ticks_per_us": ticks_per_us,
        },
        "steady": {
            side: measure.path(real[n]["path"], ideal[n]["path"], ticks_per_us, block)
            for side, n in measure.SIDES.items()
        },
        "nodes": measure.nodes(real),
    }
    client = about[measure.CLIENT]
    if client["board"] != boards.SIMULATED:  # which takes no real time
        clocks = real[measure.CLIENT]["all"]["clocks"]
        wall = clocks * 1000 / client["clock_khz"] / record.round_trips
        result["round_trip"]["wall_us"] = round(wall, 6)
    samples = ["." if n == 1 else f"sample-{n}" for n in range(1, record.samples + 1)]
    counters = [measure.counters(place / s / "counters.json") for s in samples]
    if times := measure.path_times(counters):
        result["path_time"] = {
            side: measure.spread(times[n], ticks_per_us) for side, n in measure.SIDES.items()
        }
    return result
