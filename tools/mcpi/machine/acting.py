# SPDX-License-Identifier: BSD-2-Clause
"""Settings that change nothing: ``acts_if`` of ``machines/parameters.toml``, looked up.

A machine file may give a value that does not act, as others extend it. A setting is somebody's
question, and one that changes nothing would be answered by equal figures, so it is refused.
"""

import operator
import re
from collections.abc import Iterable, Mapping

from mcpi.base.errors import UserError

Value = int | bool | str
CONDITION = r"([\w.]+) (=|!=|>|<=) ([\w.]+)"
FACTS = ("engine", "code")  # of a run
_IS = {"=": operator.eq, "!=": operator.ne, ">": operator.gt, "<=": operator.le}


def check(
    settings: Iterable[str],
    conditions: Mapping[str, Iterable[str]],
    values: Mapping[str, Value],
    facts: Mapping[str, str],
) -> None:
    """UserError for the first of ``settings`` that does not act. ``values``: of the machine, with
    the settings; ``facts``: what is known of the run, ``engine`` or ``code``. A condition about a
    fact that is not known holds."""
    for key in settings:
        for condition in conditions.get(key, ()):
            what, relation, wanted = split(condition)
            if what in FACTS and what not in facts:
                continue
            there = facts[what] if what in FACTS else values.get(what, False)
            bound = values.get(wanted, wanted)
            if not _IS[relation](*_alike(there, bound)):
                raise UserError(_said(key, values.get(key), what, relation, wanted, there, bound))


def holds(condition: str, values: Mapping[str, Value]) -> bool:
    """Judge a condition on a machine; a parameter that the machine lacks is off."""
    what, relation, wanted = split(condition)
    return _IS[relation](*_alike(values.get(what, False), values.get(wanted, wanted)))


def split(condition: str) -> tuple[str, str, str]:
    """Parameter or fact, relation, and the value or parameter that it is compared with."""
    return re.fullmatch(CONDITION, condition).groups()


def formatted(value: Value) -> str:
    """``value`` as one types it."""
    return {True: "on", False: "off"}[value] if isinstance(value, bool) else str(value)


def _alike(there: Value, bound: Value) -> tuple[Value, Value]:
    if isinstance(there, int) and not isinstance(there, bool):
        return there, int(bound)
    return formatted(there), formatted(bound)


def _said(key, value, what, relation, wanted, there, bound) -> str:
    if what == key:
        return (
            f"--set: {key} = {formatted(value)}: {wanted} is {formatted(bound)}, and no more than "
            f"that are ever in use. Give {formatted(bound)} or less, or set {wanted} too."
        )
    if what == "engine":
        return (
            f"--set {key} has no effect with engine {there}: only a board has it. Leave it out, "
            "or take --engine board."
        )
    if what == "code":
        return (
            f"--set {key} has no effect: the program runs in KSEG, whose addresses no TLB "
            "translates. Leave it out; ./mcpi paper tr9304 runs mapped code."
        )
    remedy = f"{what}={wanted}" if relation == "=" else f"{what}=N"
    also = "" if relation == "!=" else f", or add --set {remedy}"
    return (
        f"--set {key} has no effect with {what} = {formatted(there)}: it acts only with {what} "
        f"{relation} {wanted}. Leave it out{also}."
    )
