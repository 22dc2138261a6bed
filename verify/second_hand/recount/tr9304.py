# SPDX-License-Identifier: BSD-2-Clause
"""Tables of TR 93-04 (docs/explanation/tr9304.md)."""

import math
import statistics
from bisect import bisect
from collections import Counter
from pathlib import Path

from verify.second_hand.recount import claims, raw, tr9304_beyond, tr9304_claims
from verify.second_hand.recount.boots import FRAMES, LATEST_ENDS, PROBES, WARMUP
from verify.second_hand.recount.raw import Row, Tables
from verify.second_hand.recount.tr9304_study import (
    CLEAN,
    DIRTY,
    KEPT,
    OBSERVATIONS,
    SEEDED,
    TITLES,
    WORDS,
    Configuration,
    Study,
)

LOADS = (60, 96, 100, 104, 108, 112, 116, 120, 124, 128, 144)  # bytes a word
PER_US = 50
GAP_BITS = 96
FRAME_BITS = (8 + 1518) * 8 + GAP_BITS  # with the gap after it


def tables(root: Path) -> Tables:
    study = Study(root)
    found = {"table1": table1(), "table2": table2(study), "table3": table3(study)}
    found |= {"table4": table4(study), "steps": steps(study), "others": others(study)}
    found |= {"messages": messages(study), "causes": causes(study), "evicted": evicted(study)}
    found |= {"owners": owners(study), "saturation": saturation(study)}
    found |= {"spread": spread(study), "places": places(study), "drops": drops(study)}
    found |= {"distances": distances(study)}
    return found | tr9304_beyond.tables(study) | {"claims": judged(study)}


def judged(study: Study) -> dict:
    """The claims, of all boots together and of each."""
    figures = tr9304_claims.of(study, DIRTY, CLEAN, _probability)
    most = max(len(c.runs) for c in study.found.values())
    boots = [study.boot(n) for n in range(most)] if most > 1 else []
    each = [tr9304_claims.of(boot, DIRTY, CLEAN, _probability) for boot in boots]
    least = min(len(c.runs) for c in study.found.values())
    samples = claims.Samples("boots", each, {"few": each[:least] if least > 1 else []})
    return claims.claims("tr9304", figures, samples)


def table1() -> dict:
    hp = raw.machine("hp720")
    line = hp["memory"]["read_ticks"]
    rows = {
        "line, clean victim": (line, 18),
        "line, dirty victim": (line + hp["dcache"]["dirty_ticks"], 23),
        "TLB entry, Mach": (170, 170),
        "TLB entry, BSD": (91, 91),
        "TLB entry, HPUX": (88, 88),
    }
    return {(name,): {"ticks": a, "ticks paper": b} for name, (a, b) in rows.items()}


def _observed(table: str, columns: dict[str, tuple[Configuration | None, str]]) -> dict:
    """Rows of the report's tables; by column the configuration, and its name in the report's."""
    rows = {}
    for name, get in OBSERVATIONS.items():
        row: Row = {}
        for column, (c, theirs) in columns.items():
            row[column] = get(c) if c else None
            row[f"{column} paper"] = raw.paper(f"tr9304/{table}", theirs, observation=name)
        rows[name,] = row
    return rows


def table2(study: Study) -> dict:
    gaps = {"large": 20, "small": 0}
    columns = {
        f"{size}_gap_{system}": (study.get(f"{system}-{gap}"), f"{size}_gap_{system}")
        for size, gap in gaps.items()
        for system in TITLES
    }
    return _observed("table2_coarse_grained", columns)


def table3(study: Study) -> dict:
    columns = {
        f"{kind}_{size}_gap": (study.get(f"mach-{gap}-forced{more}"), f"{kind}_{size}_gap")
        for kind, more in (("no_cksum", ""), ("cksum", "-checksum"))
        for size, gap in (("large", 20), ("small", 0))
    }
    return _observed("table3_mach_tlb_forced", columns)


def table4(study: Study) -> dict:
    """The largest load without a loss and with idle ticks stands for the report's 25 bytes."""
    most = LOADS[0]
    for load in LOADS:
        c = study.get(f"bsd-20-load{load}")
        if not c or c.received < c.offered or not c.message("owner.idle"):
            break
        most = load
    columns = {}
    for theirs in (23, 24, 25):
        load = min(LOADS, key=lambda n, wanted=most * theirs / 25: abs(n - wanted))
        columns[str(theirs)] = (study.get(f"bsd-20-load{load}"), f"{theirs}_bytes_per_word")
    return _observed("table4_bsd_load", columns)


