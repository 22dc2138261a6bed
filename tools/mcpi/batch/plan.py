# SPDX-License-Identifier: BSD-2-Clause
"""Request of a user to a study, the extent that is measured, and a configuration of it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from mcpi.base.errors import UserError
from mcpi.machine.profile import Machine, load
from mcpi.spec import run_jobs
from mcpi.spec.run_spec import BOARD, RunSpec
from mcpi.spec.spec import Spec

WARMUP = 20  # as for a cold run: caches, window and timers have settled
TICKS_PER_ROUND_TRIP = 63_000  # about; for the budget only
TICKS_PER_START = 1_200_000  # boot, handshake, close: likewise
RESULTS, ORDERS = "results", "orders"  # parts of study.json that every study has
# Other parts under link orders: in_orders, the part, the order, then the part's own keys.
IN_ORDERS = "in_orders"


@dataclass(frozen=True)
class Extent:
    """How much is measured. ``samples``: runs by stack; ``shuffles``: random link orders of each
    version. ``switches``: also runs without one technique each; ``extras``: also what tables that
    are not the paper's need. ``short_cold``: the cold run has the warm-up and
    round trips of the other runs. ``each_on_rtl``: the first run of each version is repeated on
    the RTL; so are ``repeats`` runs that are drawn from the others."""

    samples: dict[str, int]
    round_trips: int
    shuffles: int
    switches: bool = True
    extras: bool = True
    warmup: int = WARMUP
    short_cold: bool = False
    repeats: int = 12
    each_on_rtl: bool = True


@dataclass(frozen=True)
class Experiment:
    """A configuration and what is run of it. ``name`` is also its folder's; ``part``: the keys
    under which its figures stand in ``study.json``. ``on_rtl``: of engine exact, its runs may be
    drawn to be repeated on the RTL."""

    name: str
    spec: Spec
    jobs: tuple[run_jobs.Job, ...]
    part: tuple[str, ...] = ()
    on_rtl: bool = True

    @cached_property
    def machine(self) -> Machine:
        """Parsed once; the spec has been judged by then."""
        return load(self.spec.machine, self.spec.settings)

    @classmethod
    def of(cls, name: str, spec: Spec, part: tuple[str, ...]) -> "Experiment":
        """With all runs that the spec is made of."""
        return cls(name, spec, tuple(run_jobs.jobs(spec)), part)

    @classmethod
    def placed(
        cls, name: str, spec: RunSpec, part: tuple[str, ...], extent: Extent
    ) -> "Experiment":
        """Code in another place: a run and one from cold caches. None with ideal memory, since
        iCPI does not depend on places."""
        cold = run_jobs.Job(1, run_jobs.COLD, short=extent.short_cold)
        return cls(name, spec, (run_jobs.Job(1, run_jobs.REAL), cold), part)

    @property
    def shuffle(self) -> int:
        """The seed of its link order; 0: the usual one, or it has none."""
        return getattr(self.spec, "shuffle", None) or 0

    @property
    def whole(self) -> bool:
        """Return true if it has a ``result.json``; of any other experiment a few figures are
        kept."""
        return self.part[:1] == (RESULTS,)

    @property
    def ticks(self) -> int:
        """About how many ticks all its runs take together."""
        return sum(ticks_of(self.spec, job) for job in self.jobs)


def ticks_of(spec: Spec, job: run_jobs.Job) -> int:
    if not isinstance(spec, RunSpec):
        return spec.longest
    wanted = run_jobs.spec_of(spec, job)
    return TICKS_PER_START + TICKS_PER_ROUND_TRIP * (wanted.warmup + wanted.round_trips + 1)


@dataclass(frozen=True)
class Wanted:
    """Request of a user: ``usual``, the spec that all runs share; no stacks or variants: all there
    are."""

    usual: RunSpec = RunSpec()
    stacks: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()

    def check_nodes(self, machines: Sequence[str], parts: str) -> None:
        """UserError for what a study of nodes has not: it sets its machines itself, and has
        ``parts``."""
        if self.stacks or self.variants:
            raise UserError(f"this study has {parts}, not stacks or versions: leave both out.")
        if self.usual.machine != RunSpec.machine or self.usual.settings:
            raise UserError(
                f"this study is about {', '.join(machines)}: leave --machine and --set out."
            )
        if self.usual.engine == BOARD:
            raise UserError(f"--engine board: no board is a {machines[0]}.")

    def spec(self, extent: Extent, stack: str, variant: str, **more) -> RunSpec:
        """The run of a stack and variant; ``more`` is laid over it."""
        own = {"stack": stack, "variant": variant}
        own |= {"round_trips": extent.round_trips, "warmup": extent.warmup}
        return replace(self.usual, **own | more)
