# SPDX-License-Identifier: BSD-2-Clause
"""Tables of TR 93-04 (docs/explanation/tr9304.md)."""

import math
import statistics
from bisect import bisect
from collections import Counter
from functools import cached_property
from pathlib import Path

from verify.second_hand.recount import claims, raw, tr9304_claims
from verify.second_hand.recount.boots import FRAMES, LATEST_ENDS, PROBES, WARMUP, Boot
from verify.second_hand.recount.raw import Row, Tables

TITLES = {"mach": "Mach", "bsd": "BSD", "hpux": "HPUX", "xkernel": "x-kernel"}
FIFTH = {"library": "Library"}
WORDS = 365  # of a large mbuf
WHOLLY, CLEAN, DIRTY, KEPT = 10, 46 * 18, 46 * 23, 2000  # ticks of overhead
LOADS = (60, 96, 100, 104, 108, 112, 116, 120, 124, 128, 144)  # bytes a word
PER_US = 50
GAP_BITS = 96
FRAME_BITS = (8 + 1518) * 8 + GAP_BITS  # with the gap after it
SEEDED = ("timer's phase", "pools' place")  # what a boot's seed draws


class Configuration:
    """The boots of a configuration; ``key`` is the folders' name without the seed."""

    def __init__(self, key: str, boots: list[Boot]) -> None:
        self.key, self.runs = key, boots
        self.structure, self.gap, *self.words = key.split("-")

    @property
    def title(self) -> str:
        words = list(self.words)
        mbps = next((w.removesuffix("mbps") for w in words if w.endswith("mbps")), "")
        if self.gap == "saturated":
            said = ["saturated at 100 Mb/s"]
        else:
            said = [f"gap {self.gap} ms" + (f" at {mbps} Mb/s" if mbps else "")]
        plain = {
            "forced": "TLB forced",
            "prefilled": "TLB filled by PALcode",
            "checksum": "checksum",
            "late": "checked by the reader",
            "queue": "large queue",
            "integrated": "checked by the reader in its copy",
            "unprobed": "not probed",
            "long": "many messages",
            "reads": "words read",
            "fbufs": "fbufs",
            "fifo": "FIFO pools",
            "scattered": "scattered pools",
            "shuffled": "shuffled pools",
            "superpage": "superpage",
            "mapped": "kernel mapped",
            "phase": f"{SEEDED[0]} fixed",
            "place": f"{SEEDED[1]} fixed",
        }
        for word in words:
            if word in plain:
                said.append(plain[word])
            elif word.startswith("mixed"):
                said.append(f"checksum of {word[5:]} % of the messages")
            elif word.startswith("train"):
                said.append(f"trains of {word[5:]}")
            elif word.startswith("queue"):
                said.append(f"queue of {word[5:]} messages")
            elif word.startswith("load"):
                said.append(f"load {word[4:]} bytes a word")
            elif word.startswith("tlb"):
                said.append(f"{word[3:]} TLB entries")
            elif word.startswith("pages"):
                said.append("footprint of {} pages × {} lines".format(*word[5:].split("x")))
            elif word.startswith("page"):
                said.append(f"pages of {word[4:].upper()}")
        return ", ".join([(TITLES | FIFTH)[self.structure], *said])

    @cached_property
    def overheads(self) -> list[list[int]]:
        """Overheads of each boot that are not left out."""
        return [[p.overhead for p in boot.probes if p.overhead <= KEPT] for boot in self.runs]

    @cached_property
    def all(self) -> list[int]:
        return [n for one in self.overheads for n in one]

    def share(self, low: float, high: float) -> float | None:
        """Per cent of the overheads from ``low`` to below ``high``."""
        inside = [n for n in self.all if low <= n < high]
        return 100 * len(inside) / len(self.all) if self.all else None

    @property
    def wholly(self) -> float | None:
        return self.share(-math.inf, WHOLLY)

    @property
    def cycles(self) -> float | None:
        return sum(self.all) / len(self.all) / WORDS if self.all else None

    @property
    def measured(self) -> int:
        return sum(boot.measured for boot in self.runs)

    def message(self, counter: str) -> float | None:
        """A message's addition to a counter, after the warm-up."""
        counted = (b.node["all"].get(counter, 0) for b in self.runs if b.measured)
        return sum(counted) / self.measured if self.measured else None

    def of_sums(self, summed: bool) -> list[int]:
        """Overheads of the messages with a sum, or without one, if none was lost."""
        assert self.received == self.offered, self.key
        return [
            p.overhead
            for boot in self.runs
            for n, p in enumerate(boot.every)
            if n >= PROBES * WARMUP and boot.summed[n // PROBES] == summed and p.overhead <= KEPT
        ]

    @property
    def causes(self) -> dict[str, float]:
        """Means over the probes, and the table's two counts."""
        every = [p for boot in self.runs for p in boot.probes]
        if not every:
            return {}
        names = ("overhead", "clean", "dirty", "refills", "refill_ticks", "dma")
        sums = {name: sum(getattr(p, name) for p in every) for name in names}
        sums["interrupt_ticks"] = sum(p.rest for p in every if p.interrupted)
        sums["code_ticks"] = sum(p.rest for p in every if p.code and not p.interrupted)
        found = {name: n / len(every) for name, n in sums.items()}
        found["interrupted"] = sum(p.interrupted for p in every)
        quiet = [p for p in every if not p.code and not p.interrupted]
        return found | {"unexplained": sum(p.rest != 0 for p in quiet)}

    @cached_property
    def places(self) -> list[list[int]]:
        """Overheads by the mbuf's place in its message."""
        every = [(n % PROBES, p) for boot in self.runs for n, p in enumerate(boot.probes)]
        kept = [(place, p.overhead) for place, p in every if p.overhead <= KEPT]
        return [[n for at, n in kept if at == place] for place in range(PROBES)]

    @property
    def offered(self) -> int:
        return sum(boot.offered for boot in self.runs)

    @property
    def received(self) -> int:
        return sum(boot.received for boot in self.runs)


class Study:
    def __init__(self, root: Path) -> None:
        self.root = root
        self.searched, found = {}, {}  # boots of the search for a limit, by system and gap
        for place in sorted(root.glob("*-*"), key=lambda p: (len(p.name), p.name)):
            key, _, seed = place.name.rpartition("-")
            if seed.isdigit() and key.endswith("mbps") and key.count("-") == 2:
                system, gap, _ = key.split("-")
                self.searched.setdefault(system, {})[round(1000 * float(gap))] = Boot(place)
            elif seed.isdigit():
                found.setdefault(key, []).append(Boot(place))
        self.found = {key: Configuration(key, boots) for key, boots in found.items()}

    def get(self, key: str) -> Configuration | None:
        return self.found.get(key)

    def boot(self, n: int) -> "Study":
        """The study as the boot of one seed has it."""
        one = Study(self.root)
        own = {c.key: Configuration(c.key, c.runs[n : n + 1]) for c in self.found.values()}
        one.found = {key: c for key, c in own.items() if c.runs}
        return one


def tables(root: Path) -> Tables:
    study = Study(root)
    found = {"table1": table1(), "table2": table2(study), "table3": table3(study)}
    found |= {"table4": table4(study), "steps": steps(study), "others": others(study)}
    found |= {"messages": messages(study), "causes": causes(study), "evicted": evicted(study)}
    found |= {"owners": owners(study), "saturation": saturation(study)}
    found |= {"entries": entries(study), "page_sizes": page_sizes(study), "forces": forces(study)}
    found |= {"spread": spread(study), "places": places(study), "drops": drops(study)}
    figures = tr9304_claims.of(study, DIRTY, CLEAN, _probability)
    most = max(len(c.runs) for c in study.found.values())
    boots = [study.boot(n) for n in range(most)] if most > 1 else []
    each = [tr9304_claims.of(boot, DIRTY, CLEAN, _probability) for boot in boots]
    found |= {"distances": distances(study), "footprint": footprint(study)}
    found |= {"mixtures": mixtures(study), "queues": queues(study)}
    found |= {"layers": layers(study), "domains": domains(study)}
    least = min(len(c.runs) for c in study.found.values())
    samples = claims.Samples("boots", each, {"few": each[:least] if least > 1 else []})
    return found | {"claims": claims.claims("tr9304", figures, samples)}


OBSERVATIONS = {
    "% mbufs totally within cache": lambda c: c.wholly,
    "% mbufs less than 100% clean miss": lambda c: c.share(-math.inf, CLEAN),
    "% mbufs less than 100% dirty miss": lambda c: c.share(-math.inf, DIRTY),
    "% mbufs greater than 100% dirty miss": lambda c: c.share(DIRTY + 1, math.inf),
    "average overhead cycles per word access": lambda c: c.cycles,
}


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
