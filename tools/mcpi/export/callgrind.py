# SPDX-License-Identifier: BSD-2-Clause
"""A profile for KCachegrind, in the Callgrind format: self cost by source line and owner, and the
calls with what they cost."""

from collections import Counter

from mcpi.analysis import attribution, calls
from mcpi.analysis.profile import Profile

NO_FILE = "???"


def text(profile: Profile) -> str:
    """The file. Its events are the ticks, their owners, and what the caches count."""
    events = [owner for owner, _ in profile.sum.ticks.most_common()]
    events += [event for event in attribution.EVENTS if profile.sum.events[event]]
    names = " ".join(["ticks", *(name.replace(".", "_") for name in events)])
    lines = ["# callgrind format", "version: 1", "creator: mcpi", "positions: line"]
    lines.append(f"events: {names}")
    own = _own(profile)
    costs, times = calls.stacks(profile)
    inclusive = _inclusive(costs)

    def numbers(cost: attribution.Cost) -> str:
        return " ".join(
            str(n) for n in (cost.total, *((cost.ticks | cost.events)[e] for e in events))
        )

    for function in sorted(own):
        file = _file(own[function])
        lines += ["", f"fl={file}", f"fn={function}"]
        for (where, line), cost in sorted(own[function].items()):
            lines += [] if where == file else [f"fi={where}"]
            lines.append(f"{line} {numbers(cost)}")
            file = where
        for callee, cost in sorted(inclusive.get(function, {}).items()):
            often = times[function, callee]
            lines += [f"cfi={_file(own.get(callee, {}))}", f"cfn={callee}", f"calls={often} 0"]
            lines.append(f"0 {numbers(cost)}")
    total = numbers(profile.sum)
    return "\n".join([*lines, "", f"totals: {total}"]) + "\n"


def _own(profile: Profile) -> dict[str, dict[tuple[str, int], attribution.Cost]]:
    """Own cost of each function, by file and line."""
    own: dict[str, dict[tuple[str, int], attribution.Cost]] = {}
    for pc, cost in profile.costs.items():
        if pc == attribution.NOBODY:
            continue
        place = profile.place(pc)
        file, _, line = place.source.rpartition(":")
        where = (file or NO_FILE, int(line or 0))
        own.setdefault(place.function, {}).setdefault(where, attribution.Cost()).add(cost)
    return own


def _inclusive(
    costs: dict[calls.Stack, attribution.Cost],
) -> dict[str, dict[str, attribution.Cost]]:
    """Callees of each function, with the cost of all that ran below the call."""
    found: dict[str, dict[str, attribution.Cost]] = {}
    for stack, cost in costs.items():
        for caller, callee in set(zip(stack, stack[1:], strict=False)):
            found.setdefault(caller, {}).setdefault(callee, attribution.Cost()).add(cost)
    return found


def _file(rows: dict[tuple[str, int], attribution.Cost]) -> str:
    """Where most of a function's lines are."""
    files = Counter(file for file, _ in rows)
    return files.most_common(1)[0][0] if files else NO_FILE
