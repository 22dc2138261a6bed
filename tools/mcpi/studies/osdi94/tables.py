# SPDX-License-Identifier: BSD-2-Clause
"""The study's tables; what they say stands in tables.toml."""

from pathlib import Path
from statistics import mean, stdev

from mcpi.studies.osdi94.plan import COUNTS, Point, curves
from mcpi.study import claims
from mcpi.study.cell import Cell, Column, Row, Table
from mcpi.study.claims import Missing
from mcpi.study.measured import Measured
from mcpi.study.words import Words

HERE = Path(__file__).parent
WORDS = Words(HERE / "tables.toml", {})


def of(study: Measured) -> list[Table]:
    return [table(study) for table in (judged, throughput, speedup, owners)]


def rates(study: Measured, curve: str, cores: int) -> list[float]:
    """Mb/s of each run."""
    found = study.of("results", f"{curve}-{cores}")
    if not found:
        raise Missing(f"{curve} with {cores} processors: not measured")
    return [run["mbps"] for run in found["runs"]]


def ratio(study: Measured, _: str, curve: str, more: str, fewer: str) -> float:
    """Throughput of ``more`` processors over that of ``fewer``."""
    return mean(rates(study, curve, int(more))) / mean(rates(study, curve, int(fewer)))


FIGURES = {"ratio": ratio}


def judged(study: Measured) -> Table:
    return WORDS.table("claims", claims.rows(HERE / "claims.csv", study, FIGURES))


def _columns(digits: int) -> tuple[Column, ...]:
    return tuple(Column(f"p{n}", str(n), digits) for n in COUNTS)


def _rows(study: Measured, scaled: bool) -> list[Row]:
    found = []
    for machine, side in curves():
        cells = {}
        for n in COUNTS:
            try:
                all_, one = (rates(study, f"{machine}-{side}", k) for k in (n, 1))
            except Missing as missing:
                cells[f"p{n}"] = Cell(None, why=str(missing))
                continue
            per = mean(one) if scaled else 1
            spread = stdev(all_) / per if len(all_) > 1 else None
            cells[f"p{n}"] = Cell(mean(all_) / per, sd=spread)
        found.append(Row((machine, f"UDP {side}"), cells))
    return found


def throughput(study: Measured) -> Table:
    return WORDS.table("throughput", _rows(study, scaled=False), _columns(0))


def speedup(study: Measured) -> Table:
    return WORDS.table("speedup", _rows(study, scaled=True), _columns(2))


def owners(study: Measured) -> Table:
    """Ticks of all processors for a packet, by owner."""
    rows = []
    for machine, side in curves():
        for n in COUNTS:
            found = study.of("results", Point(machine, side, n).key)
            if not found:
                continue
            packets = sum(sum(run["packets"]) for run in found["runs"])
            names = found["runs"][0]["owners"]
            cells = {k: Cell(sum(r["owners"][k] for r in found["runs"]) / packets) for k in names}
            rows.append(Row((machine, f"UDP {side}", str(n)), cells))
    seen = {k: None for row in rows for k, cell in row.cells.items() if cell.ours}
    return WORDS.table("owners", rows, tuple(Column(k, k, 0) for k in seen))
