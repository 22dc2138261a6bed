# SPDX-License-Identifier: BSD-2-Clause
"""Why a claim of the paper does not hold here, from what was counted."""

from collections.abc import Callable

from mcpi.machine.profile import load
from mcpi.studies.tr9304 import frames, values
from mcpi.studies.tr9304.evictors import DMA
from mcpi.studies.tr9304.plan import ENTRIES, MACHINE, Configuration, curve
from mcpi.studykit.cell import Row
from mcpi.studykit.claims import Missing
from mcpi.studykit.measured import Measured
from mcpi.studykit.verdicts import FAILS

LINES = 8192  # of the D-cache


def notes(study: Measured, rows: list[Row]) -> tuple[str, ...]:
    """A sentence or two for each claim, K1 to K11, of which a row does not hold."""
    claims = [row.labels[0].partition(":")[0] for row in rows if row.labels[1] == FAILS]
    found = []
    for claim in dict.fromkeys(claims):
        if reason := REASONS.get(claim):
            try:
                found.append(f"{claim}: {reason(study)}")
            except Missing as missing:
                found.append(f"{claim}: not known, for {missing}.")
    return tuple(found)


def _misses(study: Measured, key: str) -> float:
    return values.of_message(study, key, "dcache.misses")


def footprint(study: Measured) -> str:
    mach, bsd = (_misses(study, f"{system}-20") for system in ("mach", "bsd"))
    switches = values.of_message(study, "mach-20", "context_switches")
    return (
        f"of the cache's {LINES:,} lines a message fills {mach:,.0f} in Mach and {bsd:,.0f} in"
        f" BSD, so what was copied stays until the reader comes. Mach's {switches:.0f} switches a"
        " message cost time, not lines: our kernel and server are small, and nothing else runs."
        " The report's Mach had a large server and other processes."
    )


def refills(study: Measured) -> str:
    inside = values.causes(study, "mach-20")["refills"]
    message = values.of_message(study, "mach-20", "dtb.misses")
    mapped = values.of_message(study, "mach-20-mapped", "dtb.misses")
    return (
        f"with {ENTRIES} entries Mach's TLB misses {message:.1f} times a message, and"
        f" {inside:.2f} times inside a probe; {_begin(study, False)}. The kernel itself needs no"
        " entries here: it is in KSEG, as a group entry would have it. With its code, data and"
        f" stacks mapped Mach misses {mapped:.1f} times a message, and {_begin(study, True)}. Our"
        " kernel and server are small."
    )


def _begin(study: Measured, mapped: bool) -> str:
    """With which TLB Mach's probes meet refills."""
    found = (c.entries for c in curve("mach", mapped) if _refills(study, c) > 0.05)
    first = next(found, None)
    return f"refills in probes begin at {first} entries" if first else "no smaller TLB has them"


def _refills(study: Measured, c: Configuration) -> float:
    return values.causes(study, c.key)["refills"]


def later(study: Measured) -> str:
    found = values.by_place(study, "mach-20")
    means = [sum(p) / len(p) for p in found if p]
    return (
        "what a probe misses depends on where its cluster lies, not on its place: the means of the"
        f" ten places lie between {min(means):.0f} and {max(means):.0f} ticks."
    )


def contexts(study: Measured) -> str:
    before = values.wholly(values.of(study, "mach-20-forced"))
    return f"without a checksum {before:.0f} % of the mbufs are in the cache already."


def clean(study: Measured) -> str:
    share = 100 * values.work(study, "hpux-0") / frames.message_ticks(load(MACHINE))
    slow, full = values.causes(study, "hpux-0"), values.causes(study, "hpux-saturated")
    evicted = study.record["results"]["hpux-saturated"]
    empty = evicted["evictors"].get(DMA, 0) / max(evicted["of_probes"], 1)
    return (
        f"dirty victims are {slow['dirty']:.1f} lines a probe at 10 Mb/s and gap 0, where a message"
        f" needs {share:.0f} % of the processor, and {full['dirty']:.1f} where 100 Mb/s saturate"
        f" it. But {empty:.0f} lines a probe are empty, for DMA has dropped the same block, and an"
        " empty line has no victim."
    )


def checksums(study: Measured) -> str:
    hpux, mach = (
        values.wholly(values.of(study, key))
        for key in ("hpux-0-checksum", "mach-0-forced-checksum")
    )
    return (
        f"both find their bytes: {hpux:.0f} % of HPUX's mbufs, {mach:.0f} % of Mach's. Mach's"
        " server sums a message before its reader comes, as HPUX does, and evicts little between."
    )


def rules(study: Measured) -> str:
    def lines(key: str) -> str:
        return f"{_misses(study, key):,.0f}"

    return (
        "what does not pay in the probe may pay at the copy. With LIFO a message fills"
        f" {lines('bsd-20')} lines, with FIFO {lines('bsd-20-fifo')}. Copies as late as HPUX's fill"
        f" {lines('hpux-20')}; the bytes must come into the cache once in both. A sum by the reader"
        f" saves little, for what UDP sums is warm: {lines('mach-0-checksum')} lines become"
        f" {lines('mach-0-checksum-late')} in Mach."
    )


REASONS: dict[str, Callable[[Measured], str]] = {
    "K1": footprint,
    "K2": refills,
    "K4": refills,
    "K5": later,
    "K6": contexts,
    "K7": clean,
    "K8": checksums,
    "K11": rules,
}
