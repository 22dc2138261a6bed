# SPDX-License-Identifier: BSD-2-Clause
"""Tables of experiments that TR 93-04 does not have (docs/explanation/tr9304.md)."""

import math

from verify.second_hand.recount import raw
from verify.second_hand.recount.raw import Row, Tables
from verify.second_hand.recount.tr9304_study import (
    CLEAN,
    FIFTH,
    OBSERVATIONS,
    TITLES,
    WHOLLY,
    WORDS,
    Configuration,
    Study,
)


def tables(study: Study) -> Tables:
    found = {"entries": entries(study), "page_sizes": page_sizes(study), "forces": forces(study)}
    found |= {"footprint": footprint(study), "mixtures": mixtures(study)}
    found |= {"queues": queues(study), "layers": layers(study)}
    return found | {"domains": domains(study)}


def _tlb(c: Configuration) -> Row:
    return {
        "message": c.message("dtb.misses"),
        "ticks": c.message("dtb.refill_ticks"),
        "probe": c.causes.get("refills"),
        "cycles": c.cycles,
    }


SIZES = [(80, 1), (80, 2), *((n, 4) for n in (16, 32, 48, 64, 80, 96)), (48, 8), (80, 8)]
IN_REPORT = {"wholly": 0, "clean": 1, "cycles": 4}  # places in OBSERVATIONS


def footprint(study: Study) -> dict:
    rows = {}
    bsd = study.get("bsd-20")
    sizes = [("mach", 0, 0), *(("mach", *size) for size in SIZES)]
    for system, pages, lines in [*sizes, ("bsd", 80, 4), ("hpux", 80, 4)]:
        more = f"-pages{pages}x{lines}" if pages else ""
        plain, forced = (study.get(f"{system}-20{way}{more}") for way in ("", "-forced"))
        row: Row = {}
        for suffix, c in (("", plain), ("_forced", forced)):
            if c:
                row[f"wholly{suffix}"] = c.wholly
                row[f"clean{suffix}"] = c.share(-math.inf, CLEAN)
                row[f"cycles{suffix}"] = c.cycles
        if plain:
            row["refills"] = plain.causes.get("refills")
            row["misses"] = plain.message("dtb.misses")
            row["over"] = plain.cycles / bsd.cycles if bsd else None
        if system == "mach":
            row |= {"refills paper": 0.77, "over paper": 7.4}
            for column, n in IN_REPORT.items():
                said = {"observation": list(OBSERVATIONS)[n]}
                tables = ("table2_coarse_grained", "table3_mach_tlb_forced")
                columns = ("large_gap_mach", "no_cksum_large_gap")
                row[f"{column} paper"], row[f"{column}_forced paper"] = (
                    raw.paper(f"tr9304/{table}", theirs, **said)
                    for table, theirs in zip(tables, columns, strict=True)
                )
        rows[TITLES[system], str(pages), str(lines)] = row
    return rows


def mean(overheads: list[int]) -> float | None:
    """Cycles a word."""
    return sum(overheads) / len(overheads) / WORDS if overheads else None


def cached(overheads: list[int]) -> float | None:
    """Per cent wholly in the cache."""
    inside = sum(n < WHOLLY for n in overheads)
    return 100 * inside / len(overheads) if overheads else None


def mixtures(study: Study) -> dict:
    rows = {}
    larger = ("mach", ", 80 pages × 4 lines", "-pages80x4")  # at a gap of 4 ms
    for system, more, size in (("bsd", "", ""), ("mach", "", ""), ("hpux", "", ""), larger):
        gap = 4 if size else 1
        plain = study.get(f"{system}-{gap}-queue-100mbps{size}")
        for share in (0, 25, 50, 75, 100):
            way = {0: "", 100: "-checksum"}.get(share, f"-mixed{share}")
            c = study.get(f"{system}-{gap}{way}-queue-100mbps{size}")
            if not c:
                continue
            row: Row = {"misses": c.message("dcache.misses"), "refills": c.message("dtb.misses")}
            whole = c.received == c.offered
            if share < 100 and (whole or not share):
                own = c.of_sums(False) if share else c.all
                row |= {"without": mean(own), "wholly": cached(own)}
                if share and plain:
                    row["over"] = mean(own) / plain.cycles
            if share and (whole or share == 100):
                own = c.of_sums(True) if share < 100 else c.all
                row |= {"with": mean(own), "wholly_with": cached(own)}
            rows[TITLES[system] + more, str(share)] = row
    return rows


