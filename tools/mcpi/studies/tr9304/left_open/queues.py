# SPDX-License-Identifier: BSD-2-Clause
"""Table and curve of the queue's length: where a message's bytes are that has waited for others."""

from matplotlib.axes import Axes

from mcpi.papers.tables import row
from mcpi.studies.tr9304 import values
from mcpi.studies.tr9304.cells import WORDS, cell
from mcpi.studies.tr9304.plan import LENGTHS, QUEUED, TITLES, queued
from mcpi.studykit.cell import Row, Table
from mcpi.studykit.claims import Missing
from mcpi.studykit.measured import Measured
from mcpi.studykit.panels import CURVES, MARK, Panel

SYSTEMS = {s: TITLES[s] + ", checksum" * queued(s, 1).checksum for s in QUEUED}


def reported() -> dict[int, str]:
    """The report's BSD, gap 0: mbufs wholly in the cache by length, %. Its large queue has room for
    as many bytes as ours."""
    one = row("tr9304/table2_coarse_grained", observation="% mbufs totally within cache")
    label = "totally within cache, 246467-byte socket buffer"
    large = row("tr9304/figure7_bsd_large_socket_buffer", label=label, gap_ms="0")
    return {LENGTHS[0]: one["small_gap_bsd"], LENGTHS[-1]: large["value"]}


def table(study: Measured) -> Table:
    return WORDS.table("queues", [_row(study, s, n) for s in QUEUED for n in LENGTHS])


def _row(study: Measured, system: str, length: int) -> Row:
    key = queued(system, length).key
    theirs = reported().get(length) if system == "bsd" else None
    cells = {
        "wholly": cell(lambda: values.wholly(values.of(study, key)), theirs),
        "clean": cell(lambda: values.below_clean(values.of(study, key))),
        "cycles": cell(lambda: values.cycles_a_word(values.of(study, key))),
        "refills": cell(lambda: values.refills(study, key)),
        "misses": cell(lambda: values.of_message(study, key, "dcache.misses")),
        "received": cell(lambda: values.received(study, key)),
    }
    return Row((SYSTEMS[system], str(length)), cells)


def curve(study: Measured, system: str) -> list[tuple[int, float, list[float]]]:
    """Length, mbufs wholly in the cache in per cent, and those of each boot."""
    found = []
    for length in LENGTHS:
        key = queued(system, length).key
        try:
            boots = [values.wholly(one) for one in values.runs(study, key) if one]
            found.append((length, values.wholly(values.of(study, key)), boots))
        except Missing:
            continue
    return found


def panel(study: Measured) -> Panel:
    curves = {title: curve(study, system) for system, title in SYSTEMS.items()}
    n = " or ".join(sorted({str(len(b)) for found in curves.values() for *_, b in found})) or "0"
    said = [
        f"{title}: " + ", ".join(f"{length} {share:.0f}" for length, share, _ in found)
        for title, found in curves.items()
    ]
    theirs = ", ".join(f"{length} {share}" for length, share in reported().items())
    return Panel(
        "A burst at 100 Mb/s",
        "messages that the socket has room for",
        "mbufs wholly in cache, %",
        f"n = {n} boots; whiskers: lowest to highest",
        "Per cent of the mbufs wholly in the cache, by the messages that may wait. "
        f"{'; '.join(said)}. The report's BSD, gap 0: {theirs}.",
        lambda axes: _draw(axes, curves),
    )


def _draw(axes: Axes, curves: dict[str, list[tuple[int, float, list[float]]]]) -> None:
    highest = max((found[-1][1] for found in curves.values() if found), default=0)
    for color, (title, found) in zip(CURVES, curves.items()):
        if not found:
            continue
        lengths, shares, boots = zip(*found)
        axes.plot(lengths, shares, color=color, marker="o", markersize=3, clip_on=False)
        low, high = ([get(one) for one in boots] for get in (min, max))
        axes.vlines(lengths, low, high, color=color, linewidth=3, alpha=0.5, clip_on=False)
        va = "bottom" if shares[-1] == highest else "top"
        axes.annotate(title, (lengths[-1], shares[-1]), ha="right", va=va, size=7)
    lengths, shares = zip(*((length, float(share)) for length, share in reported().items()))
    axes.plot(lengths, shares, color=MARK, marker="x", linewidth=0, clip_on=False)
    axes.annotate("x: the report's BSD", (lengths[0] + 0.3, shares[0]), size=7, color=MARK)
    axes.set(xlim=(0, LENGTHS[-1]), ylim=(0, 105), xticks=LENGTHS)
