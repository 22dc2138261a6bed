# SPDX-License-Identifier: BSD-2-Clause
"""Parameters with which ways and victims of the primary caches do not go yet
(docs/explanation/memory.md)."""

import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path

from mcpi.base.errors import UserError

Value = int | bool | str
_ROWS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text())
# Values that all of the machine has; another value is of a simulated node alone.
USUAL: dict[str, Value] = {key: row["usual"] for key, row in _ROWS.items()}


def unusual(values: Mapping[str, Value]) -> str:
    """The first of them with another value, as ``icache.ways = 2``; else nothing."""
    return next((f"{key} = {values[key]}" for key in USUAL if values[key] != USUAL[key]), "")


def direct(values: Mapping[str, Value], what: str, *keys: str) -> None:
    """UserError if one of these has another value: ``what`` knows no other caches."""
    for key in keys:
        if values[key] != USUAL[key]:
            raise UserError(
                f"{key} = {values[key]}: {what} is for direct-mapped caches without victims alone "
                f"so far. Set {key}={USUAL[key]}."
            )


def check(values: Mapping[str, Value], where: Callable[[str], str]) -> None:
    """UserError for what does not fit; ``where(key)`` says who gave a parameter."""
    for key, usual in USUAL.items():
        for other, wanted, why in _ROWS[key]["only_with"] if values[key] != usual else ():
            if (value := values.get(other, wanted)) != wanted:
                said = "on" if value is True else value
                raise UserError(
                    f"{where(key)}: {key} = {values[key]}: with {other} = {said} {why} so far. "
                    f"Set {key}={usual}."
                )