FIRST, LAST = "first probe begins", "last probe has ended"
INTO = {"interrupt": "lance_interrupt", "frame handed up": "shepherd_deliver"}
BSDNET = {"IP": "ip_input", "whole": "udp_input", "queued": "socket_append"}
STEPS = {
    "bsd": INTO | {"into mbufs": "driver_copy"} | BSDNET,
    "hpux": INTO | {"into mbufs": "driver_filled"} | BSDNET,
    "mach": INTO | {"into mbufs": "driver_copy"} | BSDNET,
    "xkernel": INTO | {"IP": "ip_demux", "whole": "udp_demux", "queued": "demux"},
}
NEXT = "reader asks for the next"


def steps(study: Study) -> dict:
    rows = {}
    for place in sorted((study.root / "steps").glob("*")):
        structure = place.name.split("-")[0]
        before = 0.0
        for step, after in _steps(place, structure).items():
            rows[TITLES[structure], step] = {"after": after, "since": after - before}
            before = after
    return rows


def _steps(place: Path, structure: str) -> dict[str, float]:
    """Median ticks after a message's last bit, of its steps in order."""
    wanted = [*STEPS[structure].values(), "user_receive"]
    entries: dict[str, list[int]] = {name: [] for name in wanted}
    at = dict(zip((place / "places.txt").read_text().split(), wanted, strict=True))
    at = {int(address, 16): name for address, name in at.items()}
    for row in raw.lines(place / "calls.0.csv"):
        entries[at[int(row["pc"], 16)]].append(int(row["tick"]))
    seen = [(t, name) for t, node, name in raw.stamps(place) if node == 0]
    opened = [t for t, name in seen if name == "probe_open"][::PROBES]
    closed = [t for t, name in seen if name == "probe_close"][PROBES - 1 :: PROBES]
    lines = (place / "messages.txt").read_text().splitlines()[:-LATEST_ENDS]
    begun = [int(line.split()[1]) for line in lines[::FRAMES]]
    length = (FRAMES * FRAME_BITS - GAP_BITS) * PER_US // 10  # 10 Mb/s
    ended = [tick + length for tick in begun]
    times: dict[str, list[int]] = {}
    for first, last, bit in list(zip(opened, closed, ended, strict=True))[WARMUP:]:
        for step, function in STEPS[structure].items():
            times.setdefault(step, []).append(
                max((t for t in entries[function] if t <= first), default=0) - bit
            )
        times.setdefault(FIRST, []).append(first - bit)
        times.setdefault(LAST, []).append(last - bit)
        later = [t for t in entries["user_receive"] if t >= last]
        times.setdefault(NEXT, []).append(min(later, default=last) - bit)
    return {step: statistics.median(ticks) for step, ticks in times.items()}


def _each(study: Study, columns) -> dict:
    found = ((c.title, columns(c)) for c in study.found.values())
    return {(title,): row for title, row in found if row}


def others(study: Study) -> dict:
    def columns(c: Configuration) -> Row:
        every = [p.overhead for boot in c.runs for p in boot.probes]
        return {
            "mbufs": len(c.all),
            "offered": c.offered,
            "received": c.received,
            "left_out": sum(n > KEPT for n in every),
            "wholly": c.wholly,
            "clean": c.share(-math.inf, CLEAN),
            "dirty": c.share(-math.inf, DIRTY),
            "cycles": c.cycles,
        }

    return _each(study, columns)


def messages(study: Study) -> dict:
    def columns(c: Configuration) -> Row:
        if not c.measured:
            return {}
        return {
            "work": c.message("ticks") - c.message("owner.idle"),
            "misses": c.message("dcache.misses"),
            "dirty": c.message("dcache.dirty_misses"),
            "refills": c.message("dtb.misses"),
            "refill_ticks": c.message("dtb.refill_ticks"),
            "waits": c.message("bus.core_waits_dma"),
            "switches": c.message("context_switches"),
        }

    return _each(study, columns)


def causes(study: Study) -> dict:
    return _each(study, lambda c: c.causes)


def evicted(study: Study) -> dict:
    def columns(c: Configuration) -> Row:
        lines = sum((boot.evicted for boot in c.runs), Counter())
        probes = sum(len(boot.every) for boot in c.runs)
        return {name: n / probes for name, n in lines.items()}

    return _each(study, columns)


