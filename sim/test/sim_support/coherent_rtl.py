# SPDX-License-Identifier: BSD-2-Clause
"""The RTL of a node of several cores beside the exact engine: the same programs, the same files."""

import csv
from collections.abc import Iterator
from pathlib import Path

from mcpi.base.progress import Bar
from mcpi.build import graph, models
from mcpi.machine import counters, profile
from mcpi.results import folders
from mcpi.spec.run_spec import RTL
from sim_support.simulators import PAL_BASE, guest, run

# Checks that hardware makes after the tick.
LATE = {row.name for row in counters.table() if row.of in ("verdict", "slots")}


def run_both(
    folder: Path,
    name: str,
    settings: dict[str, str],
    image: Path,
    *options: object,
    faulty: Path | None = None,
    described: Path | None = None,
    most: int = 2_000_000,
    latency: int = 0,
    withhold: int = 0,
    wrong: dict[str, str] | None = None,
    **more,
) -> None:
    """Both from reset to their ends: files below ``folder / "engine"`` and ``folder / "rtl"``.
    ``faulty``: the RTL's program, if it is another, one with mistakes for instance; ``described``:
    its Node.json, if that is another too; ``latency``: clocks that its RAM takes, at most;
    ``withhold``: percent of its clocks that get no tick, at random; ``wrong``: run-time parameters
    that it alone has."""
    machine = profile.load(name, settings)
    (folder / "machine.json").write_text(machine.to_json())
    words = ["--machine", folder / "machine.json", "--image", image, "--max-ticks", most]
    words += ["--pal", guest("pal", folder, PAL_BASE), "--ticks", "--history", *options]
    if not (faulty and described):
        program, own = graph.simulator(RTL, machine, Bar())
        faulty, described = faulty or program, described or own
    run(models.build("mcpi-exact"), *words, "--out", folder / "engine")
    words += ["--backing-latency", latency] if latency else []
    words += ["--withhold", withhold] if withhold else []
    if wrong:
        words[1] = folder / "wrong.json"
        words[1].write_text(profile.load(name, settings | wrong).to_json())
    run(faulty, "--node-json", described, *words, "--out", folder / "rtl", **more)


def wrong(folder: Path, name: str, settings: dict[str, str], *more_words, **more) -> str:
    """Difference or error in a run of both as by ``run_both``; empty if there is none."""
    try:
        run_both(folder, name, settings, *more_words, **more)
    except AssertionError as error:
        return str(error)
    return difference(folder, int(settings["core.count"]))


def ticks(file: Path) -> Iterator[tuple]:
    """Ticks of ``ticks.K.csv``, one by one: the engine has one row for several that are alike."""
    with file.open(newline="") as rows:
        for row in csv.DictReader(rows):
            events = sorted(set(row["events"].split()) - LATE)
            for n in range(int(row["count"])):
                yield int(row["tick"]) + n, row["owner"], row["pc"], row["cause"], *events


def difference(folder: Path, cores: int) -> str:
    """Empty if the two say the same."""
    engine, rtl = folder / "engine", folder / "rtl"
    for core in range(cores):
        name = f"ticks.{core}.csv"
        for a, b in zip(ticks(engine / name), ticks(rtl / name), strict=False):
            if a != b:
                return f"core {core}: engine {a}, RTL {b}"
    found = folders.differences(engine, rtl, names=folders.ALONE)
    return "; ".join(f"{file}: {', '.join(said)}" for file, said in found.items())
