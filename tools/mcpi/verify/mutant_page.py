# SPDX-License-Identifier: BSD-2-Clause
"""``docs/verification/mutants.md``: a block for each design, written by the test of its mutants."""

from mcpi.base.blocks import fill
from mcpi.base.repo import ROOT

PAGE = ROOT / "docs" / "verification" / "mutants.md"


def write(part: str, text: str) -> None:
    PAGE.write_text(fill(PAGE.read_text(), {part: text}))
