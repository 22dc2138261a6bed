# SPDX-License-Identifier: BSD-2-Clause
"""Figures of SIGCOMM'96's claims, by their names in claims.csv."""

from collections.abc import Callable

from verify.second_hand.recount import causes, production
from verify.second_hand.recount.claims import Figures, Missing
from verify.second_hand.recount.run import Run

ORDER = ("bad", "std", "out", "clo", "pin", "all")
ACCESS_STEPS = ("std out", "out clo", "out pin", "pin all")  # BAD's accesses miss the b-cache
Get = Callable[[Run], float]


def i_replaced(run: Run) -> float:
    return run.replayed["icache"]["repl"]


def b_replaced(run: Run) -> float:
    return run.replayed["bcache"]["repl"]


def of(study, cells: production.Cells) -> Figures:
    """``study``: of ``recount.sigcomm96``; ``cells``: both stacks between Table 3's points."""

    def one(stack: str, version: str) -> Run:
        if (stack, version) not in study.runs:
            raise Missing
        return study.runs[stack, version]

    def saved(get: Get) -> Callable:
        return lambda stack, a, b: get(one(stack, a)) - get(one(stack, b))

    def over(get: Get) -> Callable:
        return lambda stack, a, b: get(one(stack, a)) / get(one(stack, b))

    def less(get: Get) -> Callable:
        """Per cent that the second version has less."""
        return lambda stack, a, b: 100 - 100 * get(one(stack, b)) / get(one(stack, a))

    def of_one_end(stack: str, a: str, b: str) -> float:
        both = one(stack, a).te - one(stack, b).te
        return both / 2 if stack == "tcp" else both

    def one_end_more(stacks: str, *steps: str) -> float:
        first, second = stacks.split()
        return of_one_end(first, *steps[:2]) - of_one_end(second, *steps[2:])

    def instruction_side(stack: str, a: str, b: str) -> float:
        before, after = one(stack, a).replayed, one(stack, b).replayed
        accesses = before["bcache"]["acc"] - after["bcache"]["acc"]
        data = before["dcache_write_buffer"]["miss"] - after["dcache_write_buffer"]["miss"]
        if not accesses:
            raise Missing
        return 100 - 100 * data / accesses

    def taken_share(stack: str, a: str, b: str) -> float:
        runs = one(stack, a), one(stack, b)
        taken = [run.ideal["owner.taken_bubble"] / run.ideal["instructions"] for run in runs]
        return 100 * (taken[0] - taken[1]) / (runs[0].icpi - runs[1].icpi)

    def out_of_order(stack: str) -> float:
        times = [one(stack, version).tp for version in ORDER]
        return sum(times[n] <= times[n + 1] for n in range(len(times) - 1))

    def above_bipartite(stack: str, version: str) -> float:
        micro = study.other(f"{stack}-{version}-micro")
        if not micro:
            raise Missing
        return micro.te - one(stack, version).sample_trips[0]

    def below_with_prefetch(stack: str, version: str) -> float:
        """How much less micro-positioning loses without prefetch."""
        micro, usual = (study.unfetched(stack, version, n) for n in ("micro", "bipartite"))
        if not micro or not usual:
            raise Missing
        return above_bipartite(stack, version) - micro.te + usual.te

    def micro_b_misses(stack: str, version: str) -> float:
        micro = study.other(f"{stack}-{version}-micro")
        if not micro:
            raise Missing
        return micro.each("bcache.misses") - one(stack, version).each("bcache.misses")

    def length_of_switch(stack: str, switch: str) -> float:
        other = study.other(f"{stack}-std-{switch}")
        if not other:
            raise Missing
        return other.length - one(stack, "std").length

    def stream_least(stack: str, *versions: str) -> float:
        rates = [causes.stream(study, stack, version) for version in ("std", *versions)]
        if None in rates:
            raise Missing
        return 100 * min(rates[1:]) / rates[0]

    def replaced(stacks: str, *versions: str) -> float:
        return sum(b_replaced(one(s, v)) for s in stacks.split() for v in versions)

    def te_of_switch(stack: str, switch: str) -> float:
        without = study.other(f"{stack}-std-{switch}")
        if not without:
            raise Missing
        return (without.te - one(stack, "std").te) / (2 if stack == "tcp" else 1)

    def both_places(stack: str, version: str) -> list[dict]:
        """The i-cache of the cold invocation, micro-positioned and as usual."""
        micro = study.other(f"{stack}-{version}-micro")
        if not micro:
            raise Missing
        return [run.replayed["icache"] for run in (micro, one(stack, version))]

    def micro_replaced(stack: str, version: str) -> float:
        micro, usual = both_places(stack, version)
        if not usual["repl"]:
            raise Missing
        return micro["repl"] / usual["repl"]

    def micro_cold(stack: str, version: str) -> float:
        micro, usual = (cache["miss"] - cache["repl"] for cache in both_places(stack, version))
        return micro - usual

    def access(stack: str, a: str, b: str) -> float:
        """Ticks of T_p by b-cache accesses, both as what the second version has less."""
        before, after = one(stack, a), one(stack, b)
        fewer = before.replayed["bcache"]["acc"] - after.replayed["bcache"]["acc"]
        if not fewer:
            raise Missing
        return (before.tp - after.tp) * before.per_us / fewer

    def accesses(stacks: str) -> list[float]:
        found = [(s, *step.split()) for s in stacks.split() for step in ACCESS_STEPS]
        return [access(*step) for step in found if step != ("rpc", "pin", "all")]

    of_both = production.figures(cells)
    shared = ("cpi_ratio", "mcpi_between_ratio", "ticks_less_percent", "ip_checksum")
    return {name: of_both[name] for name in shared} | {
        "access": access,
        "access_least": lambda stacks: min(accesses(stacks)),
        "access_most": lambda stacks: max(accesses(stacks)),
        "length_less_percent": less(lambda run: run.length),
        "micro_cold": micro_cold,
        "micro_replaced": micro_replaced,
        "te_gain": saved(lambda run: run.te),
        "te_of_switch": te_of_switch,
        "above_bipartite": above_bipartite,
        "b_replaced": replaced,
        "i_misses_gain": saved(lambda run: run.replayed["icache"]["miss"]),
        "i_replaced_ratio": over(i_replaced),
        "icpi_gain": saved(lambda run: run.icpi),
        "instruction_side": instruction_side,
        "length_of_switch": length_of_switch,
        "micro_b_misses": micro_b_misses,
        "mcpi_ratio": over(lambda run: run.mcpi),
        "one_end_more": one_end_more,
        "out_of_order": out_of_order,
        "stream_least": stream_least,
        "size_less_percent": less(lambda run: run.size),
        "taken_share": taken_share,
        "te_more_percent": lambda *words: 100 * over(lambda run: run.te)(*words) - 100,
        "tp_beyond_te": lambda *w: saved(lambda run: run.tp)(*w) - of_one_end(*w),
        "tp_less_percent": less(lambda run: run.tp),
        "unfetched_less": below_with_prefetch,
        "unused_gain": saved(lambda run: run.unused),
    }
