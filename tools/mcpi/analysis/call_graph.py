# SPDX-License-Identifier: BSD-2-Clause
"""A function among its callers and callees, with the ticks of all that ran below each call.

A function that calls itself counts once: the outermost of its frames decides whose call it was.
"""

from dataclasses import dataclass

from mcpi.analysis import calls
from mcpi.analysis.attribution import Cost
from mcpi.analysis.profile import Profile
from mcpi.base.errors import UserError, nearest

OPENED = "the window opens in it"
ITSELF = "itself"


@dataclass(frozen=True)
class Edge:
    """A caller or callee by its name, what ran below the call, and how often it was called; 0:
    no call was seen."""

    name: str
    cost: Cost
    calls: int = 0


@dataclass(frozen=True)
class Node:
    """``total``: of the function and all below it. The costs of its ``callers`` sum to it, and so
    do those of its ``callees``, of which one is the function itself. The most ticks first."""

    function: str
    total: Cost
    callers: list[Edge]
    callees: list[Edge]


def around(profile: Profile, function: str) -> Node:
    """UserError if the path has no such function."""
    costs, times = calls.stacks(profile)
    total, callers, callees = Cost(), {}, {}
    for stack, cost in costs.items():
        if function not in stack:
            continue
        at = stack.index(function)
        total.add(cost)
        callers.setdefault(stack[at - 1] if at else OPENED, Cost()).add(cost)
        below = stack[at + 1] if at + 1 < len(stack) else ITSELF
        callees.setdefault(below, Cost()).add(cost)
    if not callees:
        names = sorted({name for stack in costs for name in stack})
        hint = nearest(function, names) or " Without --calls, profile lists them."
        raise UserError(f"the {profile.side}'s path has no function {function}.{hint}")
    return Node(
        function,
        total,
        _edges(callers, lambda name: times[name, function]),
        _edges(callees, lambda name: times[function, name]),
    )


def _edges(costs: dict[str, Cost], often) -> list[Edge]:
    edges = [Edge(name, cost, often(name)) for name, cost in costs.items()]
    return sorted(edges, key=lambda edge: (-edge.cost.total, edge.name))
