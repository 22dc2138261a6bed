# SPDX-License-Identifier: BSD-2-Clause
"""The areas in docs/reference/phy.md are what yosys finds now."""

import pytest

from mcpi.base.repo import ROOT
from mcpi.fpga import report

KINDS = ("comb", "lut4", "carry", "distributed_ram", "ff", "ebr")


@pytest.mark.long
def test_the_areas_in_the_docs():
    page, stale = (ROOT / "docs" / "reference" / "phy.md").read_text(), []
    for title, part in report.measure("phy", "dec3000-600", {}).items():
        figures = " | ".join(f"{getattr(report.cost(part.netlist), kind):,}" for kind in KINDS)
        stale += [line] if (line := f"| `{title}` | {figures} |") not in page else []
    assert not stale, "docs/reference/phy.md; see ./mcpi board report --block phy\n" + "\n".join(
        stale
    )
