#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Costs of a classifier in software and in the controller (docs/explanation/results.md).

PYTHONPATH=tools python3 bench/paths/classifier.py [link orders]

PIN and ALL without a classifier, with the guard in software, and with the controller's entries;
FAST, whose guard is a part of its fast path, for comparison. Instructions and T_p are of an
invocation of the client's path, times in µs; the usual link order. Then each row of
docs/data/extensions/classifier-predictions.csv as it came out: the median over the usual link order
and so many shuffled ones (default 5), of the differences of two images with the same order. That no
tick of the controller moves is sim/test/lance/test_classifier.py's to show, and no row.
"""

import csv
import statistics
import sys
import tempfile
from functools import cache
from pathlib import Path

from mcpi import api
from mcpi.base.repo import ROOT

STACKS, SPEEDS = ("tcp", "rpc"), (10, 100)
NONE, SOFTWARE, CONTROLLER, OWN = "none", "software", "controller", "its own"
ROWS = [(v, who) for v in ("pin", "all") for who in (NONE, SOFTWARE, CONTROLLER)] + [("fast", OWN)]
FAST_WIRE = {"link.mbps": "100", "lance.profile": "ideal"}
USUAL = "default"


@cache
def measured(stack: str, variant: str, who: str, mbps: int, order: str = USUAL) -> tuple:
    """Instructions and T_p of the client, T_p of the server, T_e."""
    settings = FAST_WIRE if mbps == 100 else {}
    settings = settings | ({"lance.classifier": "on"} if who == CONTROLLER else {})
    more = {"defines": ("PIN_GUARD_INSIDE=1",)} if who == SOFTWARE else {}
    with tempfile.TemporaryDirectory() as out:
        run = api.run(
            stack=stack, variant=variant, layout=order, set=settings, out=Path(out) / "run", **more
        )
        return run.client.instructions, run.client.t_p_us, run.server.t_p_us, run.t_e_us


def came_out(row: dict[str, str], orders: list[str]) -> float:
    """The median over link orders of what one classifier has more than another."""
    more, less, place = {
        "instructions_over_none": (CONTROLLER, NONE, 0),
        "tp_saved": (SOFTWARE, CONTROLLER, 1),
        "te_saved": (SOFTWARE, CONTROLLER, 3),
    }[row["figure"]]

    def of(who: str, order: str) -> float:
        return measured(row["stack"], row["variant"], who, int(row["mbps"]), order)[place]

    return statistics.median(of(more, order) - of(less, order) for order in orders)


def main(shuffles: int) -> None:
    print(f"{'Mb/s stack variant classifier':32}{'length':>8}{'T_p':>7}{'server':>8}{'T_e':>8}")
    for mbps in SPEEDS:
        for stack in STACKS:
            for variant, who in ROWS:
                length, *times = measured(stack, variant, who, mbps)
                shown = "".join(f"{t:{w}.2f}" for t, w in zip(times, (7, 8, 8), strict=True))
                print(f"{mbps:4} {stack:5} {variant:7} {who:13}{length:8,.1f}{shown}", flush=True)
    print()
    orders = [USUAL, *(f"shuffle-{n}" for n in range(1, shuffles + 1))]
    with (ROOT / "docs/data/extensions/classifier-predictions.csv").open(newline="") as stream:
        for row in csv.DictReader(stream):
            if row["figure"] == "controller_moved":
                continue
            ours = came_out(row, orders)
            holds = float(row["least"]) <= ours <= float(row["most"])
            what = f"{row['stack']} {row['variant']} {row['mbps']:>3} {row['prediction']}"
            bounds = f"{row['least']} to {row['most']}"
            print(f"{what:62}{bounds:12}{ours:6.2f}  {'holds' if holds else 'FAILS'}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 5)
