# SPDX-License-Identifier: BSD-2-Clause
"""``docs/verification/mutants.md``: a block for each design, written by the test of its mutants."""

import re

from mcpi.base.errors import UserError
from mcpi.base.repo import ROOT

PAGE = ROOT / "docs" / "verification" / "mutants.md"


def fill(page: str, part: str, text: str) -> str:
    """The page with the block ``part`` made anew; UserError if it has no such block."""
    block = re.compile(rf"(<!-- {part} -->\n).*?(<!-- end -->)", re.S)
    if not block.search(page):
        raise UserError(f"{PAGE.name} has no block '{part}'.")
    return block.sub(lambda m: f"{m[1]}{text.rstrip()}\n{m[2]}", page, count=1)


def write(part: str, text: str) -> None:
    PAGE.write_text(fill(PAGE.read_text(), part, text))
