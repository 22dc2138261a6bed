# SPDX-License-Identifier: BSD-2-Clause
"""``machines/counters.h``: the rows of ``machines/counters.toml`` for the C++ of ``sim/``."""

from collections.abc import Iterable
from pathlib import Path
from string import Template

from mcpi.base.errors import UserError
from mcpi.machine import counters
from mcpi.machine.counters import Counter

MOST_EVENTS = 63  # the events of a tick are bits of a word, and one bit is the cold start's
TEMPLATE = Template(Path(__file__).with_suffix(".template").read_text())


def header() -> str:
    rows = counters.table()
    events = [row for row in rows if row.is_event]
    if len(events) > MOST_EVENTS:
        raise UserError(
            f"{counters.FILE}: {len(events)} events; the models have {MOST_EVENTS} bits for them."
        )
    # Owners by number, as the RTL has them; those of some machines alone follow.
    owners = sorted((row for row in rows if row.of == "owner"), key=lambda row: bool(row.event))
    causes = [row for row in rows if row.of == "cause"]
    logged = sorted((row for row in events if row.log), key=lambda row: row.log)
    traced = [row for row in events if row.of in ("core", "memory")]
    counted = [
        *_enumeration("Event", events, "An event of a tick, which moves a counter."),
        *_names("eventNames", (row.name for row in events)),
    ]
    lines = [
        *_array("EventFields", "eventFields", map(_fields, traced)),
        "/// Events that ticks.csv has, in the order of a row.",
        *_array("Event", "loggedEvents", (f"Event::{row.identifier}" for row in logged)),
        "",
        *_enumeration("Owner", owners, "The owner of a tick."),
        *_names("ownerNames", (row.plain for row in owners)),
        f"constexpr unsigned commonOwners = {sum(not row.event for row in owners)};",
        "/// Owners whose ticks have causes, in the order of their registers.",
        *_array("Owner", "causedOwners", (f"Owner::{r.identifier}" for r in rows if r.causes)),
        "",
        *_enumeration("Cause", causes, "The cause of a tick of a private b-cache."),
        *_names("causeNames", (row.plain for row in causes)),
    ]
    for check in counters.CHECKS:
        names = [row.name for row in rows if check in _checks(row)]
        lines += ["", f"/// Counters of which {check} has a second opinion."]
        lines += _names(check + "Names", names)
    return TEMPLATE.substitute(events="\n".join(counted), others="\n".join(lines))


def _checks(row: Counter) -> list[str]:
    return [*row.checks.split(), *(["recount"] if row.of == "owner" else [])]


def _fields(row: Counter) -> str:
    private = row.event if row.private is None else row.private
    of_core = str(row.of == "core").lower()
    return f'{{Event::{row.identifier}, {of_core}, "{row.event}", "{private}"}}'


def _enumeration(name: str, rows: Iterable[Counter], said: str) -> list[str]:
    return [
        f"/// {said}",
        f"enum class {name} : uint8_t {{",
        *(f"    {row.identifier}, ///< {row.name}" for row in rows),
        "};",
    ]


def _names(name: str, names: Iterable[str]) -> list[str]:
    return _array("const char *", name, (f'"{one}"' for one in names))


def _array(type_: str, name: str, values: Iterable[str]) -> list[str]:
    found = list(values)
    inside = [f"    {value}," for value in found]
    return [f"constexpr std::array<{type_}, {len(found)}> {name} = {{{{", *inside, "}};"]
