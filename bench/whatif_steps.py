#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Predictions of ./mcpi whatif against real edits: the steps of FAST in TCP (fastpath.md).

PYTHONPATH=tools python3 bench/whatif_steps.py

A step replaces functions of the path by others. The prediction: the round trip changes by what
those that go save when they vanish, less what those that come save. `edited` is the difference of
both programs' round trips, in ticks, on the exact engine.
"""

from fast_steps import rows

from mcpi.api import causes
from mcpi.base.progress import Silent
from mcpi.spec.run_spec import RunSpec

TRIPS = 20
TITLES = ("predicted", "edited", "error", "goes", "comes")


def spec_of(variant: str, defines: tuple[str, ...]) -> RunSpec:
    return RunSpec(variant=variant, defines=defines, round_trips=TRIPS)


def functions(spec: RunSpec) -> set[str]:
    """Functions that have ticks on the path of either machine."""
    return {function for function, _ in causes.ticks(spec, Silent())}


def without(spec: RunSpec, names: set[str]) -> tuple[int, int]:
    """Ticks of all round trips, and how many fewer they are without those functions."""
    return causes.shorter(spec, tuple(sorted(names)), Silent())


def main() -> None:
    steps = {title: spec_of(*what) for title, what in rows("tcp").items() if title != "ALL"}
    print(f"{'':14}" + "".join(f"{title:>11}" for title in TITLES))
    pairs = list(steps.items())
    for (_, before), (title, after) in zip(pairs, pairs[1:]):
        ours, theirs = functions(before), functions(after)
        goes, comes = ours - theirs, theirs - ours
        (whole, less), (other, more) = without(before, goes), without(after, comes)
        predicted, edited = (less - more) / TRIPS, (whole - other) / TRIPS
        numbers = (predicted, edited, predicted - edited)
        cells = [f"{n:,.1f}" for n in numbers] + [str(len(goes)), str(len(comes))]
        print(f"{title:14}" + "".join(f"{cell:>11}" for cell in cells), flush=True)


if __name__ == "__main__":
    main()
