# SPDX-License-Identifier: BSD-2-Clause
"""Table of protocols in the application's domain, beside a server's and the kernel's."""

from dataclasses import replace

from mcpi.studies.tr9304 import values
from mcpi.studies.tr9304.cells import WORDS, cell
from mcpi.studies.tr9304.plan import FOOTPRINT, GAPS, TITLES, TOUCH, Configuration, sized
from mcpi.studykit.cell import Row, Table
from mcpi.studykit.measured import Measured

COUNTERS = {"misses": "dcache.misses", "refills": "dtb.misses", "switches": "context_switches"}
SYSTEMS = ("mach", "library", "bsd")


def table(study: Measured) -> Table:
    plain = [Configuration(system, gap) for gap in GAPS for system in SYSTEMS]
    larger = [sized(c, FOOTPRINT) for c in plain]
    return WORDS.table("domains", [_row(study, c) for c in (*plain, *larger)])


def _row(study: Measured, c: Configuration) -> Row:
    forced = replace(c, forced=TOUCH).key
    cells = {
        name: cell(lambda counter=counter: values.of_message(study, c.key, counter))
        for name, counter in COUNTERS.items()
    }
    cells["work"] = cell(lambda: values.work(study, c.key))
    cells["wholly"] = cell(lambda: values.wholly(values.of(study, c.key)))
    cells["cycles"] = cell(lambda: values.cycles_a_word(values.of(study, c.key)))
    cells["forced"] = cell(lambda: values.cycles_a_word(values.of(study, forced)))
    cells["probe"] = cell(lambda: values.refills(study, c.key))
    size = f"{c.pages} × {c.lines}" if c.pages else "none"
    return Row((TITLES[c.structure], f"{c.gap} ms", size), cells)
