# SPDX-License-Identifier: BSD-2-Clause
"""The areas in docs/reference/phy.md are what yosys finds now."""

import pytest

from mcpi.base.repo import ROOT
from mcpi.fpga import report

KINDS = ("lut4", "carry", "distributed_ram", "comb", "ff", "ebr", "dsp")


@pytest.mark.long
def test_the_areas_in_the_docs():
    page = (ROOT / "docs" / "reference" / "phy.md").read_text()
    rows, stale = [line.split() for line in page.splitlines()], []
    for title, part in report.measure("phy", "dec3000-600", {}).items():
        row = [title, *(f"{getattr(report.cost(part.netlist), kind):,}" for kind in KINDS)]
        stale += [] if row in rows else [" ".join(row)]
    assert not stale, "docs/reference/phy.md; ./mcpi board report --block phy says " + str(stale)
