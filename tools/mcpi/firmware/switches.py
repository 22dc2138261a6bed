# SPDX-License-Identifier: BSD-2-Clause
"""The firmware's switches: what a header of ``firmware/xkernel``, or that of the production stack,
gives a default of 0 or 1.

The headers alone say which switches there are (docs/explanation/variants.md, bsd.md).
"""

import difflib
import re
from functools import cache

from mcpi.base.errors import UserError
from mcpi.base.repo import FIRMWARE

OWN = "XK_FAST_OWN"
HEADERS = FIRMWARE / "xkernel"
PRODUCTION = FIRMWARE / "bsd" / "switches.h"
NEEDS = {
    "XK_FAST_GUARD": ("XK_FAST_IN",),
    "XK_FAST_RING": ("XK_FAST_OUT", "XK_FAST_IN"),  # the short frames that it is about
    "XK_FAST_TABLE": ("XK_FAST_IN",),  # the way up, which begins with it
    OWN: ("XK_FAST_TABLE",),
}
VALUES = {  # of a switch that is a number
    "BSD_POLLUTER": ("0", "4", "8"),
    "XK_CONNECTIONS": ("1", "8", "64"),
}
BOTH_ENDS = ("XK_STREAM",)  # RPC's server has these of the client's too
_DEFAULT = re.compile(r"^#ifndef (\w+)\n#define \1 ([01])\b", re.M)


@cache
def there() -> dict[str, int]:
    """Every switch with its default."""
    texts = (path.read_text() for path in [*sorted(HEADERS.glob("*.h")), PRODUCTION])
    return {name: int(value) for text in texts for name, value in _DEFAULT.findall(text)}


def name(define: str) -> str:
    """The switch of ``NAME`` or ``NAME=VALUE``."""
    return define.partition("=")[0]


def of_both_ends(defines: tuple[str, ...]) -> tuple[str, ...]:
    """The defines that RPC's server has too."""
    return tuple(define for define in defines if name(define) in BOTH_ENDS)


def check(defines: tuple[str, ...]) -> None:
    """UserError for a define that is no switch, has a value that is none of its, or comes twice."""
    for define in defines:
        switch, equals, value = define.partition("=")
        if switch not in there():
            raise UserError(f"--define {define}: no such switch. {_nearest(switch)}")
        values = VALUES.get(switch, ("0", "1"))
        if (value if equals else "1") not in values:
            ways = " or ".join(f"{switch}={one}" for one in values)
            raise UserError(f"--define {define}: write {ways}.")
        if sum(name(other) == switch for other in defines) > 1:
            raise UserError(f"--define {switch} is given twice; give it once.")


def check_together(defines: list[str], own: bool = False) -> None:
    """UserError for a switch that is on without one that it needs. ``defines``: all of an image;
    ``own``: its recipe names the functions that a connection has its own of."""
    on = {name(define) for define in defines if not define.endswith("=0")}
    given = {name(define) for define in defines}
    for switch, needed in NEEDS.items():
        default = there()[switch]
        if switch in given and (switch in on) != default and not on.intersection(needed):
            raise UserError(
                f"{switch}={1 - default} changes nothing without {' or '.join(needed)}: choose "
                f"--define {switch}={default}, or --define {needed[0]}=1 besides."
            )
    several = any(d.startswith("XK_CONNECTIONS=") and d[-2:] != "=1" for d in defines)
    if several and (single := sorted(on & {"XK_STREAM", "XK_ONE_WAY"})):
        raise UserError(f"{single[0]} is of one connection: take XK_CONNECTIONS out.")
    if (OWN in on) != own:
        raise UserError(
            f"{OWN} is on exactly where a recipe names functions ([clone] own), as specialised "
            f"does: take --define {OWN} out, and choose --variant specialised or shared."
        )


def _nearest(switch: str) -> str:
    close = difflib.get_close_matches(switch.upper(), there(), n=3, cutoff=0.6)
    return f"Did you mean {' or '.join(close)}?" if close else f"There are: {', '.join(there())}."


def over(recipe: list[str], defines: tuple[str, ...]) -> list[str]:
    """A recipe's defines and after them ``defines``, which win over those of the same name."""
    changed = {name(define) for define in defines}
    return [*(define for define in recipe if name(define) not in changed), *defines]
