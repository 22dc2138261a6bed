# SPDX-License-Identifier: BSD-2-Clause
"""The tables that papers printed: ``papers/PAPER/TABLE_*.csv``."""

import csv
from functools import cache

from mcpi.base.repo import ROOT

PAPERS = ROOT / "papers"


@cache
def rows(name: str) -> tuple[dict[str, str], ...]:
    """A table by its path below ``papers/``, without ``.csv``: one dictionary for each row."""
    with (PAPERS / f"{name}.csv").open(newline="") as stream:
        return tuple(csv.DictReader(stream))


def row(name: str, **key: str) -> dict[str, str]:
    """The row whose columns equal ``key``; empty when the paper has none."""
    return next((r for r in rows(name) if all(r[k] == v for k, v in key.items())), {})


def number(text: str | None) -> float | None:
    """A cell; None for an empty one."""
    return float(text) if text else None
