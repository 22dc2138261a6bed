# SPDX-License-Identifier: BSD-2-Clause
"""Tables that the paper has not: every configuration, causes, curves, sources of spread."""

import statistics
from collections.abc import Callable, Iterator

from mcpi.results.summary import OWNERS
from mcpi.studies.tr9304 import drops, evictors, footprint, frames, values
from mcpi.studies.tr9304.cells import WORDS, cell
from mcpi.studies.tr9304.left_open import domains, layers, mixtures, queues
from mcpi.studies.tr9304.plan import (
    FORCED,
    LARGE,
    LOADS,
    PREFILL,
    SOURCES,
    SYSTEMS,
    TITLES,
    TOUCH,
    Configuration,
    configurations,
    curve,
    forcing,
    pages,
    sources,
)
from mcpi.studykit.cell import Cell, Column, Row, Table
from mcpi.studykit.claims import Missing
from mcpi.studykit.measured import Measured

LINES = {"clean": "clean", "dirty": "dirty", "refills": "refills"}


def of(study: Measured) -> list[Table]:
    made = (
        others,
        messages,
        causes,
        evicted,
        owners,
        saturation,
        footprint.table,
        mixtures.table,
        queues.table,
        layers.table,
        domains.table,
        entries,
        page_sizes,
        forces,
        spread,
        places,
    )
    lost = drops.table(study, list(there(study)))
    return [*(table(study) for table in made), lost, distances(study)]


def there(study: Measured) -> Iterator[Configuration]:
    yield from (c for c in configurations() if study.of("results", c.key))


def nearest_load(load: float) -> int:
    """The load that is measured nearest to it."""
    return min(LOADS, key=lambda n: abs(n - load))


def knee(study: Measured) -> int:
    """The largest load, from the smallest on, at which BSD lost nothing and was idle at times: a
    queue that grows loses its first message later than a run may last."""
    most = LOADS[0]
    for load in LOADS:
        key = Configuration("bsd", LARGE, load=load).key
        if not study.of("results", key) or values.lost(study, key):
            break
        if not values.of_message(study, key, "owner.idle"):
            break
        most = load
    return most


def others(study: Measured) -> Table:
    rows = []
    for c in there(study):
        found, one = values.of(study, c.key), study.record["results"][c.key]
        gets = {"wholly": values.wholly, "clean": values.below_clean}
        gets |= {"dirty": values.below_dirty, "cycles": values.cycles_a_word}
        cells = {key: cell(lambda get=get, found=found: get(found)) for key, get in gets.items()}
        cells |= {"mbufs": Cell(len(found)), "left_out": Cell(values.beyond(study, c.key))}
        for key in ("offered", "received"):
            cells[key] = Cell(sum(run[key] for run in one["runs"]))
        rows.append(Row((c.title,), cells))
    return WORDS.table("others", rows)


def messages(study: Measured) -> Table:
    names = {"misses": "dcache.misses", "dirty": "dcache.dirty_misses", "refills": "dtb.misses"}
    names |= {"refill_ticks": "dtb.refill_ticks", "waits": "bus.core_waits_dma"}
    names |= {"switches": "context_switches"}
    rows = []
    for c in there(study):
        cells = {
            key: cell(lambda c=c, name=name: values.of_message(study, c.key, name))
            for key, name in names.items()
        }
        cells["work"] = cell(lambda c=c: values.work(study, c.key))
        rows.append(Row((c.title,), cells))
    return WORDS.table("messages", rows)


def causes(study: Measured) -> Table:
    rows = []
    for c in there(study):
        try:
            mean = values.causes(study, c.key)
        except Missing:
            continue
        cells = {key: Cell(mean.get(key, 0)) for key in ("overhead", *LINES)}
        cells |= {
            key: Cell(mean.get(key, 0))
            for key in ("refill_ticks", "dma", "code_ticks", "interrupt_ticks")
        }
        one = study.record["results"][c.key]["causes"]
        cells |= {key: Cell(one.get(key, 0)) for key in ("interrupted", "unexplained")}
        rows.append(Row((c.title,), cells))
    return WORDS.table("causes", rows)


def evicted(study: Measured) -> Table:
    """Lines of a probe, the warm-up's too, by who had been in their place."""
    columns = tuple(Column(name, name, 2) for name in evictors.DOMAINS)
    rows = []
    for c in there(study):
        one = study.record["results"][c.key]
        mean = {k: Cell(n / one["of_probes"]) for k, n in one.get("evictors", {}).items()}
        rows.append(Row((c.title,), mean))
    return WORDS.table("evicted", rows, columns)


