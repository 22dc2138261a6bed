# SPDX-License-Identifier: BSD-2-Clause
"""Table of traffic of which a share of the messages has a checksum (Section 4 of the report): what
happens to the messages without one."""

from collections.abc import Callable

from mcpi.studies.tr9304 import figures, values
from mcpi.studies.tr9304.cells import WORDS, cell
from mcpi.studies.tr9304.plan import (
    FURTHER_SHARES,
    SHARES,
    TITLES,
    Configuration,
    summed,
    unsummed,
)
from mcpi.studykit.cell import Cell, Row, Table
from mcpi.studykit.measured import Measured


def table(study: Measured) -> Table:
    shares = sorted((*SHARES, *FURTHER_SHARES))
    return WORDS.table("mixtures", [_row(study, c, n) for c in unsummed() for n in shares])


def _row(study: Measured, plain: Configuration, share: int) -> Row:
    key = summed(plain, share).key
    size = f", {plain.pages} pages × {plain.lines} lines" if plain.pages else ""

    def of(with_sum: bool, get: Callable[[list[int]], float]) -> Cell:
        if share in (0, 100):
            return Cell(None) if with_sum != (share == 100) else whole(get)
        return cell(lambda: get(values.of_sums(study, key, with_sum)))

    def whole(get: Callable[[list[int]], float]) -> Cell:
        return cell(lambda: get(values.of(study, key)))

    cells = {
        "without": of(False, values.cycles_a_word),
        "with": of(True, values.cycles_a_word),
        "wholly": of(False, values.wholly),
        "wholly_with": of(True, values.wholly),
        "misses": cell(lambda: values.of_message(study, key, "dcache.misses")),
        "refills": cell(lambda: values.of_message(study, key, "dtb.misses")),
    }
    if 0 < share < 100:
        over = figures.FIGURES["without_sums"]
        cells["over"] = cell(lambda: over(study, "", key, plain.key))
    return Row((TITLES[plain.structure] + size, str(share)), cells)
