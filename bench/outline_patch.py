#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Gain of the patch of ./mcpi layout outline (docs/explanation/variants.md).

PYTHONPATH=tools python3 bench/outline_patch.py

Makes the patch, measures OUT and ALL, applies it, measures again, takes it back. On the exact
engine; T_p of the client in µs, iCPI, and per cent of the fetched words that are not executed.
"""

import json
import subprocess
import tempfile
from pathlib import Path

from mcpi import api
from mcpi.base.repo import ROOT

VARIANTS, STACKS = ("out", "all"), ("tcp", "rpc")


def measured(stack: str, variant: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "run"
        api.run(stack=stack, variant=variant, engine="exact", round_trips=50, out=place)
        path = json.loads((place / "result.json").read_text())["steady"]["client"]
    return f"{path['time_us']:8.2f} {path['icpi']:6.2f} {path['fetch']['unused_percent']:6.1f}"


def git(*words: str) -> None:
    subprocess.run(["git", *words], cwd=ROOT, check=True)


def main() -> None:
    if subprocess.run(["git", "diff", "--quiet", "HEAD", "--", "firmware"], cwd=ROOT).returncode:
        raise SystemExit("firmware/ is changed; commit first: the patch is taken back in the end")
    rows = [(stack, variant) for stack in STACKS for variant in VARIANTS]
    with tempfile.TemporaryDirectory() as folder:
        patch = Path(folder) / "outline.patch"
        words = [ROOT / "mcpi", "layout", "outline", "--out", patch]
        subprocess.run(words, check=True, capture_output=True)
        before = [measured(*row) for row in rows]
        git("apply", str(patch))
        try:
            after = [measured(*row) for row in rows]
        finally:
            git("apply", "--reverse", str(patch))
    heads = f"{'T_p':>8} {'iCPI':>6} {'unused':>6}"
    print(f"{'':8} {'annotations by hand':>22}   {'with the patch':>22}")
    print(f"{'':8} {heads}   {heads}")
    for (stack, variant), one, two in zip(rows, before, after, strict=True):
        print(f"{stack + ' ' + variant:8} {one}   {two}")


if __name__ == "__main__":
    main()
