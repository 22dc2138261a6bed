# SPDX-License-Identifier: BSD-2-Clause
"""Table 3's other stack: which runs compare it with the x-kernel's, and the figures of predictions
and claims about both (docs/explanation/bsd.md)."""

from collections.abc import Callable

from mcpi.batch.plan import IN_ORDERS, Experiment, Extent, Wanted
from mcpi.spec import run_jobs
from mcpi.spec.run_jobs import COLD, IDEAL, REAL
from mcpi.spec.run_spec import BOARD, RunSpec
from mcpi.studykit.claims import Figure, Missing
from mcpi.studykit.measured import Measured

PART = "production"  # of study.json
BSD, OWN = "bsd", "tcp"
OLD, NEW = RunSpec.machine, "alpha-300"
IP, TCP = "ip_input_to_tcp_input", "tcp_input_to_socket_input"
VERSIONS = ("std", "out", "clo")
# Costs of a whole production system, each alone; and header prediction, off or on.
BESIDES = (
    "BSD_LOCKS=1",
    "BSD_CROSSING=1",
    "BSD_POLLUTER=4",
    "BSD_POLLUTER=8",
    "BSD_NEIGHBOURS=1",
)
NOT_PREDICTED, PREDICTED = "BSD_HDRPRED=0", "XK_TCP_HDRPRED=1"
ONE_WAY = {BSD: "BSD_ONE_WAY=1", OWN: "XK_ONE_WAY=1"}
Cell = tuple[str, str, str, str]  # machine, stack, version, defines
CELLS: tuple[Cell, ...] = (
    *((machine, s, v, "") for machine in (OLD, NEW) for s in (BSD, OWN) for v in VERSIONS),
    (OLD, BSD, "bad", ""),
    *((OLD, BSD, "std", define) for define in (*BESIDES, NOT_PREDICTED)),
    (OLD, OWN, "std", PREDICTED),
    *((OLD, stack, "std", define) for stack, define in ONE_WAY.items()),
    (OLD, BSD, "std", f"{ONE_WAY[BSD]} {NOT_PREDICTED}"),
    (OLD, OWN, "std", f"{ONE_WAY[OWN]} {PREDICTED}"),
)
# Judged on link orders.
PLACED = (
    (OLD, BSD, "std", ""),
    (OLD, OWN, "std", ""),
    (OLD, BSD, "clo", ""),
    (NEW, BSD, "std", ""),
    (NEW, BSD, "clo", ""),
    *((OLD, BSD, "std", define) for define in BESIDES),
)
Order = Callable[[Wanted, Extent, int], tuple[str, dict]]


def key(machine: str, stack: str, variant: str, define: str = "") -> str:
    """The key of a cell in the record."""
    return " ".join(filter(None, (machine, stack, variant, define)))


def experiments(wanted: Wanted, extent: Extent, order: Order) -> list[Experiment]:
    """``order``: name and spec's fields of the n-th random link order. The machines are the
    study's own, so there are none for another one, nor for boards."""
    usual = wanted.usual
    if usual.machine != OLD or usual.engine == BOARD:
        return []
    found = []
    for cell in CELLS:
        machine, stack, variant, define = cell
        own = {"machine": machine, "cold": True, "defines": tuple(define.split())}
        title = f"{PART}-{key(*cell).replace(' ', '-')}"
        spec = wanted.spec(extent, stack, variant, **own)
        jobs = _jobs(REAL, IDEAL, COLD)
        found.append(Experiment(title, spec, jobs, (PART, key(*cell)), machine == OLD))
        for n in range(1, extent.shuffles + 1) if cell in PLACED else ():
            name, placed = order(wanted, extent, n)
            spec = wanted.spec(extent, stack, variant, **own | placed)
            part = IN_ORDERS, PART, name, key(*cell)
            found.append(Experiment(f"{title}-{name}", spec, _jobs(REAL, IDEAL), part, False))
    return found


def _jobs(*kinds: str) -> tuple[run_jobs.Job, ...]:
    return tuple(run_jobs.Job(1, kind, stretches=True) for kind in kinds)


def of(study: Measured, *cell: str) -> dict:
    """The figures of a cell."""
    found = study.of(PART, key(*cell))
    if found is None:
        raise Missing(f"{key(*cell)}: not measured")
    return found


