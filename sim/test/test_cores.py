# SPDX-License-Identifier: BSD-2-Clause
"""The RTL of a node of several cores says what the exact engine says, on every file."""

import coherent_programs
import coherent_rtl
import pytest
from sim_support import guest

from mcpi.verify.long_tests import sampled

# A model for each of these, all in the first tests that want it.
MACHINES = {
    "two": ("dec3000-mp", {"core.count": "2"}),
    "one": ("dec3000-mp", {"core.count": "1"}),
    "three": ("dec3000-mp", {"core.count": "3", "bcache.block": "64B", "bus.outstanding": "2"}),
    "challenge": ("challenge-100", {"core.count": "4", "bcache.size": "64KB"}),
    "eight": ("challenge-100", {"core.count": "8"}),
}
CASES = [(name, seed) for name in MACHINES for seed in range(8)]


def run_settings(seed: int) -> dict[str, str]:
    """Of a random machine what acts at run time: it builds nothing."""
    drawn = coherent_programs.settings(seed)
    shapes = ("core.", "cache.", "bcache.block", "bcache.size", "entries", "outstanding")
    return {k: v for k, v in drawn.items() if not any(part in k for part in shapes)}


@pytest.mark.parametrize("case", sampled(CASES, lambda c: c[0] == "two" and c[1] < 4))
def test_a_random_program_lives_as_in_the_engine(tmp_path, case):
    name, seed = case
    machine, settings = MACHINES[name]
    settings = settings | (run_settings(seed) if seed else {})
    source = tmp_path / "guest.S"
    count = int(settings["core.count"])
    source.write_text(coherent_programs.program(seed, count))
    image = guest("guest", tmp_path, source=source)
    coherent_rtl.lives(tmp_path, machine, settings, image)
    assert not (found := coherent_rtl.difference(tmp_path, count)), found


@pytest.mark.long
def test_locks_of_the_sync_bus(tmp_path):
    """All take locks at once; sync.S counts how often one was free."""
    image = guest("sync", tmp_path)
    coherent_rtl.lives(tmp_path, "power-series-33", {"core.count": "4"}, image)
    assert not (found := coherent_rtl.difference(tmp_path, 4)), found


@pytest.mark.parametrize("name", sampled(MACHINES, lambda name: name == "two"))
def test_cores_count_together_and_call_core_0(tmp_path, name):
    """By LDQ_L and STQ_C; then by an interprocessor interrupt."""
    machine, settings = MACHINES[name]
    coherent_rtl.lives(tmp_path, machine, settings, guest("cores", tmp_path))
    count = int(settings["core.count"])
    assert not (found := coherent_rtl.difference(tmp_path, count)), found
