# SPDX-License-Identifier: BSD-2-Clause
"""The tables of ``docs/explanation/constants.md`` from ``machines/``, tested equal.

``python -m verify.docgen.constants`` writes them; with the name of a machine it prints the table of
that machine's own values.
"""

import sys

from mcpi.base.blocks import fill, table
from mcpi.base.repo import ROOT
from mcpi.machine import sources
from mcpi.machine.sources import STATUS, Fact

PAGE = ROOT / "docs" / "explanation" / "constants.md"
BASE = "dec3000-600"
HEAD = ("parameter and value", "status", "source")


def _rows(facts: dict[str, Fact]) -> list[tuple[str, ...]]:
    """Rows by status, in the order of STATUS; parameters of one source share a row."""
    groups: dict[tuple[str, str], list[str]] = {}
    for key, fact in facts.items():
        groups.setdefault((fact.status, fact.source), []).append(f"`{key}` {fact.value}")
    ordered = sorted(groups.items(), key=lambda item: STATUS.index(item[0][0]))
    return [(", ".join(keys), *about) for about, keys in ordered]


def render() -> str:
    """The page, with its tables as the files have them."""
    base = _rows(sources.of(BASE))
    fixed = [
        (name, fact.value, fact.status, fact.source, f"`{fact.file}`")
        for name, fact in sources.fixed().items()
    ]
    texts = {
        "rest": table(HEAD, [row for row in base if row[1] in ("recalled", "fitted")]),
        "fixed": table(("constant", "value", "status", "source", "file"), fixed),
    }
    return fill(PAGE.read_text(), texts)


if __name__ == "__main__":
    for machine in sys.argv[1:]:
        print(table(HEAD, _rows(sources.of(machine))))
    if not sys.argv[1:]:
        PAGE.write_text(render())
