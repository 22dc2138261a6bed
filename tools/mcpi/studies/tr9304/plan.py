# SPDX-License-Identifier: BSD-2-Clause
"""Which machines receive what: each configuration is a histogram of the paper, or ours."""

from dataclasses import dataclass

from mcpi.base.errors import UserError
from mcpi.spec.run_spec import EXACT
from mcpi.study.plan import Experiment, Extent, Wanted

MACHINE = "hp720"
FLOORS = {"mach": 170, "bsd": 91, "hpux": 88, "xkernel": 91}  # ticks of a refill, Table 1
TITLES = {"mach": "Mach", "bsd": "BSD", "hpux": "HPUX", "xkernel": "x-kernel"}
SYSTEMS = tuple(TITLES)
LARGE, SMALL = 20, 0  # ms between messages
GAPS = (LARGE, SMALL)
ONE_MESSAGE, LARGE_QUEUE = 16_384, 246_467  # bytes that may wait in a socket
# Bytes a word; the report's 23 to 25 were its machine's. 4 are a 25th of 100.
LOADS = (60, 96, 100, 104, 108, 112, 116, 120, 124, 128, 144)
LIFO = "LIFO"
# By POOL_ORDER, and switches besides. Shuffled: LIFO, but neighbours do not follow each other.
POOLS = {LIFO: (), "FIFO": ("POOL_ORDER=1",), "scattered": ("POOL_ORDER=2",)}
POOLS |= {"shuffled": ("POOL_SHUFFLE=1",)}
ENTRIES, ALL_ENTRIES = 76, 128  # of the data TLB: the machine's; as many as there are
FEWER = (48, 32, 24, 16, 12, 8)
PAGE, LARGE_PAGE = "4KB", "8KB"
WIRE, FAST = 10, 100  # Mb/s
OVERLOAD = 1.25  # a saturated system is offered so much more than it takes
WARMUP = 4  # messages
# How an mbuf's page gets its TLB entry before the probe; an ideal TLB is one of ALL_ENTRIES.
TOUCH, PREFILL = "touch", "prefill"
FORCES = {"": 0, TOUCH: 1, PREFILL: 2}  # PROBE_FORCE
SMALL_TLBS = {False: 12, True: 24}  # entries with which Mach's probes meet refills, by ``mapped``
FORCED = tuple((system, mapped) for mapped in SMALL_TLBS for system in ("mach", "bsd"))
# The named sources of spread.
PHASE, PLACE = "timer's phase", "pools' place"
SOURCES = (PHASE, PLACE)

# ``samples``: boots, each with a seed. 3,000 mbufs a histogram, as the paper's.
FULL = Extent({"udp": 30}, 10, 0, beside=True, warmup=WARMUP)
QUICK = Extent({"udp": 8}, 5, 0, beside=False, warmup=WARMUP)


@dataclass(frozen=True)
class Configuration:
    """``gap``: ms. ``forced``: of FORCES. ``late``: the reader checks the sum, just before its
    copy. ``queue``: bytes of the socket. ``load``: bytes of its own state that the reader goes
    through for each word it has read. ``reads``: it loads each word of the message. ``fbufs``: it
    is lent the message, and copies nothing. ``pool``: which buffer is taken next. ``superpage``:
    the kernel's buffers need no TLB entry. ``mapped``: its code, data and stacks need them too.
    ``entries``, ``page``: of the data TLB. ``mbps``: of
    the wire. ``saturated``: ``gap`` makes OVERLOAD of what the system takes. ``still``: sources of
    spread that are switched off."""

    structure: str
    gap: float
    forced: str = ""
    checksum: bool = False
    late: bool = False
    queue: int = ONE_MESSAGE
    load: int = 0
    reads: bool = False
    fbufs: bool = False
    pool: str = LIFO
    superpage: bool = False
    mapped: bool = False
    entries: int = ENTRIES
    page: str = PAGE
    mbps: int = WIRE
    saturated: bool = False
    still: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        words = [self.structure, "saturated" if self.saturated else f"{self.gap:g}"]
        words += {"": [], TOUCH: ["forced"], PREFILL: ["prefilled"]}[self.forced]
        words += ["checksum"] * self.checksum + ["late"] * self.late
        words += ["queue"] * (self.queue != ONE_MESSAGE)
        words += [f"load{self.load}"] if self.load else []
        words += ["reads"] * self.reads + ["fbufs"] * self.fbufs
        words += [self.pool.lower()] * (self.pool != LIFO) + ["superpage"] * self.superpage
        words += ["mapped"] * self.mapped
        words += [f"tlb{self.entries}"] * (self.entries != ENTRIES)
        words += [f"page{self.page.lower()}"] * (self.page != PAGE)
        words += [f"{self.mbps}mbps"] * (self.mbps != WIRE and not self.saturated)
        words += [f"still-{source.split()[-1]}" for source in self.still]
        return "-".join(words)

    @property
    def title(self) -> str:
        more = {"": [], TOUCH: ["TLB forced"], PREFILL: ["TLB filled by PALcode"]}[self.forced]
        more += ["checksum"] * self.checksum
        more += ["checked by the reader"] * self.late
        more += ["large queue"] * (self.queue != ONE_MESSAGE)
        more += [f"load {self.load} bytes a word"] if self.load else []
        more += ["words read"] * self.reads + ["fbufs"] * self.fbufs
        more += [f"{self.pool} pools"] * (self.pool != LIFO) + ["superpage"] * self.superpage
        more += ["kernel mapped"] * self.mapped
        more += [f"{self.entries} TLB entries"] * (self.entries != ENTRIES)
        more += [f"pages of {self.page}"] * (self.page != PAGE)
        more += [f"{source} fixed" for source in self.still]
        offered = "saturated" if self.saturated else f"gap {self.gap:g} ms"
        offered += f" at {self.mbps} Mb/s" * (self.mbps != WIRE)
        return ", ".join([TITLES[self.structure], offered, *more])

    @property
    def switches(self) -> tuple[str, ...]:
        found = [f"PROBE_FORCE={FORCES[self.forced]}", f"UDP_CHECKSUM={self.checksum + self.late}"]
        found += [
            "PROBE=1",
            "READER_SUMS=0",
            "EMPTY_ENDS=1",
            "XK_LONGWORDS=1",
            f"QUEUE_BYTES={self.queue}",
        ]
        found += [f"MEASURE_AFTER={WARMUP}"]
        found += [f"LOAD_BYTES={self.load}"] if self.load else []
        found += ["READER_LOADS=1"] * self.reads + ["FBUFS=1"] * self.fbufs
        found += POOLS[self.pool]
        found += ["KERNEL_MAPPED=0"] * self.superpage + ["KERNEL_MAPPED=2"] * self.mapped
        if self.structure == "xkernel":
            return (*found, "XK_FRAGMENTS=1", "XK_LINK_CHECK=1")
        return (*found, f"POOL_PLACE={int(PLACE not in self.still)}")

    @property
    def settings(self) -> dict[str, str]:
        found = {"tlb.refill_floor": str(FLOORS[self.structure])}
        found |= {"tlb.data_entries": str(self.entries), "tlb.page": self.page}
        if self.mbps != WIRE:  # the Am7990's own times are of 10 Mb/s
            found |= {"link.mbps": str(self.mbps), "lance.profile": "ideal"}
        return found


