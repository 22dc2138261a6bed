# SPDX-License-Identifier: BSD-2-Clause
"""The table of windows as a host reads it (counters.md)."""

import pytest

from mcpi.base.errors import RunError
from mcpi.results import windows

OWNERS = ("issue", "idle")
NAMES = {"run": 0, "snapshot.all.ticks": 0x200}
NAMES |= {
    f"snapshot.set.{s}.{o}": 0x400 + 32 * s + k for s in range(8) for k, o in enumerate(OWNERS)
}
NAMES |= {"snapshot.invocations.spin": 0x45F, "snapshot.invocations.hold": 0x49F}
# Sets 1 (path), 3 (path and spin), 6 (spin and hold); what is left is 0.
VALUES = {0x420: 5, 0x421: 1, 0x460: 7, 0x4C0: 2, 0x4C1: 30, 0x45F: 9}


def table() -> dict:
    return windows.read(NAMES, lambda name: VALUES.get(NAMES[name], 0))


def test_sets_and_sums():
    content = table()
    assert content["sets"] == {
        "path": {"owner.issue": 5, "owner.idle": 1},
        "path+spin": {"owner.issue": 7, "owner.idle": 0},
        "spin+hold": {"owner.issue": 2, "owner.idle": 30},
    }
    spin, hold = content["windows"]["spin"], content["windows"]["hold"]
    assert spin == {
        "owner.issue": 9, "owner.idle": 30, "ticks": 39, "instructions": 9, "invocations": 9,
    }  # fmt: skip
    assert (hold["ticks"], hold["invocations"]) == (32, 0)


def test_every_cell_is_read():
    assert len(windows.cells(NAMES)) == 8 * 2 + 2


@pytest.mark.parametrize("bank", ["all", "path"])
def test_a_table_that_is_not_its_banks(bank):
    node = table() | {
        "all": {"owner.issue": 14, "owner.idle": 31, "ticks": 45},
        "path": {"owner.issue": 12, "owner.idle": 1, "ticks": 13},
    }
    windows.check(node)
    node[bank]["owner.idle"] += 1
    with pytest.raises(RunError, match=f"owner.idle of bank '{bank}'"):
        windows.check(node)
