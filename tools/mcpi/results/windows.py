# SPDX-License-Identifier: BSD-2-Clause
"""The table of windows (counters.md): its cells, and what they say of each window."""

import re
from collections.abc import Callable

from mcpi.base.errors import RunError

_CELL = re.compile(r"snapshot\.set\.(\d+)\.(\w+)")
_INVOCATIONS = "snapshot.invocations."


def cells(names: dict[str, int]) -> list[str]:
    """Names of the node's host registers (from Node.json) that hold the table."""
    return [name for name in names if _CELL.fullmatch(name) or name.startswith(_INVOCATIONS)]


def read(names: dict[str, int], value: Callable[[str], int]) -> dict[str, dict]:
    """``windows`` and ``sets`` of a node in ``counters.json``, as ``mcpi-sim`` writes them;
    ``value``: what the host register of this name has."""
    further = sorted((n for n in names if n.startswith(_INVOCATIONS)), key=names.__getitem__)
    windows = ["path", *(name.removeprefix(_INVOCATIONS) for name in further)]
    sets: dict[int, dict[str, int]] = {}
    for name in names:
        if match := _CELL.fullmatch(name):
            sets.setdefault(int(match[1]), {})[f"owner.{match[2]}"] = value(name)
    result: dict[str, dict] = {"windows": {}, "sets": {}}
    for number, window in enumerate(windows[1:], 1):
        inside = [owners for set_, owners in sets.items() if set_ >> number & 1]
        sums = {owner: sum(one[owner] for one in inside) for owner in sets[0]}
        result["windows"][window] = sums | {
            "ticks": sum(sums.values()),
            "instructions": sums["owner.issue"],
            "invocations": value(_INVOCATIONS + window),
        }
    for set_, owners in sorted(sets.items()):
        if any(owners.values()):
            result["sets"]["+".join(w for n, w in enumerate(windows) if set_ >> n & 1)] = owners
    return result


def check(node: dict[str, dict]) -> None:
    """RunError unless a node's sets add up to its banks, owner by owner."""
    for bank, wanted in (("all", None), ("path", "path")):
        for owner in (name for name in node[bank] if name.startswith("owner.")):
            inside = (
                owners[owner]
                for name, owners in node["sets"].items()
                if wanted is None or wanted in name.split("+")
            )
            if (found := sum(inside)) != node[bank][owner]:
                raise RunError(
                    f"{owner} of bank '{bank}' is {node[bank][owner]}; its cells in the table of "
                    f"windows sum to {found}"
                )