def saturated(system: str) -> Configuration:
    """Its gap is found first."""
    return Configuration(system, 0, mbps=FAST, saturated=True)


def curve(system: str, mapped: bool = False) -> list[Configuration]:
    """By entries of the data TLB, the most first."""
    every = (ALL_ENTRIES, ENTRIES, *FEWER)
    return [Configuration(system, LARGE, mapped=mapped, entries=n) for n in every]


def pages(system: str) -> list[Configuration]:
    return [Configuration(system, LARGE, entries=16, page=page) for page in (PAGE, LARGE_PAGE)]


def sources(system: str) -> list[Configuration]:
    """All sources of spread, each without the others, none."""
    return [Configuration(system, SMALL, still=s) for s in ((), (PHASE,), (PLACE,), SOURCES)]


def forcing(system: str, mapped: bool) -> list[Configuration]:
    """Without, then each way of forcing, with a TLB that misses; an ideal TLB."""
    n = SMALL_TLBS[mapped]
    found = [Configuration(system, LARGE, how, mapped=mapped, entries=n) for how in FORCES]
    return [*found, Configuration(system, LARGE, mapped=mapped, entries=ALL_ENTRIES)]


def fbufs(system: str) -> list[Configuration]:
    """Copied, lent."""
    return [Configuration(system, LARGE, reads=True, fbufs=lent) for lent in (False, True)]


def pools() -> list[Configuration]:
    return [Configuration("bsd", LARGE, pool=pool) for pool in POOLS]


def configurations() -> list[Configuration]:
    """All of them, Figure 2's first."""
    found = [Configuration(s, gap) for gap in GAPS for s in ("bsd", "mach", "hpux", "xkernel")]
    for gap in GAPS:
        found += [
            Configuration("mach", gap, TOUCH),
            Configuration("mach", gap, TOUCH, checksum=True),
            Configuration("mach", gap, checksum=True),
            Configuration("hpux", gap, checksum=True),
            Configuration("hpux", gap, TOUCH),
            Configuration("bsd", gap, TOUCH),
            Configuration("bsd", gap, checksum=True),
            Configuration("bsd", gap, queue=LARGE_QUEUE),
            Configuration("mach", gap, entries=ALL_ENTRIES),
            *(Configuration(s, gap, checksum=True, late=True) for s in ("bsd", "mach", "hpux")),
        ]
    found += [Configuration("bsd", LARGE, load=load) for load in LOADS]
    found += [saturated(system) for system in SYSTEMS]
    found += [*curve("mach"), *curve("bsd"), *pages("mach"), *pages("bsd"), *pools()]
    found += [*sources("bsd"), *sources("mach"), *curve("mach", True), *curve("bsd", True)]
    found += [c for system, mapped in FORCED for c in forcing(system, mapped)]
    found += [Configuration(system, SMALL, mapped=True) for system in ("mach", "bsd")]
    found += [*fbufs("bsd"), *fbufs("hpux")]
    found += [Configuration("bsd", LARGE, load=LOADS[0], superpage=True)]
    found += [Configuration("bsd", LARGE, entries=16, superpage=True)]
    return list(dict.fromkeys(found))


def check(wanted: Wanted) -> None:
    """UserError for what the study has not."""
    if wanted.stacks or wanted.variants:
        raise UserError("this study has structures, not stacks or versions: leave both out.")
    if wanted.usual.machine != Wanted().usual.machine or wanted.usual.settings:
        raise UserError(f"this study is about {MACHINE}: leave --machine and --set out.")
    if wanted.usual.engine != EXACT:
        raise UserError(f"--engine {wanted.usual.engine}: {MACHINE} is the exact engine's alone.")


def plan(wanted: Wanted, extent: Extent) -> list[Experiment]:
    """None of the kind that a round trip is: ``measure`` runs them."""
    check(wanted)
    return []