def owners(study: Study) -> dict:
    """Columns of owners that no configuration has are left out."""

    def columns(c: Configuration) -> Row:
        ticks: Counter = Counter()
        for boot in c.runs:
            ticks.update(boot.node["windows"].get("probe", {}))
        mine = {k: n for k, n in ticks.items() if k.startswith("owner.")}
        probes = sum(len(boot.probes) for boot in c.runs)
        return {k.removeprefix("owner."): n / probes for k, n in mine.items()} if probes else {}

    rows = _each(study, columns)
    seen = {owner for row in rows.values() for owner, n in row.items() if n}
    return {key: {k: v for k, v in row.items() if k in seen} for key, row in rows.items()}


def saturation(study: Study) -> dict:
    """The shortest gap at which one boot receives all, of those that were tried."""
    rows = {}
    for system, boots in study.searched.items():
        taken = [gap for gap, boot in boots.items() if boot.received == boot.offered]
        gap = min(taken)
        assert not gap or gap - 100 in boots, f"{system}: {gap - 100} µs was not tried"
        period = FRAMES * FRAME_BITS / 100 + gap
        rows[TITLES[system],] = {
            "gap": gap or None,
            "period": period / 1000,
            "share": 100 * period / (FRAMES * FRAME_BITS / 10),
            "offered": 1e6 / period,
        }
    return rows


def spread(study: Study) -> dict:
    rows = {}
    ways = {
        "": " and ".join(SEEDED),
        "-still-phase": SEEDED[1],
        "-still-place": SEEDED[0],
        "-still-phase-still-place": "none",
    }
    for system in ("bsd", "mach"):
        for way, drawn in ways.items():
            if c := study.get(f"{system}-0{way}"):
                means = [sum(n) / len(n) / WORDS for n in c.overheads if n]
                row = {"mean": sum(means) / len(means), "sd": _spread(means)}
                rows[TITLES[system], drawn] = row
    return rows


def _spread(values: list[float]) -> float:
    """Standard deviation of all there are."""
    middle = sum(values) / len(values)
    return math.sqrt(sum((v - middle) ** 2 for v in values) / len(values))


def places(study: Study) -> dict:
    return _each(
        study,
        lambda c: {f"place{n}": sum(p) / len(p) for n, p in enumerate(c.places) if p},
    )


COUNTS = ("socket: full by bytes", "socket: full by mbufs", "socket: full")
COUNTS += ("udp: no port", "udp: bad checksum", "ip: timed out")
OF_FRAMES = ("kernel: no buffer", "server: no buffer", "driver: no buffer", "driver: no shepherd")
OF_FRAMES += ("ports: full", "ip: queue full", "ip: bad checksum", "ethernet: not ours")


def drops(study: Study) -> dict:
    def columns(c: Configuration) -> Row:
        lost = c.offered - c.received
        if not lost:
            return {}
        said = {k: sum(b.said.get(k, 0) for b in c.runs) for k in (*COUNTS, *OF_FRAMES)}
        row: Row = {"offered": c.offered, "received": c.received, "lost": lost}
        row["elsewhere"] = lost - sum(said[name] for name in COUNTS)
        return row | {name: n for name, n in said.items() if n}

    return _each(study, columns)


def distances(study: Study) -> dict:
    rows = {}
    for system in ("mach", "bsd", "hpux", "xkernel"):
        for gap in (20, 0):
            c = study.get(f"{system}-{gap}")
            if not c or not all(c.places):
                continue
            row: Row = {}
            for apart in range(1, PROBES):
                pairs = list(zip(c.places, c.places[apart:], strict=False))
                differ = sum(_probability(a, b) < 0.05 for a, b in pairs)
                row[f"apart{apart}"] = 100 * differ / len(pairs)
            rows[c.title,] = row
    return rows


def _probability(a: list[int], b: list[int]) -> float:
    """Kolmogorov and Smirnov's, that two samples are of one distribution (Stephens, 1970)."""
    a, b = sorted(a), sorted(b)
    most = max(abs(bisect(a, x) / len(a) - bisect(b, x) / len(b)) for x in a + b)
    n = math.sqrt(len(a) * len(b) / (len(a) + len(b)))
    z = (n + 0.12 + 0.11 / n) * most
    if z < 0.2:
        return 1.0
    return min(
        max(sum(2 * (-1) ** (k - 1) * math.exp(-2 * (k * z) ** 2) for k in range(1, 101)), 0), 1
    )
