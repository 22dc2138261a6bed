# SPDX-License-Identifier: BSD-2-Clause
"""The areas in docs/phy.md are what yosys finds now."""

import pytest

from mcpi import phy_report


@pytest.mark.long
def test_the_areas_in_the_docs():
    page = phy_report.PAGE.read_text()
    stale = [line for line in phy_report.lines(phy_report.measure()) if line not in page]
    assert not stale, "docs/phy.md; again: python -m mcpi.phy_report\n" + "\n".join(stale)
