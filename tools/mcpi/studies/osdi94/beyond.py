# SPDX-License-Identifier: BSD-2-Clause
"""Questions that the paper left open or did not ask: the second processor's dip, the three
machines' processors, connections, latencies and lines."""

from mcpi.studies.osdi94 import figures
from mcpi.studies.osdi94.figures import rate, runs
from mcpi.studies.osdi94.plan import (
    ALPHA,
    CHALLENGE,
    COUNTS,
    FASTER,
    MACHINES,
    POWER,
    SIDES,
    STACKS,
    SWEEPS,
    Curve,
)
from mcpi.studies.osdi94.reasons import per_packet
from mcpi.studies.osdi94.words import WORDS, labels
from mcpi.studykit.cell import Cell, Column, Row, Table
from mcpi.studykit.claims import Missing
from mcpi.studykit.measured import Measured

# Owners whose ticks a perfect memory would not have.
MEMORY = ("i_demand", "i_stream", "refill_restart", "d_miss", "memory_port", "write_buffer_full")
MEMORY += ("barrier", "bus_wait", "io")
DIPS = [Curve(CHALLENGE, "udp", "receive", way) for way in ("", "nomaplock", "unpadded")]
DIPS += [Curve(CHALLENGE, "udp", "receive", "with-sync"), Curve(FASTER, "udp", "receive")]
DIPS += [Curve(POWER, "udp", "receive", "sync"), Curve(POWER, "udp", "receive")]
DIPS += [Curve(ALPHA, "udp", "receive"), Curve(CHALLENGE, "udp", "send")]
CAUSES = ("remote", "upgrade", "memory", "bcache")


def there(study: Measured, curve: Curve, *counts: int) -> bool:
    return all(study.of("results", f"{curve.key}-{n}") for n in counts)


def dip(study: Measured) -> Table:
    """Table of the extra cost of a packet with two processors over one."""
    rows = []
    for curve in DIPS:
        if not there(study, curve, 1, 2):
            continue
        one, two = (per_packet(study, (curve.key, n)) for n in (1, 2))
        cells = {
            "ratio": Cell(figures.ratio(study, "", curve.key, "2", "1")),
            "one": Cell(sum(one.values())),
            "more": Cell(sum(two.values()) - sum(one.values())),
        }
        causes = [per_packet(study, (curve.key, n), "causes") for n in (1, 2)]
        for name in CAUSES:
            cells[name] = Cell(causes[1][name] - causes[0][name])
        for name in ("issue", "bus_wait", "io"):
            cells[name] = Cell(two.get(name, 0) - one.get(name, 0))
        rows.append(Row(labels(curve), cells))
    return WORDS.table("dip", rows)


def split(study: Measured, key: str, cores: int) -> tuple[float, float, float]:
    """Instructions of a packet, iCPI, mCPI."""
    all_ = runs(study, key, cores)
    instructions = sum(run["instructions"] for run in all_)
    packets = sum(sum(run["packets"]) for run in all_)
    of_memory = sum(run["owners"].get(owner, 0) for run in all_ for owner in MEMORY)
    ticks = sum(sum(run["owners"].values()) for run in all_)
    return instructions / packets, (ticks - of_memory) / instructions, of_memory / instructions


def riddle(study: Measured) -> Table:
    """Why a processor of three times the clock is not three times as fast."""
    rows = []
    for stack in STACKS:
        for side in SIDES:
            for machine in MACHINES:
                curve = Curve(machine, stack, side)
                if there(study, curve, 1):
                    slow = Curve(POWER, stack, side).key
                    rows.append(Row(labels(curve)[1::-1], _cells(study, curve.key, slow)))
    return WORDS.table("riddle", rows)


def _cells(study: Measured, key: str, slow: str) -> dict[str, Cell]:
    instructions, icpi, mcpi = split(study, key, 1)
    try:
        faster = Cell(figures.against(study, "", key, slow, "1"))
    except Missing as missing:
        faster = Cell(None, why=str(missing))
    return {
        "instructions": Cell(instructions),
        "cpi": Cell(icpi + mcpi),
        "icpi": Cell(icpi),
        "mcpi": Cell(mcpi),
        "mbps": Cell(rate(study, key, 1)),
        "faster": faster,
    }


def connections(study: Measured) -> Table:
    """Table of three ways: one connection, packets of as many connections as processors, and a
    connection for each processor."""
    rows = []
    for side in SIDES:
        for way in ("mcs", "spread", "each"):
            curve = Curve(CHALLENGE, "tcp", side, way)
            counts = [n for n in COUNTS if there(study, curve, n)]
            if not counts:
                continue
            cells = {f"p{n}": Cell(rate(study, curve.key, n)) for n in counts}
            last, most = str(counts[-1]), (curve.key, counts[-1])
            cells["waits"] = Cell(figures.waiting(study, "ticks", curve.key, last))
            cells["remote"] = Cell(per_packet(study, most, "causes")["remote"])
            if side == "receive":
                cells["disorder"] = Cell(figures.disorder(study, "", curve.key, last))
            rows.append(Row(labels(curve)[1:], cells))
    columns = tuple(Column(f"p{n}", str(n), 0) for n in COUNTS)
    return WORDS.table("connections", rows, columns + WORDS.columns("connections"))


def sweeps(study: Measured) -> Table:
    """Latency of a miss, and size of a block."""
    rows = []
    for stack in STACKS:
        for way in ("miss-70", "", "miss-280", "line-32", "line-64"):
            curve = Curve(CHALLENGE, stack, "receive", way)
            counts = [n for n in (1, 2, 4, 8) if there(study, curve, n)]
            if not counts or not there(study, Curve(CHALLENGE, stack, "receive", SWEEPS[0]), 1):
                continue
            one = rate(study, curve.key, 1)
            cells = {f"p{n}": Cell(rate(study, curve.key, n)) for n in counts}
            cells |= {f"s{n}": Cell(rate(study, curve.key, n) / one) for n in counts[1:]}
            causes = per_packet(study, (curve.key, counts[-1]), "causes")
            cells["coherence"] = Cell(causes["remote"] + causes["upgrade"])
            rows.append(Row(labels(curve)[1:], cells))
    return WORDS.table("sweeps", rows)


def extra(study: Measured, _: str, curve: str) -> float:
    """Percent of the second processor's extra ticks of a packet in which one waits for a block that
    the other has modified, or shares."""
    ticks = [sum(per_packet(study, (curve, n)).values()) for n in (1, 2)]
    causes = [per_packet(study, (curve, n), "causes") for n in (1, 2)]
    more = sum(causes[1][name] - causes[0][name] for name in ("remote", "upgrade"))
    return 100 * more / (ticks[1] - ticks[0])


def mcpi_share(study: Measured, _: str, curve: str) -> float:
    """Percent of a processor's ticks that memory owns."""
    _, own, of_memory = split(study, curve, 1)
    return 100 * of_memory / (own + of_memory)
