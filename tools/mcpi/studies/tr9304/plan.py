# SPDX-License-Identifier: BSD-2-Clause
"""Which machines receive what: each configuration is a histogram of the paper, or ours."""

from dataclasses import dataclass

from mcpi.base.errors import UserError
from mcpi.spec.run_spec import EXACT
from mcpi.study.plan import Experiment, Extent, Wanted

MACHINE = "hp720"
FLOORS = {"mach": 170, "bsd": 91, "hpux": 88, "xkernel": 91}  # ticks of a refill, Table 1
TITLES = {"mach": "Mach", "bsd": "BSD", "hpux": "HPUX", "xkernel": "x-kernel"}
LARGE, SMALL = 20, 0  # ms between messages
GAPS = (LARGE, SMALL)
ONE_MESSAGE, LARGE_QUEUE = 16_384, 246_467  # bytes that may wait in a socket
LOADS = (60, 80, 90, 100, 110, 120)  # bytes a word; the report's 23 to 25 were its machine's
LIFO = "LIFO"
POOLS = {LIFO: 0, "FIFO": 1, "scattered": 2}  # by POOL_ORDER
WARMUP = 5  # messages
# Named sources of spread: the timer's phase, and the order of the free lists at start.
PLACED = "POOL_PLACE=1"

# ``samples``: runs of other seeds. 3,000 mbufs a histogram, as the paper's.
FULL = Extent({"udp": 10}, 30, 0, beside=True, warmup=WARMUP)
QUICK = Extent({"udp": 2}, 20, 0, beside=False, warmup=WARMUP)


@dataclass(frozen=True)
class Configuration:
    """``forced``: a word of the mbuf's page is touched first. ``queue``: bytes of the socket.
    ``load``: bytes of its own state that the reader goes through for each word it has read.
    ``pool``: which buffer is taken next. ``superpage``: the kernel's buffers need no TLB entry."""

    structure: str
    gap: int
    forced: bool = False
    checksum: bool = False
    queue: int = ONE_MESSAGE
    load: int = 0
    pool: str = LIFO
    superpage: bool = False

    @property
    def key(self) -> str:
        words = [self.structure, str(self.gap)]
        words += ["forced"] * self.forced + ["checksum"] * self.checksum
        words += ["queue"] * (self.queue != ONE_MESSAGE)
        words += [f"load{self.load}"] if self.load else []
        words += [self.pool.lower()] * (self.pool != LIFO) + ["superpage"] * self.superpage
        return "-".join(words)

    @property
    def title(self) -> str:
        more = ["TLB forced"] * self.forced + ["checksum"] * self.checksum
        more += ["large queue"] * (self.queue != ONE_MESSAGE)
        more += [f"load {self.load} bytes a word"] if self.load else []
        more += [f"{self.pool} pools"] * (self.pool != LIFO) + ["superpage"] * self.superpage
        return ", ".join([TITLES[self.structure], f"gap {self.gap} ms", *more])

    @property
    def switches(self) -> tuple[str, ...]:
        found = [f"PROBE_FORCE={int(self.forced)}", f"UDP_CHECKSUM={int(self.checksum)}"]
        found += ["PROBE=1", "READER_SUMS=0", "EMPTY_ENDS=1", f"QUEUE_BYTES={self.queue}"]
        found += [f"LOAD_BYTES={self.load}"] if self.load else []
        found += [f"POOL_ORDER={POOLS[self.pool]}"] if self.pool != LIFO else []
        found += ["KERNEL_MAPPED=0"] * self.superpage
        if self.structure == "xkernel":
            return (*found, "XK_FRAGMENTS=1", "XK_LINK_CHECK=1")
        return (*found, PLACED)

    @property
    def settings(self) -> dict[str, str]:
        return {"tlb.refill_floor": str(FLOORS[self.structure])}


def configurations() -> list[Configuration]:
    """All of them, Figure 2's first."""
    found = [Configuration(s, gap) for gap in GAPS for s in ("bsd", "mach", "hpux", "xkernel")]
    for gap in GAPS:
        found += [
            Configuration("mach", gap, forced=True),
            Configuration("mach", gap, forced=True, checksum=True),
            Configuration("mach", gap, checksum=True),
            Configuration("hpux", gap, checksum=True),
            Configuration("hpux", gap, forced=True),
            Configuration("bsd", gap, forced=True),
            Configuration("bsd", gap, checksum=True),
            Configuration("bsd", gap, queue=LARGE_QUEUE),
        ]
    found += [Configuration("bsd", LARGE, load=load) for load in LOADS]
    found += [Configuration("bsd", LARGE, pool=pool) for pool in POOLS if pool != LIFO]
    return [*found, Configuration("bsd", LARGE, load=LOADS[0], superpage=True)]


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