def queues(study: Study) -> dict:
    """The report's values are of BSD with one message and with the large queue."""
    rows = {}
    for system, gap, way in (
        ("bsd", "1", ""),
        ("mach", "2.5", ""),
        ("hpux", "1", "-checksum"),
    ):
        for length in (1, 2, 4, 11):
            room = {1: "", 11: "-queue"}.get(length, f"-queue{length}")
            theirs = {1: 60, 11: 52}.get(length) if system == "bsd" else None
            row: Row = {"wholly paper": theirs}
            if c := study.get(f"{system}-{gap}{way}{room}-100mbps-long"):
                row |= {"wholly": c.wholly, "cycles": c.cycles, "refills": c.causes.get("refills")}
                row |= {"clean": c.share(-math.inf, CLEAN), "misses": c.message("dcache.misses")}
                row["received"] = 100 * c.received / c.offered
            rows[TITLES[system] + (", checksum" if way else ""), str(length)] = row
    return rows


def layers(study: Study) -> dict:
    rows = {}
    sums = {"": "not at all", "-checksum": "by UDP", "-checksum-late": "by the reader"}
    sums["-checksum-integrated"] = "in its copy"
    waits = {way: said for way, said in sums.items() if said in ("by UDP", "in its copy")}
    traffic = [(s, "", "gap 0", "0", "-unprobed", sums) for s in ("bsd", "mach", "hpux")]
    tail = "-queue-100mbps-train4-unprobed"
    traffic += [(s, "", "trains", "0.5", tail, waits) for s in ("bsd", "mach", "hpux")]
    more = ", 80 pages × 4 lines"
    traffic.append(("mach", more, "trains", "0.5", f"{tail}-pages80x4", waits))
    for system, size, name, gap, end, ways in traffic:
        by_udp = study.get(f"{system}-{gap}-checksum{end}")
        for way, said in ways.items():
            if not (c := study.get(f"{system}-{gap}{way}{end}")):
                continue
            work = _work(c)
            rows[TITLES[system] + size, name, said] = {
                "work": work,
                "over": _work(by_udp) / work if by_udp else None,
                "misses": c.message("dcache.misses"),
                "dirty": c.message("dcache.dirty_misses"),
                "refills": c.message("dtb.misses"),
                "received": 100 * c.received / c.offered,
            }
    return rows


def domains(study: Study) -> dict:
    rows = {}
    for size, more in (("none", ""), ("80 × 4", "-pages80x4")):
        for gap in (20, 0):
            for system, title in {"mach": "Mach", **FIFTH, "bsd": "BSD"}.items():
                row: Row = {}
                if c := study.get(f"{system}-{gap}{more}"):
                    row = {"wholly": c.wholly, "cycles": c.cycles, "work": _work(c)}
                    row |= {
                        "misses": c.message("dcache.misses"),
                        "refills": c.message("dtb.misses"),
                    }
                    row |= {"probe": c.causes.get("refills")}
                    row["switches"] = c.message("context_switches")
                if forced := study.get(f"{system}-{gap}-forced{more}"):
                    row["forced"] = forced.cycles
                if row:
                    rows[title, f"{gap} ms", size] = row
    return rows


def _work(c: Configuration) -> float:
    return c.message("ticks") - c.message("owner.idle")


def entries(study: Study) -> dict:
    rows = {}
    for system in ("mach", "bsd"):
        for mapped, title in (("", ""), ("-mapped", ", kernel mapped")):
            for n in (128, 76, 48, 32, 24, 16, 12, 8):
                key = f"{system}-20{mapped}" + ("" if n == 76 else f"-tlb{n}")
                if c := study.get(key):
                    rows[TITLES[system] + title, str(n)] = _tlb(c)
    return rows


def page_sizes(study: Study) -> dict:
    rows = {}
    for system in ("mach", "bsd"):
        for size, more in (("4KB", ""), ("8KB", "-page8kb")):
            if c := study.get(f"{system}-20-tlb16{more}"):
                rows[TITLES[system], f"{size}, 16 entries"] = _tlb(c)
    return rows


def forces(study: Study) -> dict:
    rows = {}
    ways = {"": "not forced", "-forced": "by touch", "-prefilled": "by PALcode"}
    for mapped, title, small in (("", "", 12), ("-mapped", ", kernel mapped", 24)):
        for system in ("mach", "bsd"):
            wanted = [(way, small) for way in ways] + [("", 128)]
            for way, n in wanted:
                if c := study.get(f"{system}-20{way}{mapped}-tlb{n}"):
                    rows[TITLES[system] + title, f"{ways[way]}, {n} entries"] = _tlb(c)
    return rows
