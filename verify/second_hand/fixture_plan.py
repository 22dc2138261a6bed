# SPDX-License-Identifier: BSD-2-Clause
"""The small runs of each study that are fixtures, and the archive that each belongs to."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from mcpi import studies
from mcpi.batch.plan import IN_ORDERS, Experiment, Extent, Wanted
from mcpi.spec.run_spec import EXACT, RunSpec
from mcpi.studies.extensions import blocks, recognised
from mcpi.studies.extensions import plan as extensions
from mcpi.studies.osdi94 import plan as osdi94
from mcpi.studies.sigcomm96 import plan as sigcomm96
from mcpi.studies.sigcomm96.production import PART as PRODUCTION
from mcpi.studies.slides import plan as slides
from mcpi.studies.tr9304 import plan as tr9304

ASKED = Wanted(RunSpec(engine=EXACT))


@dataclass(frozen=True)
class Fixture:
    """``chosen``: the experiments of a study's plan that are made; ``group``: the archive of an
    experiment. ``further``: the study adds runs that depend on those before. ``time_lines``: of
    these a table is made of the owners of whole round trips. ``oracles``: names of those whose
    first sample the RTL repeats, with its oracles. ``debugged``: whose image has its debug
    information."""

    extent: Extent
    chosen: Callable[[Experiment], bool]
    group: Callable[[Experiment], str]
    further: bool = False
    time_lines: Callable[[Experiment], bool] = lambda _: False
    oracles: tuple[str, ...] = ()
    debugged: tuple[str, ...] = ()

    def planned(self, name: str) -> list[Experiment]:
        """The experiments that need no other one."""
        return [e for e in studies.find(name).plan(ASKED, self.extent) if self.chosen(e)]

    def more(self, name: str, root: Path, done: list[Experiment]) -> list[Experiment]:
        """The experiments that those before ask for."""
        if not self.further:
            return []
        found = studies.find(name).further(root, done, ASKED, self.extent)
        return [e for e in found if self.chosen(e)]


def every(_: Experiment) -> bool:
    return True


_TOGETHER = (sigcomm96.SWITCHES, sigcomm96.STREAM, sigcomm96.SPLIT)


def version(e: Experiment) -> str:
    """Archive of a version with its link orders and layouts; other parts have their own."""
    part = e.part[1] if e.part[0] == IN_ORDERS else e.part[0]
    if part in _TOGETHER:
        return part
    return f"{part}-{e.spec.stack}" if part == PRODUCTION else f"{e.spec.stack}-{e.spec.variant}"


SIGCOMM96 = Fixture(
    Extent({"tcp": 3, "rpc": 3}, 3, 3, warmup=16, short_cold=True),
    every,
    version,
    time_lines=lambda e: e.whole and e.spec.variant in sigcomm96.ORDER,
    oracles=("tcp-std", "rpc-all"),
    debugged=("production-dec3000-600-bsd-std",),
)

_SLIDES = {
    slides.OLD: {"tcp": ("std", "all", "bad"), "rpc": ("std", "all")},
    slides.NEW: {"tcp": ("std", "out", "clo", "all", "bad", "fast"), "rpc": ("std", "all", "fast")},
    "alpha-265": {"tcp": ("std",), "rpc": ()},
    "alpha-300-16k": {"tcp": ("std", "all", "fast"), "rpc": ()},
}


def _of_slides(e: Experiment) -> bool:
    """Versions that claims and predictions read, and all but versions."""
    if e.spec.variant in slides.ENDS and e.spec.machine == slides.OLD:
        return True
    return e.spec.variant in _SLIDES[e.spec.machine][e.spec.stack]


SLIDES = Fixture(
    replace(slides.QUICK, samples={"tcp": 2, "rpc": 2}, round_trips=2),
    _of_slides,
    lambda e: e.spec.machine + (f"-{e.part[0]}" if e.part[0] != "results" else ""),
)

_SYSTEMS = [tr9304.Configuration(s, gap) for s in tr9304.SYSTEMS for gap in tr9304.GAPS]
_SIZED = [("mach", tr9304.LARGE), ("mach", tr9304.LARGE, tr9304.TOUCH), ("bsd", tr9304.LARGE)]
_TR9304 = {
    *_SYSTEMS,
    *(tr9304.Configuration("mach", gap, tr9304.TOUCH) for gap in tr9304.GAPS),
    *(tr9304.Configuration("mach", gap, tr9304.TOUCH, checksum=True) for gap in tr9304.GAPS),
    *(tr9304.Configuration("bsd", tr9304.LARGE, load=load) for load in (60, 96, 120)),
    *(
        tr9304.Configuration("bsd", tr9304.SMALL, still=s)
        for s in ((tr9304.PHASE,), tr9304.SOURCES)
    ),
    *tr9304.pages("bsd"),
    *tr9304.forcing("bsd", False),
    *(c for c in tr9304.mixtures() if c.structure == "bsd"),
    *(tr9304.summed(tr9304.unsummed()[0], share) for share in tr9304.FURTHER_SHARES),
    *(tr9304.queued("bsd", length) for length in (1, 4, 11)),
    *(tr9304.passes(tr9304.Configuration("bsd", tr9304.SMALL)).values()),
    *tr9304.integrated()[12:14],
    *tr9304.domains()[:2],
    *(tr9304.sized(tr9304.Configuration(*of), tr9304.FOOTPRINT) for of in _SIZED),
    tr9304.saturated("bsd"),
}
_KEYS = {c.key for c in _TR9304}


def _of_tr9304(e: Experiment) -> bool:
    if e.part[0] == "saturation":
        return e.part[1].startswith("bsd-")
    return e.part[0] == tr9304.FOLLOW or e.part[1] in _KEYS


TR9304 = Fixture(
    replace(tr9304.QUICK, samples={"udp": 2}, round_trips=3),
    _of_tr9304,
    lambda e: e.part[0] if e.part[0] != "results" else e.part[1].split("-")[0],
    further=True,
)

_COUNTS = {  # processors by curve of the first machine: stack, side, way
    ("tcp", "receive", ""): (1, 2, 4, 8),
    ("tcp", "receive", "mcs"): (1, 2, 4),
    ("tcp", "receive", "each"): (1, 2),
    ("tcp", "receive", "1k"): (1, 2),
    ("tcp", "receive", "miss-70"): (1, 4),
    ("tcp", "send", ""): (1, 2),
    ("tcp", "send", "mcs"): (1, 2),
    ("tcp", "send", "six"): (1, 2),
    ("tcp", "receive", "backoff"): (1, 2),
    ("tcp", "receive", "mcs-maps"): (1, 2),
    ("udp", "send", ""): (1, 2),
    ("udp", "send", "yield"): (1,),
    ("udp", "receive", ""): (1, 2),
    (osdi94.SUM, "", ""): (1, 8),
}
_CURVES = {osdi94.Curve(osdi94.CHALLENGE, *key): counts for key, counts in _COUNTS.items()}
_CURVES |= {osdi94.Curve(osdi94.POWER, "tcp", "receive", way): (1,) for way in ("", "sync")}
_CURVES |= {osdi94.Curve(osdi94.ALPHA, osdi94.LOCKS): (1, 2)}
_OSDI94 = {osdi94.Point(curve, n) for curve, counts in _CURVES.items() for n in counts}
_POINTS = {point.key for point in _OSDI94}
# An order lacks a point of a claim, which therefore is not judged.
_LACKING = "power-series-33-tcp-receive-sync-1-1-shuffle-2"

OSDI94 = Fixture(
    replace(osdi94.FULL, samples={"udp": 2, "tcp": 2}, shuffles=3, round_trips=10, warmup=10),
    lambda e: e.part[1] in _POINTS and e.name != _LACKING,
    lambda e: e.part[1].rpartition("-")[0],
)

_CLONES = {f"dec3000-600 tcp {n}" for n in (1, 8)}
_CLONES |= {"dec3000-600 rpc 8", "alpha-300 tcp 1"}
_RECOGNISED = {"dec3000-600 tcp 10": recognised.VERSIONS, "dec3000-600 rpc 100": ("fast",)}
_STACKS = {"dec3000-600 tcp", "dec3000-600 rpc", "alpha-300 tcp"}


def _of_extensions(e: Experiment) -> bool:
    part, _, where, version = e.part
    if part == recognised.CLASSIFIER:
        return version.split()[0] in _RECOGNISED.get(where, ())
    return where in _STACKS if part == blocks.BLOCKS else where in _CLONES


EXTENSIONS = Fixture(
    replace(extensions.QUICK, round_trips=8, warmup=8, shuffles=3),
    _of_extensions,
    lambda e: f"{e.part[0]}-{e.spec.machine}",
)

FIXTURES = {"sigcomm96": SIGCOMM96, "slides": SLIDES, "tr9304": TR9304, "osdi94": OSDI94}
FIXTURES |= {"extensions": EXTENSIONS}
