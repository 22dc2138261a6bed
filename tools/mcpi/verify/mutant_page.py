# SPDX-License-Identifier: BSD-2-Clause
"""``docs/verification/mutants.md``: a block for each design, written by the test of its mutants."""

from pathlib import Path

from mcpi.base.blocks import fill
from mcpi.base.repo import ROOT

PAGE = ROOT / "docs" / "verification" / "mutants.md"


def write(part: str, text: str, page: Path = PAGE) -> None:
    page.write_text(fill(page.read_text(), {part: text}))
