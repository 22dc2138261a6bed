# SPDX-License-Identifier: BSD-2-Clause
"""Code that is changed and run, mostly without a flush: the exact engine executes what I-cache,
stream buffer and pipeline have, as the RTL does (core.md, Memory side)."""

from pathlib import Path

import pytest
from sim_support.changed_code import MACHINES, PALCODE, Program
from sim_support.simulators import both, build, guests, logged_from_reset, machine_json

from mcpi.results import folders
from verify.long_tests import sampled

USUAL, MANY = 2, 20  # programs of each machine


def runs(number: int, settings: dict[str, str], folder: Path) -> tuple[Path, Path]:
    """The folders of RTL and exact engine; every tick of node 0 is logged."""
    items = guests("code", folder, Program(number).text(), PALCODE)
    options = [*logged_from_reset(folder), "--max-ticks", 3_000_000]
    own = ["--no-lockstep", "--no-oracle"]  # these read memory
    machine = machine_json(folder, settings)
    for done in both(build(), folder, machine, *options, of_rtl=own, items=items):
        assert done.returncode == 0, done.stderr
    return folder / "rtl", folder / "exact"


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("number", sampled(range(MANY), lambda n: n < USUAL))
def test_what_was_fetched_is_executed(machine, number, tmp_path):
    rtl, exact = runs(number, MACHINES[machine], tmp_path)
    assert not folders.differences(rtl, exact)


def test_changes_are_not_seen_at_once(tmp_path):
    """With the I-cache and without it the same program adds up to something else."""
    observed = [
        (runs(0, settings, tmp_path)[0] / "console.0.txt").read_bytes()
        for settings in (MACHINES["usual"], MACHINES["one block"])
    ]
    assert observed[0] != observed[1]
