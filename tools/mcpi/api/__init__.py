# SPDX-License-Identifier: BSD-2-Clause
"""``mcpi`` from Python: ``run(variant="clo", icache_size="16KB", samples=10).steady.client.mcpi``.

Everything here computes and returns; nothing is printed. What the user has to change is a
``UserError``, a run that failed a ``RunError``.
"""

from pathlib import Path

from mcpi.api.comparing import compare
from mcpi.api.keywords import spec_of
from mcpi.api.single_run import perform
from mcpi.base.errors import RunError, UserError
from mcpi.results.record import read
from mcpi.results.types import Result
from mcpi.spec.run_spec import RunSpec

__all__ = ["Result", "RunError", "RunSpec", "UserError", "compare", "load", "perform", "run"]


def run(
    machine: str = RunSpec.machine,
    stack: str = RunSpec.stack,
    variant: str = RunSpec.variant,
    *,
    out: Path | str | None = None,
    **settings: object,
) -> Result:
    """One run, as ``./mcpi run`` does it.

    ``settings``: fields of ``RunSpec`` (``round_trips=20``, ``engine="model"``) and parameters of
    the machine with ``_`` for each dot (``memory_read_ticks=24``). ``out``: the folder for the
    run's files; else a new one in results/.
    """
    spec = spec_of(machine, stack=stack, variant=variant, **settings)
    return perform(spec, None if out is None else Path(out))[1]


def load(folder: Path | str) -> Result:
    """The result of an earlier run, of this schema or an earlier one, from its folder."""
    return read(Path(folder) / "result.json")
