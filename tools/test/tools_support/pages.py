# SPDX-License-Identifier: BSD-2-Clause
"""The pages of the checkout, and the parts that programs write."""

import re
from pathlib import Path

from mcpi.base.repo import ROOT

DOCS = ROOT / "docs"
OTHERS = ("*.md", "examples/*.md", "course/**/*.md")
PAGES = sorted([*(page for glob in OTHERS for page in ROOT.glob(glob)), *DOCS.rglob("*.md")])
# Parts that a program writes into a page: tables of the study, and transcripts of commands.
MADE = re.compile(
    r"^<!-- (?P<name>\w+) -->\n.*?^<!-- end -->"
    r"|^<!-- (?:slow |refused |measured )?\$ [^\n]+ -->\n+```.*?^```",
    re.M | re.S,
)


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))
