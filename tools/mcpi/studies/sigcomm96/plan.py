# SPDX-License-Identifier: BSD-2-Clause
"""Which runs the study is made of (docs/how-to/paper.md)."""

from dataclasses import replace

from mcpi.base.errors import UserError
from mcpi.batch.plan import IN_ORDERS, ORDERS, RESULTS, Experiment, Extent, Wanted
from mcpi.firmware import recipes, switches
from mcpi.machine import caches, profile
from mcpi.papers.sigcomm96 import STACKS
from mcpi.spec import run_jobs
from mcpi.spec.run_spec import RunSpec, one_of

# The paper's order, slowest first, and before them what Table 2 calls original.
ORDER = ("original", "bad", "std", "out", "clo", "pin", "all")
BASE, BEST = "std", "all"
# Columns of Table 1 and 2 are TCP/IP's alone.
STUDIED = {"tcp": ORDER, "rpc": ORDER[1:]}
# Runs of a shuffled link order: the connection has settled after 16, and eight give T_e
# to 0.25 % and T_p to 0.41 % of the mean of fifty (docs/how-to/paper.md, Time).
SHORT_WARMUP, SHORT = 16, 8
# Other places for the copies of what is cloned (SIGCOMM'96 3.2); the recipes' own is bipartite.
CLONED, LAYOUTS = ("clo", "all"), ("linear", "micro")
PLACES, SWITCHES = "layouts", "switches"  # parts of study.json
REFRESH = "XK_REFRESH"  # a claim is about its round trip, so it is in link orders too
INLINED, GUARD = "pin", "PIN_GUARD=1"
# Table 1's rows in its order, by the firmware switch that takes each back.
TECHNIQUES = {
    "XK_WORDS": "Change bytes and shorts to words in TCP state",
    "XK_REFRESH": "More efficiently refresh message after processing",
    "XK_USC": "Use USC in LANCE to avoid descriptor copying",
    "XK_MAPINL": "Inlined hash-table cache test",
    "XK_INLINE": "Various inlining",
    "XK_NODIV": "Avoid integer division",
    "XK_MISC": "Other minor changes",
}
FULL = Extent({"tcp": 10, "rpc": 5}, 50, 30)
QUICK = Extent(
    {"tcp": 1, "rpc": 1},
    SHORT,
    0,
    extras=False,
    warmup=SHORT_WARMUP,
    short_cold=True,
    repeats=2,
)


def absent(there: tuple[str, ...] | None = None) -> dict[str, str]:
    """Variants of the paper that cannot be measured, with the reason."""
    there = recipes.variants() if there is None else there
    missing = (name for name in ORDER if name not in there)
    return {name: f"firmware/variants/{name}.toml is not there yet" for name in missing}


def plan(wanted: Wanted, extent: Extent) -> list[Experiment]:
    """The experiments, those of most variants first; UserError for what there is not."""
    there = recipes.variants()
    for stack in wanted.stacks:
        one_of("stack", stack, STACKS)
    for name in wanted.variants:
        one_of("variant", name, there)
        if not any(name in STUDIED[stack] for stack in wanted.stacks or STUDIED):
            stacks = " and ".join(wanted.stacks or STUDIED)
            raise UserError(f"--variant {name}: the study has none of {stacks}; leave it out.")
    # Before a list of a million runs is made.
    first = wanted.spec(extent, "tcp", BASE, samples=max(extent.samples.values()))
    first.check()
    machine = profile.load(first.machine, first.settings)
    caches.direct(machine.parameters, "the map of the caches (`maps`)", "icache.victims")
    stacks = tuple(dict.fromkeys(wanted.stacks)) or tuple(STUDIED)
    chosen = [v for v in ORDER if v in (wanted.variants or there) and v in there]
    found = [
        experiment
        for stack in stacks
        for variant in chosen
        if variant in STUDIED[stack]
        for experiment in _of_variant(wanted, extent, stack, variant)
    ]
    if extent.switches and "tcp" in stacks and BASE in chosen:
        # Table 1: the base with one technique taken back.
        for switch in (s for s in TECHNIQUES if s in switches.there()):
            spec = wanted.spec(extent, "tcp", BASE, defines=(f"{switch}=0",))
            found.append(_once(f"tcp-{BASE}-{switch}", spec, SWITCHES, switch))
        for n in range(1, extent.shuffles + 1):
            order, own = _order(wanted, extent, n)
            spec = wanted.spec(extent, "tcp", BASE, defines=(f"{REFRESH}=0",), **own)
            part = IN_ORDERS, SWITCHES, order, REFRESH
            found.append(_once(f"tcp-{BASE}-{REFRESH}-{order}", spec, *part))
    return found


def _order(wanted: Wanted, extent: Extent, n: int) -> tuple[str, dict]:
    """The name of a random link order, and what a run of it has otherwise."""
    order, trips = f"shuffle-{n}", min(SHORT, extent.round_trips)
    own = {"layout": order, "warmup": SHORT_WARMUP, "round_trips": trips}
    return order, own | {"seed": wanted.usual.seed + n - 1}


def _of_variant(wanted: Wanted, extent: Extent, stack: str, variant: str) -> list[Experiment]:
    title, samples = f"{stack}-{variant}", extent.samples[stack]
    whole = wanted.spec(extent, stack, variant, samples=samples, cold=True)
    jobs = tuple(
        replace(job, short=extent.short_cold and job.memory == run_jobs.COLD)
        for job in run_jobs.jobs(whole)
    )
    found = [Experiment(title, whole, jobs, (RESULTS, stack, variant))]
    placed = LAYOUTS if extent.extras and variant in CLONED else ()
    for n in range(1, extent.shuffles + 1):
        order, own = _order(wanted, extent, n)
        shuffled = wanted.spec(extent, stack, variant, cold=True, **own)
        part = ORDERS, stack, variant, order
        found.append(Experiment.placed(f"{title}-{order}", shuffled, part, extent))
        for layout in placed:
            both = f"{layout}-{order}"
            other = wanted.spec(extent, stack, variant, cold=True, **own | {"layout": both})
            part = IN_ORDERS, PLACES, order, stack, variant, layout
            found.append(Experiment.placed(f"{title}-{both}", other, part, extent))
    for layout in placed:
        other = wanted.spec(extent, stack, variant, layout=layout, cold=True)
        part = PLACES, stack, variant, layout
        found.append(Experiment.placed(f"{title}-{layout}", other, part, extent))
    if extent.extras and variant == INLINED:
        guarded = wanted.spec(extent, stack, variant, defines=(GUARD,))
        found.append(_once(f"{title}-guard", guarded, "guards", stack))
    return found


def _once(name: str, spec: RunSpec, *part: str) -> Experiment:
    """A single run, without ideal memory or cold caches."""
    return Experiment(name, spec, (run_jobs.Job(1, run_jobs.REAL),), part)
