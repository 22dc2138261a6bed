# SPDX-License-Identifier: BSD-2-Clause
"""Results as pandas objects. pandas comes with the first command that needs it."""

from types import ModuleType
from typing import TYPE_CHECKING

from mcpi.analysis.attribution import EVENTS
from mcpi.analysis.comparison import Change
from mcpi.analysis.profile import Profile
from mcpi.analysis.reports import Report
from mcpi.base.errors import UserError
from mcpi.results import types
from mcpi.results.summary import OWNERS

if TYPE_CHECKING:
    import pandas


def needed(name: str) -> ModuleType:
    """A library of the group ``analysis``. UserError if it is not installed."""
    import importlib

    try:
        return importlib.import_module(name)
    except ImportError:
        raise UserError(
            f"{name.partition('.')[0]} is missing. Start through ./mcpi python, or type: "
            "./mcpi setup --with analysis"
        ) from None


def owners(path: types.Path) -> "pandas.Series":
    """Mean ticks of one invocation by owner, in the hardware's order, without zeros."""
    order = [o for o in OWNERS if o in path.owners] + [o for o in path.owners if o not in OWNERS]
    found = {o: path.owners[o] for o in order if path.owners[o]}
    series = needed("pandas").Series(found, name="ticks", dtype=float)
    series.index.name = "owner"
    return series


def profile(found: Profile, by: str, owner: str) -> "pandas.DataFrame":
    """Rows of a profile, the most expensive first: ``ticks``, a column for each owner, one for each
    event (``icache_misses`` …), all of one invocation."""
    rows = found.rows(by, owner)
    names = [o for o in OWNERS if found.sum.ticks[o]]
    table = [
        [row.cost.total, *(row.cost.ticks[o] for o in names), *(row.cost.events[e] for e in EVENTS)]
        for row in rows
    ]
    columns = ["ticks", *names, *(event.replace(".", "_") for event in EVENTS)]
    index = needed("pandas").Index([row.name for row in rows], name=by)
    return needed("pandas").DataFrame(table, index, columns) / found.invocations


def report(found: Profile, made: Report) -> "pandas.DataFrame":
    """Rows of a report; counts are means of an invocation."""
    table = needed("pandas").DataFrame(made.rows)
    for column in made.columns:
        if column.mean and not table.empty:
            table[column.key] = table[column.key] / found.invocations
    return table


def changes(rows: list[Change], kind: str) -> "pandas.DataFrame":
    """``a``, ``b`` and ``difference``, and ``low`` and ``high`` where link orders were run."""
    table = [
        {
            "a": float(row.a),
            "b": float(row.b),
            "difference": float(row.difference),
            **({"low": float(row.low), "high": float(row.high)} if row.orders else {}),
        }
        for row in rows
    ]
    index = needed("pandas").Index([row.name for row in rows], name=kind)
    return needed("pandas").DataFrame(table, index)
