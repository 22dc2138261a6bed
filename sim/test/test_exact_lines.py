# SPDX-License-Identifier: BSD-2-Clause
"""Tests of an interrupt line that rises or falls, as software reads it tick by tick: HIRR of the
exact engine is the RTL's, whatever clock and TURBOchannel are."""

from pathlib import Path

import pytest
from sim_support import both, build, guests, machine_json

from mcpi.results import folders
from verify.long_tests import sampled

# a2 is what bit a1 of HIRR shall be. v0 adds up what each tick of the loop has read.
READS = range(1, 9)
HIRR = "".join(f"\t.long {0x6400002C | n << 21 | n << 16:#x}\t// HW_MFPR\n" for n in READS)
PALCODE = (
    "\n\t.org 0x3180\n\tbis $31, $31, $0\n1:"
    + HIRR
    + "".join(f"\tand ${n}, $17, ${n}\n\taddq $0, ${n}, $0\n" for n in READS)
    + "\taddq $0, 16, $0\n\tsubq $8, $18, $8\n\tbne $8, 1b\n\t.long 0x7bff8000\n"
)
MACHINES = {
    "real": {},
    "ideal": {"memory.ideal": "on"},
    **{
        f"{mhz} MHz, {cycle} ticks": {
            "memory.ideal": "on",
            "clock.ticks_per_us": f"{mhz}",
            "turbochannel.ticks_per_cycle": f"{cycle}",
        }
        for mhz, cycle in ((265, 11), (50, 1), (130, 6), (335, 13), (400, 16))
    },
}


def items(folder: Path) -> tuple[str, ...]:
    """PALcode and guest."""
    return guests("lines", folder, palcode=PALCODE)


@pytest.mark.parametrize("name", sampled(MACHINES, lambda name: " " not in name))
def test_each_tick_of_a_line(name, tmp_path):
    settings = MACHINES[name]
    machine = machine_json(tmp_path, settings)
    for done in both(build(settings), tmp_path, machine, items=items(tmp_path)):
        assert done.returncode == 0, done.stderr
    assert not folders.differences(tmp_path / "rtl", tmp_path / "exact")
    told = (tmp_path / "exact" / "console.0.txt").read_bytes()
    assert len({told[n : n + 4] for n in range(0, len(told), 4)}) > 15, "of many phases"
