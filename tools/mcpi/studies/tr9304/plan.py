# SPDX-License-Identifier: BSD-2-Clause
"""Which machines receive what: each configuration is a histogram of the paper, or ours."""

import random
from dataclasses import dataclass, replace

from mcpi.batch.plan import RESULTS, Experiment, Extent, Wanted
from mcpi.machine.profile import Machine, load
from mcpi.spec.node_spec import NodeImage, NodeSpec
from mcpi.spec.run_spec import EXACT
from mcpi.studies.tr9304 import frames
from mcpi.studies.tr9304.probes import WARMUP

MACHINE = "hp720"
FLOORS = {
    "mach": 170,
    "bsd": 91,
    "hpux": 88,
    "xkernel": 91,
    "library": 170,
}  # ticks of a refill, Table 1
TITLES = {"mach": "Mach", "bsd": "BSD", "hpux": "HPUX", "xkernel": "x-kernel"}
SYSTEMS = tuple(TITLES)
TITLES |= {"library": "Library"}  # the report's advice: no system of its own
LARGE, SMALL = 20, 0  # ms between messages
GAPS = (LARGE, SMALL)
BURST = 1  # likewise, on the FAST wire: no system reads as fast, and the large queue holds a boot's
HASTE = 0.5  # the same for systems without probes
SLOW = 4  # the same for Mach with a larger server
TRAIN = WARMUP  # messages in a train: the warm-up is one
ONE_MESSAGE, LARGE_QUEUE = 16_384, 246_467  # bytes that may wait in a socket
# Bytes a word; the report's 23 to 25 were its machine's. 4 are a 25th of 100.
LOADS = (60, 96, 100, 104, 108, 112, 116, 120, 124, 128, 144)
LENGTHS = (1, 2, 4, 11)  # messages that may wait; the large queue has room for the last
QUEUED = {"bsd": BURST, "mach": 2.5, "hpux": BURST}  # ms; a shorter gap gives Mach no time to read
# Per cent of the messages that have a sum.
SHARES, FURTHER_SHARES = (0, 50, 100), (25, 75)
# How messages are summed: by whom, in which pass.
NO_SUM, IN_UDP, BY_READER, IN_COPY = "not at all", "by UDP", "by the reader", "in its copy"
LIFO = "LIFO"
# By POOL_ORDER, and switches besides. Shuffled: LIFO, but neighbours do not follow each other.
POOLS = {LIFO: (), "FIFO": ("POOL_ORDER=1",), "scattered": ("POOL_ORDER=2",)}
POOLS |= {"shuffled": ("POOL_SHUFFLE=1",)}
ENTRIES, ALL_ENTRIES = 76, 128  # of the data TLB: the machine's; as many as there are
FEWER = (48, 32, 24, 16, 12, 8)
PAGE, LARGE_PAGE = "4KB", "8KB"
WIRE, FAST = 10, 100  # Mb/s
OVERLOAD = 1.25  # a saturated system is offered so much more than it takes
FIRST_TICK = 9_000_000  # the receiver waits in its socket by then
AFTER_TICKS = 20_000_000  # the last messages and the end
WINDOW = 4  # the probe's
SATURATED = 3  # times as many messages: most are lost
FEW = 8  # boots of what the report leaves open, where the others have FULL's 30
# When a message comes to each step on its way to the reader: functions as they are entered. Before
# the probes the last frame's, by structure; and after them.
FOLLOW = "steps"  # part of study.json, and a folder
_BSDNET = {"IP": "ip_input", "whole": "udp_input", "queued": "socket_append"}
_DRIVER = {"interrupt": "lance_interrupt", "frame handed up": "shepherd_deliver"}
BEFORE = {
    "bsd": _DRIVER | {"into mbufs": "driver_copy"} | _BSDNET,
    "hpux": _DRIVER | {"into mbufs": "driver_filled"} | _BSDNET,
    "mach": _DRIVER | {"into mbufs": "driver_copy"} | _BSDNET,
    "xkernel": _DRIVER | {"IP": "ip_demux", "whole": "udp_demux", "queued": "demux"},
}
AFTER = {"reader asks for the next": "user_receive"}
STEPS = {structure: before | AFTER for structure, before in BEFORE.items()}
# How an mbuf's page gets its TLB entry before the probe; an ideal TLB is one of ALL_ENTRIES.
TOUCH, PREFILL = "touch", "prefill"
FORCES = {"": 0, TOUCH: 1, PREFILL: 2}  # PROBE_FORCE
SMALL_TLBS = {False: 12, True: 24}  # entries with which Mach's probes meet refills, by ``mapped``
FORCED = tuple((system, mapped) for mapped in SMALL_TLBS for system in ("mach", "bsd"))
# The named sources of spread.
PHASE, PLACE = "timer's phase", "pools' place"
SOURCES = (PHASE, PLACE)

