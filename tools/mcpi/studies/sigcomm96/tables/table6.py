# SPDX-License-Identifier: BSD-2-Clause
"""Table 6: cache performance of one invocation from cold caches."""

from mcpi.papers.sigcomm96 import CACHES, KINDS, STACKS
from mcpi.papers.tables import row
from mcpi.studies.sigcomm96.tables.common import VERSIONS, cell, made
from mcpi.studykit.cell import Cell, Row, Table
from mcpi.studykit.measured import Measured
from mcpi.studykit.values import Get


def table(study: Measured) -> Table:
    rows = []
    for stack, title in STACKS.items():
        for variant in VERSIONS:
            name = variant.upper()
            theirs = row("table6_sigcomm96_cache_performance", stack=title, version=name)
            rows.append(Row((title, name, "replay"), _cells(study, stack, variant, theirs)))
            if study.result(stack, variant):
                rows.append(Row((title, name, "in situ"), _cells(study, stack, variant, {})))
    return made("table6", rows)


def _cells(study: Measured, stack: str, variant: str, theirs: dict) -> dict[str, Cell]:
    part = "replay" if theirs else "cold"
    return {
        f"{cache}_{short}": cell(
            study, stack, variant, count(cache, kind, part), theirs.get(f"{column}_{short}")
        )
        for cache, column in CACHES.items()
        for kind, short in KINDS.items()
    }


def count(cache: str, kind: str, part: str = "replay") -> Get:
    """A count of the client's cold invocation."""
    return lambda result: result[part]["client"][cache][kind]
