# SPDX-License-Identifier: BSD-2-Clause
"""Random runs that end anywhere: they give up in any tick, or print and pass markers after their
exit. Both engines leave the same files, up to the last tick and no further."""

import csv
import random
from collections import Counter
from pathlib import Path

import pytest
from sim_support.exit_programs import BEFORE
from sim_support.simulators import (
    PAL_BASE,
    START,
    both,
    build,
    guest,
    machine_json,
    run,
    run_record,
    simulate,
)
from sim_support.trap_order import PAL

from mcpi.build import models
from mcpi.results import folders
from verify.long_tests import sampled

USUAL, MANY = 12, 240
CHANGES = (
    "ldq $5, 0($2)\n\tlda $2, 4096($2)",
    "stq $3, 64($2)\n\tlda $2, 128($2)",
    "ldq $5, 0($2)\n\taddq $5, 1, $5\n\tlda $2, 4096($2)",
)
AFTER = {  # what comes after the exit, or in its place
    "rests": "br $31, .",
    "prints": "stq $3, -0x10($13)\n\tbr $31, .-4",
    "misses": f"{CHANGES[0]}\n\t{CHANGES[1]}\n\tbr $31, .-16",
    "waits for a miss": f"{CHANGES[2]}\n\tbr $31, .-12",
    "passes a marker": "addq $3, 1, $3\n\tbr $31, .-4",
}
INTERRUPTS = {"none": None, "before": range(-400, -30), "around": range(-30, 30)}
INTERRUPTS["after"] = range(30, 400)  # ticks from the exit on
ENDS = ("exit", "gives up")
OWNERS = ("issue", "i_demand", "d_miss", "io", "other")
LAST = {  # of the last tick's events
    "core on the bus": "bus.core_ticks",
    "access": "bcache.accesses",
    "PAL mode": "pal_ticks",
}
BINS = [f"end {end}, after it {after}" for end in ENDS for after in AFTER]
BINS += [f"end {end}, interrupt {when}" for end in ENDS for when in INTERRUPTS]
BINS += [f"last tick {name}" for name in (*OWNERS, *LAST)]
MACHINES = ({}, {}, {}, {"memory.ideal": "on"}, {"core.prediction": "ev4"})


class Guest:
    """Guest of a number: its end, its interrupt, and the tick in which the run gives up."""

    def __init__(self, number: int, folder: Path) -> None:
        draw = random.Random(f"ends {number}")
        self.folder = folder
        self.end, self.after = draw.choice(ENDS), draw.choice(list(AFTER))
        self.when, settings = draw.choice(list(INTERRUPTS)), draw.choice(MACHINES)
        self.machine = machine_json(folder, settings)
        before = draw.choices([*BEFORE, *CHANGES], k=draw.randrange(5, 80))
        exits = ["lda $17, 0($31)", "stq $17, 0($13)"]
        lines = [*before, *(exits if self.end == "exit" else [])]
        text = f"{START}\tlda $2, 1($31)\n\tsll $2, 21, $2\n\tlda $4, 1($31)\n"
        text += "\tstq $4, 0x1000($13)\n"  # timer on
        text += "".join(f"\t{line}\n" for line in lines) + f"after:\t{AFTER[self.after]}\n"
        self.elf = guest("guest", folder, text=text)
        self.pal = guest("pal", folder, PAL_BASE, PAL)
        self.markers = folder / "markers"
        self.markers.write_text(f"{PAL_BASE},1,1\n{self._label():#x},5,1\n")
        self.last = self._length()
        if self.end == "gives up":
            self.last = draw.randrange(600, self.last + 400)
        far = INTERRUPTS[self.when]
        self.phase = max(1, self.last + draw.choice(far)) if far else 1_000_000

    def _label(self) -> int:
        listed = run("alpha-linux-gnu-nm", self.elf, text=True).stdout
        return next(int(line.split()[0], 16) for line in listed.splitlines() if " after" in line)

    def _length(self) -> int:
        """The ticks of the run without an interrupt."""
        self.phase = 1_000_000
        program = models.build("mcpi-exact")
        simulate(build(), self.folder / "length", self.machine, *self._words(4000), program=program)
        return run_record(self.folder / "length")["ticks"]

    def _words(self, ticks: int) -> list[object]:
        items = {"pal": self.pal, "image": self.elf, "phase": self.phase, "markers": self.markers}
        words = [w for n in (0, 1) for k, v in items.items() for w in ("--node", f"{n}:{k}={v}")]
        return [*words, "--tick-log", "0", "--trace", "0", "--max-ticks", ticks]

    def ends(self, *engines: str) -> list[str]:
        """Run on the engines named; the errors that they say."""
        words, made = self._words(self.last if self.end == "gives up" else 100_000), build()
        if engines == ("exact",):
            program = models.build("mcpi-exact")
            done = [simulate(made, self.folder / "exact", self.machine, *words, program=program)]
        else:
            done = both(made, self.folder, self.machine, *words)
        status = int(self.end == "gives up")
        assert all(one.returncode == status for one in done), [one.stderr for one in done]
        said = [one.stderr.splitlines()[-1].partition(": ")[2] for one in done]
        return said if status else [""] * len(said)

    @property
    def bins(self) -> list[str]:
        """Bins that the exact engine's run falls into."""
        with (self.folder / "exact" / "ticks.csv").open(newline="") as file:
            *_, last = csv.DictReader(file)
        events = last["events"].split()
        owner = last["owner"] if last["owner"] in OWNERS else "other"
        met = [f"end {self.end}, after it {self.after}", f"end {self.end}, interrupt {self.when}"]
        met += [f"last tick {name}" for name, event in LAST.items() if event in events]
        return [*met, f"last tick {owner}"]


@pytest.mark.parametrize("number", sampled(range(MANY), lambda n: n < USUAL))
def test_a_random_end(number, tmp_path):
    one = Guest(number, tmp_path)
    said = one.ends("rtl", "exact")
    assert said[0] == said[1]
    found = folders.differences(tmp_path / "rtl", tmp_path / "exact")
    assert not found, (one.end, one.after, one.when, found)
    runs = [run_record(tmp_path / name) for name in ("rtl", "exact")]
    for figure in ("ticks", "exit_codes", "instructions"):
        assert runs[0][figure] == runs[1][figure]


@pytest.mark.long
def test_random_ends_fill_every_bin(tmp_path):
    """Each bin is hit, and how often is printed."""
    met = Counter()
    for number in range(MANY):
        (folder := tmp_path / f"{number}").mkdir()
        one = Guest(number, folder)
        one.ends("exact")
        met.update(one.bins)
    for name in BINS:
        print(f"{met[name]:5}  {name}")
    assert set(met) <= set(BINS)
    assert not [name for name in BINS if not met[name]]