def between(study: Measured, figure: str, *cell: str) -> float:
    """A figure between Table 3's points, in the steady state."""
    found = of(study, *cell).get("between", {})
    if figure not in found:
        raise Missing(f"{key(*cell)}: no {figure} between Table 3's points")
    return found[figure]


def counted(study: Measured, name: str, *cell: str) -> int:
    """Instructions of the cold invocation (``ranges``)."""
    found = of(study, *cell).get("ranges", {})
    if name not in found:
        raise Missing(f"{key(*cell)}: no {name} in the cold invocation")
    return found[name]


def _counted_ratio(*names: str) -> Figure:
    """Instructions of the first stack over the second's."""

    def figure(s: Measured, stacks: str, variant: str) -> float:
        over, under = (
            sum(counted(s, name, OLD, stack, variant) for name in names) for stack in stacks.split()
        )
        return over / under

    return figure


def _ratio(name: str) -> Figure:
    """A figure between the points, of the first stack over the second's."""

    def figure(s: Measured, stacks: str, variant: str) -> float:
        over, under = (between(s, name, OLD, stack, variant) for stack in stacks.split())
        return over / under

    return figure


def _more(s: Measured, stacks: str, variant: str) -> float:
    one, other = (between(s, "cpi", OLD, stack, variant) for stack in stacks.split())
    return one - other


def _with(name: str, define: str) -> Figure:
    """A figure between the points, with a switch less without."""

    def figure(s: Measured, stack: str, variant: str) -> float:
        plain = between(s, name, OLD, stack, variant)
        return between(s, name, OLD, stack, variant, define) - plain

    return figure


def _crossing(s: Measured, stack: str, variant: str) -> float:
    plain = of(s, OLD, stack, variant)["instructions"]
    return of(s, OLD, stack, variant, "BSD_CROSSING=1")["instructions"] - plain


def _prediction(s: Measured, stack: str, variant: str) -> float:
    """Instructions of tcp_input alone, header prediction on less off, data both ways."""
    off = counted(s, "in_tcp_input", OLD, stack, variant, NOT_PREDICTED)
    return counted(s, "in_tcp_input", OLD, stack, variant) - off


def _one_way(s: Measured, stack: str, variant: str) -> float:
    """Per cent of these that header prediction takes off or adds, data one way."""
    on, off = ONE_WAY[stack], f"{ONE_WAY[stack]} {NOT_PREDICTED}"
    with_, without = (counted(s, "in_tcp_input", OLD, stack, variant, d) for d in (on, off))
    return 100 * (with_ / without - 1)


def _tp_ratio(s: Measured, where: str, over: str, under: str) -> float:
    """``where``: a machine and a stack, or the stack alone on the usual machine."""
    *machine, stack = where.split()
    place = machine[0] if machine else OLD
    times = [of(s, place, stack, variant)["time_us"] for variant in (over, under)]
    return times[0] / times[1]


FIGURES: dict[str, Figure] = {
    "cpi_more": _more,
    "cpi_ratio": _ratio("cpi"),
    "crossing": _crossing,
    "hdrpred_both": _prediction,
    "hdrpred_one": _one_way,
    "ip_checksum": lambda s, stack, variant: float(counted(s, "ip_checksum", OLD, stack, variant)),
    "ip_ratio": _counted_ratio(IP),
    "locks": _with("cpi", "BSD_LOCKS=1"),
    "mcpi": lambda s, stack, variant: between(s, "mcpi", OLD, stack, variant),
    "mcpi_between_ratio": _ratio("mcpi"),
    "polluter_4k": _with("mcpi", "BSD_POLLUTER=4"),
    "polluter_8k": _with("mcpi", "BSD_POLLUTER=8"),
    "sum_ratio": _counted_ratio(IP, TCP),
    "tcp_ratio": _counted_ratio(TCP),
    "tick_ratio": _ratio("ticks"),
    "tick_ratio_orders": _ratio("ticks"),
    "ticks_less_percent": lambda s, *of: 100 * (1 - 1 / _ratio("ticks")(s, *of)),
    "tp_ratio": _tp_ratio,
}
# Counted in one cold invocation: no link order changes it.
COUNTS = ("hdrpred_both", "hdrpred_one", "ip_checksum", "ip_ratio", "sum_ratio", "tcp_ratio")