def owners(study: Measured) -> Table:
    rows = []
    for c in there(study):
        one = study.record["results"][c.key]
        mean = {k: Cell(n / one["probes"]) for k, n in one["owners"].items() if one["probes"]}
        rows.append(Row((c.title,), mean))
    seen = {owner for r in rows for owner, cell in r.cells.items() if cell.ours}
    columns = tuple(Column(o, o, 1) for o in OWNERS if o in seen)
    return WORDS.table("owners", rows, columns)


def saturation(study: Measured) -> Table:
    """By system: the shortest period without a drop on the fast wire."""
    rows = []
    for system, found in (study.of("saturation") or {}).items():
        period = found["message_us"] + (found["gap_us"] or 0)
        cells = {"gap": Cell(found["gap_us"], why="it drops none"), "period": Cell(period / 1000)}
        cells |= {"share": Cell(100 * period / wire_us()), "offered": Cell(1e6 / period)}
        rows.append(Row((TITLES[system],), cells))
    return WORDS.table("saturation", rows)


def wire_us() -> float:
    """Microseconds of a message on the wire at 10 Mb/s."""
    return frames.FRAMES * frames.FRAME_BITS / 10


def _tlbs(study: Measured, key: str, every: list[Configuration], label: Callable) -> Table:
    rows = []
    for c in every:
        cells = {
            "message": cell(lambda c=c: values.of_message(study, c.key, "dtb.misses")),
            "probe": cell(lambda c=c: values.causes(study, c.key)["refills"]),
            "cycles": cell(lambda c=c: values.cycles_a_word(values.of(study, c.key))),
            "ticks": cell(lambda c=c: values.of_message(study, c.key, "dtb.refill_ticks")),
        }
        rows.append(Row((TITLES[c.structure] + ", kernel mapped" * c.mapped, label(c)), cells))
    return WORDS.table(key, rows)


def entries(study: Measured) -> Table:
    systems = [(system, mapped) for mapped in (False, True) for system in ("mach", "bsd")]
    every = [c for one in systems for c in curve(*one)]
    return _tlbs(study, "entries", every, lambda c: str(c.entries))


def page_sizes(study: Measured) -> Table:
    every = [*pages("mach"), *pages("bsd")]
    return _tlbs(study, "page_sizes", every, lambda c: f"{c.page}, {c.entries} entries")


def forces(study: Measured) -> Table:
    every = [c for one in FORCED for c in forcing(*one)]
    return _tlbs(study, "forces", every, lambda c: f"{FORCE_WORDS[c.forced]}, {c.entries} entries")


FORCE_WORDS = {"": "not forced", TOUCH: "by touch", PREFILL: "by PALcode"}


def spread(study: Measured) -> Table:
    """S.d. between boots, with all sources, without one, without any."""
    rows = []
    for system in ("bsd", "mach"):
        for c in sources(system):
            on = [source for source in SOURCES if source not in c.still]
            cells = {"mean": cell(lambda c=c: statistics.mean(values.boots(study, c.key)))}
            cells["sd"] = cell(lambda c=c: statistics.pstdev(values.boots(study, c.key)))
            rows.append(Row((TITLES[system], " and ".join(on) or "none"), cells))
    return WORDS.table("spread", rows)


def places(study: Measured) -> Table:
    columns = tuple(Column(f"place{n}", str(n + 1), 0) for n in range(10))
    rows = []
    for c in there(study):
        found = values.by_place(study, c.key)
        cells = {f"place{n}": Cell(sum(p) / len(p)) for n, p in enumerate(found) if p}
        rows.append(Row((c.title,), cells))
    return WORDS.table("places", rows, columns)


def distances(study: Measured) -> Table:
    """Pairs of places that differ by Kolmogorov and Smirnov, by their distance."""
    columns = tuple(Column(f"apart{n}", str(n), 0) for n in range(1, 10))
    rows = []
    for system in SYSTEMS:
        for gap in (20, 0):
            c = Configuration(system, gap)
            cells = {
                f"apart{n}": cell(lambda c=c, n=n: _differ(study, c.key, n)) for n in range(1, 10)
            }
            rows.append(Row((c.title,), cells))
    return WORDS.table("distances", rows, columns)


def _differ(study: Measured, key: str, distance: int) -> float:
    found = values.by_place(study, key)
    if not all(found):
        raise Missing(f"{key}: nothing was received")
    pairs = [(found[n], found[n + distance]) for n in range(10 - distance)]
    return 100 * sum(values.kolmogorov_smirnov(a, b) < 0.05 for a, b in pairs) / len(pairs)
