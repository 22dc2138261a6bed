#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""What each change of SIGCOMM'96 Table 1 saves here, beside what it saved there.

PYTHONPATH=tools python3 bench/table1.py [round trips]

STD with one switch off after the other, and all off (Original), on the simulated machine: dynamic
instructions of one invocation of the path on the client. Both stacks; the paper has TCP/IP only.
"""

import csv
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from mcpi import firmware, graph
from mcpi.paths import ROOT
from mcpi.progress import Bar
from mcpi.record import Record
from mcpi.simulate import STACKS

ROWS = {  # switch: how Table 1's row begins
    "XK_WORDS": "Change bytes",
    "XK_REFRESH": "More efficiently",
    "XK_USC": "Use USC",
    "XK_MAPINL": "Inlined hash",
    "XK_INLINE": "Various",
    "XK_NODIV": "Avoid",
}
WARMUP = 4


def paper() -> dict[str, int]:
    with (ROOT / "papers" / "table1_sigcomm96_instruction_savings.csv").open() as stream:
        rows = {r["technique"]: int(r["instructions_saved"]) for r in csv.DictReader(stream)}
    begins = {**ROWS, "all": "Total"}
    return {k: next(n for t, n in rows.items() if t.startswith(b)) for k, b in begins.items()}


def instructions(built: graph.Built, stack: str, defines: tuple[str, ...], trips: str) -> float:
    """Of the client's path, mean over the round trips."""
    machine = Record().check()
    plan = firmware.build(firmware.plan(machine, "std", stack, defines))
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        (folder / "machine.json").write_text(machine.to_json())
        words = [built.simulator, "--out", folder, "--machine", folder / "machine.json"]
        words += ["--node-json", built.node_json, "--no-lockstep"]
        for node in (0, 1):
            for item in (f"pal={plan.pal}", f"image={plan.image}", f"boot.stack={STACKS[stack]}"):
                words += ["--node", f"{node}:{item}"]
            for item in (f"boot.round_trips={trips}", f"boot.warmup={WARMUP}"):
                words += ["--node", f"{node}:{item}"]
        subprocess.run([str(w) for w in words], check=True, capture_output=True)
        path = json.loads((folder / "counters.json").read_text())["nodes"][0]["path"]
    return path["instructions"] / path["invocations"]


def main() -> None:
    trips = sys.argv[1] if len(sys.argv) > 1 else "20"
    with Bar() as bar:
        built = graph.build(Record(), Record().check(), bar)
    theirs = paper()
    off = {switch: (f"{switch}=0",) for switch in ROWS}
    off["all"] = tuple(f"{switch}=0" for switch in ROWS)
    usual = {stack: instructions(built, stack, (), trips) for stack in STACKS}
    print(f"{'off':12}" + "".join(f"{stack:>18}" for stack in STACKS) + f"{'paper, tcp':>14}")
    print(f"{'(STD)':12}" + "".join(f"{n:>18,.1f}" for n in usual.values()) + f"{4750:>14,}")
    for name, defines in off.items():
        saved = (instructions(built, s, defines, trips) - usual[s] for s in STACKS)
        cells = "".join(f"{n:>+18,.1f}" for n in saved)
        print(f"{name:12}{cells}{theirs[name]:>+14,}", flush=True)


if __name__ == "__main__":
    main()
