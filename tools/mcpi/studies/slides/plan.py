# SPDX-License-Identifier: BSD-2-Clause
"""Which runs the study is made of: three experiments (docs/explanation/slides.md)."""

from dataclasses import replace

from mcpi.base.errors import UserError
from mcpi.batch.plan import IN_ORDERS, ORDERS, RESULTS, Experiment, Extent, Wanted
from mcpi.spec import run_jobs
from mcpi.spec.numbers import STACKS
from mcpi.spec.run_spec import BOARD, RunSpec

OLD, NEW = "dec3000-600", "alpha-300"
MACHINES = (OLD, "alpha-265", NEW, "alpha-300-16k")
VERSIONS = {"tcp": ("original", "bad", "std", "out", "clo", "pin", "all", "fast")}
VERSIONS |= {"rpc": VERSIONS["tcp"][1:]}
BASE, BEST = "std", "all"
WORST = "bad"
ENDS = (BASE, BEST)  # the versions of which latency and wire are varied
# E2: what is varied on the old machine, beside its own 10, 48, prefetch and 32 bytes.
LATENCIES = {
    "bcache.read_ticks": (17, 24, 31, 42, 53, 63),
    "memory.read_ticks": (90, 132, 174, 216, 255),
}
OTHERS = (("icache.prefetch", "off"), ("cache.block", "16B"), ("cache.block", "64B"))
TLB = ("core.translation", "tlb")
OTHERS += (TLB,)
# E3: what is at the other end of the controller, in the place of 10 Mb/s and the Am7990's times.
WIRES = {"10 ideal": {"lance.profile": "ideal"}}
FAST_WIRE = "100 ideal"
WIRES |= {FAST_WIRE: {"lance.profile": "ideal", "link.mbps": "100"}}
LATENCY = "latency"  # part of study.json
FULL = Extent({"tcp": 10, "rpc": 5}, 50, 30, repeats=16, each_on_rtl=False)
QUICK = replace(FULL, samples={"tcp": 1, "rpc": 1}, round_trips=8, shuffles=3, extras=False)
# Runs of a shuffled link order: as long as those of sigcomm96.
SHORT = {"warmup": 16, "round_trips": 8}
QUICK = replace(QUICK, warmup=16, short_cold=True, repeats=4)


def at(where: str, stack: str) -> str:
    """The key of results: a machine, or a wire of the old one, and the stack."""
    return f"{where} {stack}"


def plan(wanted: Wanted, extent: Extent) -> list[Experiment]:
    """The experiments; UserError for what the study has not."""
    usual = wanted.usual
    if usual.machine != RunSpec.machine or usual.settings:
        raise UserError(
            f"this study is about machines, {', '.join(MACHINES)}, and sets them itself: "
            "leave --machine and --set out."
        )
    if usual.engine == BOARD:
        raise UserError("--engine board: the machines of this study are not built for boards.")
    for name in wanted.stacks:
        if name not in STACKS:
            raise UserError(f"no stack '{name}'. There are: {', '.join(STACKS)}.")
    for name in wanted.variants:
        if name not in VERSIONS["tcp"]:
            raise UserError(f"no version '{name}'. There are: {', '.join(VERSIONS['tcp'])}.")
    pairs = [
        (stack, variant)
        for stack in VERSIONS
        if stack in (wanted.stacks or VERSIONS)
        for variant in VERSIONS[stack]
        if variant in (wanted.variants or VERSIONS[stack])
    ]
    if not pairs:
        raise UserError(
            f"--stack rpc: RPC has no {' and no '.join(v.upper() for v in wanted.variants)}."
        )
    ends = [(stack, variant) for stack, variant in pairs if variant in ENDS]
    found = [
        *(_machine(wanted, extent, machine, *pair) for machine in MACHINES for pair in pairs),
        *(one for stack, variant in pairs for one in _orders(wanted, extent, stack, variant)),
        *(one for pair in ends for one in _latencies(wanted, extent, *pair)),
        *(_wire(wanted, extent, wire, *pair) for wire in WIRES for pair in ends),
    ]
    # A first look builds no simulator that the paper's own study has not.
    verilog = found[0].machine.elaborate_digest
    some = (e.machine.elaborate_digest == verilog for e in found)
    return [replace(e, on_rtl=extent.extras or same) for e, same in zip(found, some)]


def _machine(wanted: Wanted, extent: Extent, machine: str, stack: str, variant: str) -> Experiment:
    """E1: a version on a machine."""
    samples = extent.samples[stack]
    more = {"machine": machine, "samples": samples, "cold": True}
    spec = wanted.spec(extent, stack, variant, **more)
    jobs = tuple(
        replace(job, short=extent.short_cold and job.memory == run_jobs.COLD)
        for job in run_jobs.jobs(spec)
    )
    name = f"{machine}-{stack}-{variant}"
    return Experiment(name, spec, jobs, (RESULTS, at(machine, stack), variant))


def _orders(wanted: Wanted, extent: Extent, stack: str, variant: str) -> list[Experiment]:
    """The runs in other link orders, on which claims are judged: each end on both machines, BAD on
    the old one; the base at the fast wire and with TLBs."""
    machines = (OLD, NEW) if variant in ENDS else (OLD,) if variant == WORST else ()
    found = []
    for n in range(1, extent.shuffles + 1):
        order, seed = f"shuffle-{n}", wanted.usual.seed + n - 1
        own = {"stack": stack, "variant": variant, "layout": order, "seed": seed, **SHORT}
        title = f"{stack}-{variant}-{order}"
        places = [(m, {"machine": m}, (ORDERS, at(m, stack), variant, order)) for m in machines]
        if variant == BASE:
            part = ORDERS, at(FAST_WIRE, stack), variant, order
            places.append((FAST_WIRE.replace(" ", "-"), {"settings": WIRES[FAST_WIRE]}, part))
            part = IN_ORDERS, LATENCY, order, stack, variant, "=".join(TLB)
            places.append(("-".join(TLB), {"settings": dict([TLB])}, part))
        for place, more, part in places:
            spec = replace(wanted.usual, **own, **more)
            found.append(_once(spec, f"{place}-{title}", part))
    return found


def _latencies(wanted: Wanted, extent: Extent, stack: str, variant: str) -> list[Experiment]:
    """E2: the old machine with one parameter changed."""
    points = [
        (key, str(value))
        for key, values in LATENCIES.items()
        for value in (values if extent.extras else values[1::3])
    ]
    return [
        _once(
            wanted.spec(extent, stack, variant, settings={key: value}),
            f"{stack}-{variant}-{key}-{value}",
            (LATENCY, stack, variant, f"{key}={value}"),
        )
        for key, value in (*points, *OTHERS)
    ]


def _wire(wanted: Wanted, extent: Extent, wire: str, stack: str, variant: str) -> Experiment:
    """E3: the old machine at another wire."""
    samples = extent.samples[stack]
    spec = wanted.spec(extent, stack, variant, settings=WIRES[wire], samples=samples)
    name = f"{wire.replace(' ', '-')}-{stack}-{variant}"
    return Experiment.of(name, spec, (RESULTS, at(wire, stack), variant))


def _once(spec: RunSpec, name: str, part: tuple[str, ...]) -> Experiment:
    return Experiment(name, spec, (run_jobs.Job(1, run_jobs.REAL),), part)
