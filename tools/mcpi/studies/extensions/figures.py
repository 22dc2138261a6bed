# SPDX-License-Identifier: BSD-2-Clause
"""The figures that claims and predictions are judged by. ``where``: ``plan.at``."""

from collections.abc import Callable

from mcpi.studies.extensions.plan import COPIES, OWN, SHARED, USUAL
from mcpi.studykit.cell import Cell
from mcpi.studykit.claims import Figure, Missing
from mcpi.studykit.measured import Measured

# The median of a figure, of versions at a place, over link orders, and the range.
Spread = Callable[..., dict[str, Cell]]
ORDER = "order"  # of a sample's record: the link order that its figures are of


def of(study: Measured, where: str, variant: str, part: str = COPIES) -> dict:
    """A run's figures, in the usual link order or the sample's."""
    found = study.of(part, study.record.get(ORDER, USUAL), where, variant)
    if found is None:
        raise Missing(f"{variant.upper()} at {where}: not measured")
    return found


def tp_ratio(study: Measured, where: str) -> float:
    """T_p with own code over that with shared code."""
    return of(study, where, OWN)["ticks"] / of(study, where, SHARED)["ticks"]


def saved(study: Measured, where: str) -> float:
    """Instructions of an invocation that own code saves."""
    return of(study, where, SHARED)["instructions"] - of(study, where, OWN)["instructions"]


def shared_ratio(study: Measured, where: str) -> float:
    """T_p of shared code over that with one connection."""
    one = f"{where.rpartition(' ')[0]} 1"
    return of(study, where, SHARED)["ticks"] / of(study, one, SHARED)["ticks"]


def copy_ticks(study: Measured, where: str) -> float:
    """Ticks that the copies of a connection take, in the mean over the connections."""
    return of(study, where, OWN)["copy_ticks"]


def gain(study: Measured, where: str) -> float:
    """Ticks of an invocation that own code saves; below 0: that it costs."""
    return of(study, where, SHARED)["ticks"] - of(study, where, OWN)["ticks"]


FIGURES: dict[str, Figure] = {
    "copy_ticks": copy_ticks,
    "gain": gain,
    "instructions": saved,
    "shared_ratio": shared_ratio,
    "tp_ratio": tp_ratio,
}
