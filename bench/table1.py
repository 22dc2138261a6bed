#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Savings of each change of SIGCOMM'96 Table 1 and 2.2.1 here, next to the paper's.

PYTHONPATH=tools python3 bench/table1.py [round trips [switch...]]

STD with one switch off after the other, and all of Table 1 off, on the simulated machine: dynamic
instructions and time (T_p) of one invocation of the path on the client. Both stacks; the paper has
TCP/IP's instructions only. XK_BUCKETS does nothing on the path: it is priced by what TCP's timers
execute while nothing happens.
"""

import csv
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import two_nodes

from mcpi.base.repo import ROOT
from mcpi.build import graph
from mcpi.firmware import images
from mcpi.spec.numbers import STACKS
from mcpi.spec.run_spec import RunSpec

ROWS = {  # switch: how Table 1's row begins
    "XK_WORDS": "Change bytes",
    "XK_REFRESH": "More efficiently",
    "XK_USC": "Use USC",
    "XK_MAPINL": "Inlined hash",
    "XK_INLINE": "Various",
    "XK_NODIV": "Avoid",
    "XK_MISC": "Other",
}
DATA = ("XK_PACK", "XK_CONT", "XK_BUCKETS")  # the changes for the data cache
WARMUP = 50  # TCP's congestion window is open by then: 45 acknowledgements, 1460 bytes to 65535
TICKS_PER_US = 175
TRAVERSALS = 5 + 2  # of TCP's connections in a second: every 200 ms and every 500 ms
IDLE_SECONDS = 2


def paper() -> dict[str, int]:
    with (ROOT / "papers" / "sigcomm96/table1_instruction_savings.csv").open() as stream:
        rows = {r["technique"]: int(r["instructions_saved"]) for r in csv.DictReader(stream)}
    begins = {**ROWS, "Table 1": "Total"}
    return {k: next(n for t, n in rows.items() if t.startswith(b)) for k, b in begins.items()}


def measured(
    built: graph.Built, stack: str, defines: tuple[str, ...], trips: str
) -> tuple[float, float]:
    """Instructions and us of the client's path, means over the round trips."""
    plan = images.build(images.plan(RunSpec().check(), "std", stack, defines))
    with tempfile.TemporaryDirectory() as scratch:
        folder, boot = Path(scratch), {"stack": STACKS[stack], "round_trips": trips}
        two_nodes.run(built, folder, plan.pal, plan.image, **boot, warmup=WARMUP)
        path = json.loads((folder / "counters.json").read_text())["nodes"][0]["path"]
    n = path["invocations"]
    return path["instructions"] / n, path["ticks"] / n / TICKS_PER_US


def idle_instructions(built: graph.Built, defines: tuple[str, ...]) -> int:
    """Instructions of a TCP server that nobody talks to, in two seconds."""
    plan = images.build(images.plan(RunSpec().check(), "std", "tcp", defines))
    with tempfile.TemporaryDirectory() as scratch:
        options = {"nodes": (0,), "mode": "serve", "role": 1}
        words = two_nodes.words(built, Path(scratch), plan.pal, plan.image, **options)
        words += ["--no-lockstep"]
        second = TICKS_PER_US * 1_000_000
        lines = "".join(f"r {n * second}\n" for n in (1, 1 + IDLE_SECONDS))
        done = subprocess.run(words, input=lines, check=True, capture_output=True, text=True)
    before, after = (int(row.split()[3]) for row in done.stdout.splitlines())
    return after - before


def main() -> None:
    trips = sys.argv[1] if len(sys.argv) > 1 else "20"
    built = two_nodes.usual()
    theirs = paper()
    off = {switch: (f"{switch}=0",) for switch in (*ROWS, *DATA)}
    off["Table 1"] = tuple(f"{switch}=0" for switch in ROWS)
    if wanted := sys.argv[2:]:
        off = {name: off[name] for name in wanted}
    usual = {stack: measured(built, stack, (), trips) for stack in STACKS}
    titles = "".join(f"{f'{stack}, {what}':>14}" for stack in STACKS for what in ("instr.", "us"))
    print(f"{'off':12}{titles}{'paper, tcp':>14}")
    cells = "".join(f"{n:>14,.1f}{us:>14.1f}" for n, us in usual.values())
    print(f"{'(STD)':12}{cells}{4750:>14,}", flush=True)
    for name, defines in off.items():
        cells = ""
        for stack in STACKS:
            n, us = measured(built, stack, defines, trips)
            cells += f"{n - usual[stack][0]:>+14,.1f}{us - usual[stack][1]:>+14.1f}"
        there = f"{theirs[name]:>+14,}" if name in theirs else f"{'-':>14}"
        print(f"{name:12}{cells}{there}", flush=True)
    idle = [idle_instructions(built, defines) for defines in ((), ("XK_BUCKETS=0",))]
    each = (idle[1] - idle[0]) / (TRAVERSALS * IDLE_SECONDS)
    print(f"XK_BUCKETS: {each:+,.0f} instructions each time a timer goes through TCP's connections")


if __name__ == "__main__":
    main()
