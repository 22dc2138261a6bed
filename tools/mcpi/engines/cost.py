# SPDX-License-Identifier: BSD-2-Clause
"""Estimate the memory and the files of a run, before it begins, and refuse one without room.
The figures were measured on the exact engine with STD TCP/IP and STD RPC; a test measures
them again (tools/test/engines/test_cost.py)."""

from dataclasses import dataclass
from pathlib import Path

from mcpi.base.errors import UserError
from mcpi.engines import simulate
from mcpi.spec import run_jobs
from mcpi.spec.run_spec import BOARD, RunSpec
from mcpi.spec.spec import Spec

SAID = 200_000_000  # bytes; less is not worth a line
MEMINFO = Path("/proc/meminfo")
CGROUP = Path("/sys/fs/cgroup")
SIDE_BY_SIDE = 2  # simulators of a run


@dataclass(frozen=True)
class Cost:
    """Bytes of memory, at most at once, and of files."""

    memory: int = 0
    files: int = 0

    def __str__(self) -> str:
        return f"about {size(self.memory)} of memory and {size(self.files)} of files"


START = Cost(35_000_000, 1_000_000)  # of a simulator, which writes while it runs
TRIP = Cost(0, 1_250)  # of each round trip, warm-up too
SPELLS = Cost(0, 6_200)  # more of it, with real memory: what its time line is made of
PACKED_TRIP, PACKED_SPELLS = Cost(0, 350), Cost(0, 1_200)  # the same if files are compressed
TICK_LOG = Cost(0, 620_000)  # more of a round trip, of one side
TRACE = Cost(160_000, 135_000)
READ = 16  # bytes of memory for each round trip, when the simulators have ended
SPAN = 25  # bytes of files a tick, both machines; memory is flat


def of(spec: Spec) -> Cost:
    """The sum over all simulators of a run; nothing for boards, programs and nodes, whose files are
    small."""
    if spec.engine == BOARD or not isinstance(spec, RunSpec):
        return Cost()
    found = []
    for job in run_jobs.jobs(spec):
        wanted = run_jobs.spec_of(spec, job)
        packed = wanted.steps > simulate.LONG
        kinds = [PACKED_TRIP if packed else TRIP]
        if job.memory == run_jobs.REAL:
            kinds += [PACKED_SPELLS if packed else SPELLS]
        if (job.sample, job.memory) == (1, run_jobs.REAL):
            kinds += [TICK_LOG] * bool(spec.tick_log) + [TRACE] * bool(spec.trace)
        if job.memory == run_jobs.IDEAL:
            kinds += [TICK_LOG] * spec.recording
        trips = wanted.warmup + wanted.round_trips
        found.append(
            Cost(
                START.memory + trips * sum(kind.memory for kind in kinds),
                START.files + trips * sum(kind.files for kind in kinds),
            )
        )
    largest = sorted((one.memory for one in found), reverse=True)[:SIDE_BY_SIDE]
    read = START.memory + READ * spec.round_trips
    return Cost(max(sum(largest), read), sum(one.files for one in found))


def check(spec: Spec, workers: int = 1) -> str:
    """A sentence on what a large run takes; '' for a small one. UserError if there is not so much
    memory. ``workers``: so many such runs at once, one simulator each."""
    cost = of(spec)
    memory = cost.memory if workers == 1 else cost.memory // SIDE_BY_SIDE * workers
    if memory > (free := available()):
        logs = [f"--{o}" for o, on in (("tick-log", spec.tick_log), ("trace", spec.trace)) if on]
        options = ", ".join([f"--round-trips {spec.round_trips}", *logs])
        remedy = "Give fewer round trips" + (" or no log" if logs else "")
        raise UserError(
            f"{options}: this takes about {size(memory)} of memory, and {size(free)} are free. "
            f"{remedy}{', or fewer --jobs' if workers > 1 else ''}."
        )
    return f"this takes {cost}" if max(memory, cost.files) >= SAID else ""


def available() -> int:
    """Bytes of memory that a program may have without swapping."""
    lines = dict(line.split(":") for line in MEMINFO.read_text().splitlines())
    found = int(lines["MemAvailable"].split()[0]) * 1024
    try:
        most, used = ((CGROUP / f"memory.{name}").read_text() for name in ("max", "current"))
    except OSError:
        return found
    return min(found, int(most) - int(used)) if most.strip().isdigit() else found


def size(number: int) -> str:
    """3.2 GB, 450 MB."""
    for unit, name in ((10**9, "GB"), (10**6, "MB")):
        if number >= unit:
            return (
                f"{number / unit:.1f} {name}"
                if number < 10 * unit
                else f"{number / unit:,.0f} {name}"
            )
    return f"{number / 1000:.0f} KB"