# ``samples``: boots, each with a seed. 3,000 mbufs a histogram, as the paper's.
FULL = Extent({"udp": 30}, 10, 0, extras=True, warmup=WARMUP)
QUICK = Extent({"udp": 8}, 5, 0, extras=False, warmup=WARMUP)


@dataclass(frozen=True)
class Configuration:
    """``gap``: ms. ``forced``: of FORCES. ``share``: per cent of the messages that have a sum, if
    any do. ``late``: the reader checks the sum, just before its copy, or, ``copied``, in it.
    ``queue``: bytes of the socket. ``load``: bytes of its own state that the reader goes through
    for each word it has read. ``reads``: it loads each word of the message. ``fbufs``: it is lent
    the message, and copies nothing. ``pool``: which buffer is taken next. ``superpage``: the
    kernel's buffers need no TLB entry. ``mapped``: its code, data and stacks need them too.
    ``entries``, ``page``: of the data TLB. ``mbps``: of the wire. ``saturated``: ``gap`` makes
    OVERLOAD of what the system takes. ``train``: after so many messages the wire rests. ``long``:
    SATURATED times as many messages. ``still``: sources of spread that are switched off. ``pages``
    and ``lines``: what the server, or the software interrupt, reads besides at each scheduling
    point: lines of each page."""

    structure: str
    gap: float
    forced: str = ""
    checksum: bool = False
    share: int = 100
    late: bool = False
    copied: bool = False
    probed: bool = True
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
    long: bool = False
    train: int = 0
    still: tuple[str, ...] = ()
    pages: int = 0
    lines: int = 0

    @property
    def mixed(self) -> bool:
        """Some messages have a sum, others have none."""
        return self.checksum and self.share < 100

    def _queue_words(self, of_messages: str, large: str) -> list[str]:
        if self.queue in (ONE_MESSAGE, LARGE_QUEUE):
            return [large] * (self.queue == LARGE_QUEUE)
        return [of_messages.format(self.queue // ONE_MESSAGE)]

    @property
    def key(self) -> str:
        words = [self.structure, "saturated" if self.saturated else f"{self.gap:g}"]
        words += {"": [], TOUCH: ["forced"], PREFILL: ["prefilled"]}[self.forced]
        words += [f"mixed{self.share}"] if self.mixed else ["checksum"] * self.checksum
        words += ["integrated" if self.copied else "late"] * self.late
        words += self._queue_words("queue{}", "queue")
        words += [f"load{self.load}"] if self.load else []
        words += ["reads"] * self.reads + ["fbufs"] * self.fbufs
        words += [self.pool.lower()] * (self.pool != LIFO) + ["superpage"] * self.superpage
        words += ["mapped"] * self.mapped
        words += [f"tlb{self.entries}"] * (self.entries != ENTRIES)
        words += [f"page{self.page.lower()}"] * (self.page != PAGE)
        words += [f"{self.mbps}mbps"] * (self.mbps != WIRE and not self.saturated)
        words += [f"train{self.train}"] * (self.train > 0)
        words += ["long"] * self.long + ["unprobed"] * (not self.probed)
        words += [f"still-{source.split()[-1]}" for source in self.still]
        words += [f"pages{self.pages}x{self.lines}"] if self.pages else []
        return "-".join(words)

    @property
    def title(self) -> str:
        more = {"": [], TOUCH: ["TLB forced"], PREFILL: ["TLB filled by PALcode"]}[self.forced]
        more += [f"checksum of {self.share} % of the messages"] * self.mixed
        more += ["checksum"] * (self.checksum and not self.mixed)
        more += [f"checked by the reader{' in its copy' * self.copied}"] * self.late
        more += self._queue_words("queue of {} messages", "large queue")
        more += [f"load {self.load} bytes a word"] if self.load else []
        more += ["words read"] * self.reads + ["fbufs"] * self.fbufs
        more += [f"{self.pool} pools"] * (self.pool != LIFO) + ["superpage"] * self.superpage
        more += ["kernel mapped"] * self.mapped
        more += [f"{self.entries} TLB entries"] * (self.entries != ENTRIES)
        more += [f"pages of {self.page}"] * (self.page != PAGE)
        more += [f"trains of {self.train}"] * (self.train > 0)
        more += ["many messages"] * self.long + ["not probed"] * (not self.probed)
        more += [f"{source} fixed" for source in self.still]
        more += [f"footprint of {self.pages} pages × {self.lines} lines"] if self.pages else []
        offered = "saturated" if self.saturated else f"gap {self.gap:g} ms"
        offered += f" at {self.mbps} Mb/s" * (self.mbps != WIRE)
        return ", ".join([TITLES[self.structure], offered, *more])

    @property
    def switches(self) -> tuple[str, ...]:
        found = [f"PROBE_FORCE={FORCES[self.forced]}", f"UDP_CHECKSUM={self.checksum + self.late}"]
        found += [
            f"PROBE={int(self.probed)}",
            "READER_SUMS=0",
            "EMPTY_ENDS=1",
            "XK_LONGWORDS=1",
            f"QUEUE_BYTES={self.queue}",
        ]
        found += [f"MEASURE_AFTER={WARMUP}"]
        found += [f"LOAD_BYTES={self.load}"] if self.load else []
        found += ["COPY_SUMS=1"] * self.copied
        found += ["READER_LOADS=1"] * self.reads + ["FBUFS=1"] * self.fbufs
        found += POOLS[self.pool]
        if self.pages:
            found += [f"FOOTPRINT_PAGES={self.pages}", f"FOOTPRINT_LINES={self.lines}"]
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


# Pages and lines of the sweep; the last are the report's Mach as nearly as any (docs/explanation/
# tr9304.md, Footprint).
FOOTPRINTS = ((16, 4), (32, 4), (48, 4), (64, 4), (96, 4), (48, 8), (80, 1), (80, 2), (80, 8))
FOOTPRINT = (80, 4)
FOLLOWED = tuple(Configuration(system, LARGE) for system in SYSTEMS)


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


def sized(c: Configuration, footprint: tuple[int, int]) -> Configuration:
    """The configuration with this footprint."""
    return replace(c, pages=footprint[0], lines=footprint[1])


def footprints() -> list[Configuration]:
    """Mach's, TLB forced and not, by footprint; what else claims ask of one of them; and the same
    footprint in BSD's kernel."""
    mach = [Configuration("mach", LARGE), Configuration("mach", LARGE, TOUCH)]
    found = [sized(c, size) for size in (*FOOTPRINTS, FOOTPRINT) for c in mach]
    more = [Configuration("mach", SMALL), Configuration("mach", SMALL, TOUCH)]
    more += [replace(c, checksum=True) for c in (mach[1], more[1])]
    more += [Configuration("mach", LARGE, entries=ALL_ENTRIES)]
    more += [Configuration(system, gap) for system in ("bsd", "hpux") for gap in GAPS]
    return [*found, *(sized(c, FOOTPRINT) for c in more)]


def unsummed() -> list[Configuration]:
    """Systems without sums on a wire on which messages come faster than they are read, so some wait
    while others are summed."""
    fast = {"queue": LARGE_QUEUE, "mbps": FAST}
    found = [Configuration(s, BURST, **fast) for s in ("bsd", "mach", "hpux")]
    return [*found, sized(replace(found[1], gap=SLOW), FOOTPRINT)]


def summed(c: Configuration, share: int) -> Configuration:
    """The configuration with sums of so many of 100 messages."""
    return replace(c, checksum=share > 0, share=share or 100)


def mixtures(shares: tuple[int, ...] = SHARES) -> list[Configuration]:
    return [summed(c, share) for c in unsummed() for share in shares]


def queued(system: str, length: int) -> Configuration:
    """A burst of many messages, of which so many may wait. HPUX's have a sum, or nothing would be
    in the cache."""
    sized = {n: n * ONE_MESSAGE for n in LENGTHS} | {LENGTHS[-1]: LARGE_QUEUE}
    fast = {"queue": sized[length], "mbps": FAST, "long": True}
    return Configuration(system, QUEUED[system], checksum=system == "hpux", **fast)


def queues() -> list[Configuration]:
    return [queued(system, n) for system in QUEUED for n in LENGTHS]


def passes(c: Configuration) -> dict[str, Configuration]:
    """The configuration by how a message's bytes are summed. It is not probed, for a probe brings
    all of them into the cache before the copy."""
    ways = {NO_SUM: {}, IN_UDP: {"checksum": True}}
    ways |= {BY_READER: {"checksum": True, "late": True}}
    ways |= {IN_COPY: {"checksum": True, "late": True, "copied": True}}
    return {way: replace(c, probed=False, **more) for way, more in ways.items()}


def layers() -> list[tuple[Configuration, tuple[str, ...]]]:
    """Traffic, and how its messages are summed: one message at a time; trains in which messages
    wait, between the sum and the copy if UDP sums them."""
    fast = {"queue": LARGE_QUEUE, "mbps": FAST, "train": TRAIN}
    alone = [Configuration(s, SMALL) for s in QUEUED]
    burst = [Configuration(s, HASTE, **fast) for s in QUEUED]
    burst.append(sized(burst[1], FOOTPRINT))
    found = [(c, (NO_SUM, IN_UDP, BY_READER, IN_COPY)) for c in alone]
    return found + [(c, (IN_UDP, IN_COPY)) for c in burst]


def integrated() -> list[Configuration]:
    return [passes(c)[way] for c, ways in layers() for way in ways]


def domains() -> list[Configuration]:
    """Protocols in the application's domain: the systems that they are compared with have these
    configurations too."""
    plain = [Configuration("library", gap, force) for gap in GAPS for force in ("", TOUCH)]
    larger = [sized(c, FOOTPRINT) for c in plain if not (c.forced and c.gap == SMALL)]
    return [*plain, replace(plain[0], checksum=True), *larger]


def later() -> list[Configuration]:
    """Configurations of what the report leaves open, of which fewer boots are made."""
    return [*mixtures(FURTHER_SHARES), *queues(), *integrated(), *domains()]


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
    found += [*footprints(), *mixtures(), *later()]
    return list(dict.fromkeys(found))


def plan(wanted: Wanted, extent: Extent) -> list[Experiment]:
    """Every boot of each configuration whose gap is known; the steps of a message."""
    wanted.check_nodes((MACHINE,), "structures")
    chosen = [c for c in configurations() if not c.saturated]
    fewer = set(later())
    found = [e for c in chosen for e in boots(wanted, extent, c, count=few(extent) * (c in fewer))]
    return found + [followed(wanted, extent, c) for c in FOLLOWED if c in chosen]


def few(extent: Extent) -> int:
    """Boots of what comes ``later``."""
    every = extent.samples["udp"]
    return min(every, max(2, every * FEW // FULL.samples["udp"]))


def boots(
    wanted: Wanted, extent: Extent, c: Configuration, part: str = RESULTS, count: int = 0
) -> list[Experiment]:
    """Experiments of the boots: ``count`` of them, or as many as ``extent`` has, each with a
    seed."""
    messages = WARMUP + extent.round_trips * (SATURATED if c.saturated or c.long else 1)
    if c.train:
        messages = -(-messages // c.train) * c.train
    seeds = range(wanted.usual.seed, wanted.usual.seed + (count or extent.samples["udp"]))
    machine = load(MACHINE, c.settings)
    found = [(seed, spec_of(wanted, c, machine, messages, seed)) for seed in seeds]
    return [Experiment.of(f"{c.key}-{seed}", own, (part, c.key)) for seed, own in found]


def followed(wanted: Wanted, extent: Extent, c: Configuration) -> Experiment:
    """A boot that writes down when its functions are entered."""
    messages = WARMUP + extent.round_trips
    own = spec_of(wanted, c, load(MACHINE, c.settings), messages, wanted.usual.seed)
    own = replace(own, calls=tuple(STEPS[c.structure].values()))
    return Experiment.of(f"{FOLLOW}/{c.key}-{own.seed}", own, (FOLLOW, c.structure))


def spec_of(
    wanted: Wanted, c: Configuration, machine: Machine, messages: int, seed: int
) -> NodeSpec:
    """A receiver, and messages that are put on its wire to the tick."""
    period = machine.ticks_per_us * 1_000_000 // machine.parameters["timer.hz"]
    share = c.share * c.checksum
    script, last = frames.script_file(machine, messages, c.gap, FIRST_TICK, share, c.train)
    return NodeSpec(
        machine=MACHINE,
        images=(NodeImage(f"udprecv-{c.structure}", c.switches), NodeImage("hello")),
        settings=c.settings,
        engine=wanted.usual.engine,
        seed=seed,
        fields={"role": 0, "round_trips": 0},
        phase=period if PHASE in c.still else random.Random(seed).randrange(1, period),
        script=str(script),
        max_ticks=last + AFTER_TICKS,
        hang_ticks=50_000_000,
        passages=WINDOW,
        evictions=wanted.usual.engine == EXACT,
        name=f"{c.key}-{seed}",
    )


EACH = [Configuration(system, SMALL) for system in SYSTEMS]  # Figures 2 and 3
OTHERS = [  # 4 to 8
    Configuration("mach", SMALL, forced=TOUCH),
    Configuration("mach", SMALL, forced=TOUCH, checksum=True),
    Configuration("hpux", SMALL, checksum=True),
    Configuration("bsd", SMALL, queue=LARGE_QUEUE),
    Configuration("bsd", SMALL, load=100),
]


def pairs(wanted: Wanted, extent: Extent) -> list[Experiment]:
    """Short runs that both engines make, the RTL in lock-step with the instruction-set model: every
    file must be the same."""
    short = replace(extent, round_trips=1)
    part = [*EACH, *OTHERS] if extent.extras else EACH
    found = [e for c in part for e in boots(wanted, short, c, count=1)]
    return [replace(e, spec=replace(e.spec, evictions=False)) for e in found]
