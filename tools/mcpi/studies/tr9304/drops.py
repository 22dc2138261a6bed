# SPDX-License-Identifier: BSD-2-Clause
"""Where the messages went that no reader got: what the receiver's console counts of them."""

from collections import Counter

from mcpi.studies.tr9304.cells import WORDS
from mcpi.studies.tr9304.plan import Configuration
from mcpi.studykit.cell import Cell, Column, Row, Table
from mcpi.studykit.measured import Measured

# Counters of messages, and of frames: one lost frame is a lost message.
MESSAGES = ("socket: full by bytes", "socket: full by mbufs", "socket: full")
MESSAGES += ("udp: no port", "udp: bad checksum", "ip: timed out")
FRAMES = ("kernel: no buffer", "server: no buffer", "driver: no buffer", "driver: no shepherd")
FRAMES += ("ports: full", "ip: queue full", "ip: bad checksum", "ethernet: not ours")


def table(study: Measured, there: list[Configuration]) -> Table:
    """Table of configurations that lost messages; ``elsewhere``: messages lost at an unknown
    place."""
    rows, seen = [], set()
    for c in there:
        runs = study.record["results"][c.key]["runs"]
        offered, received = (sum(run[key] for run in runs) for key in ("offered", "received"))
        if offered == received:
            continue
        counts: Counter = Counter()
        for run in runs:
            counts.update(run["counts"])
        kinds = {name: Cell(counts[name]) for name in (*MESSAGES, *FRAMES) if counts[name]}
        seen |= set(kinds)
        lost = offered - received
        cells = {"offered": Cell(offered), "received": Cell(received), "lost": Cell(lost)} | kinds
        cells["elsewhere"] = Cell(lost - sum(counts[name] for name in MESSAGES))
        rows.append(Row((c.title,), cells))
    names = [Column(name, name, 0) for name in (*MESSAGES, *FRAMES) if name in seen]
    before = [Column(name, name, 0) for name in ("offered", "received", "lost")]
    return WORDS.table("drops", rows, (*before, *names, Column("elsewhere", "elsewhere", 0)))
