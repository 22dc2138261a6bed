# SPDX-License-Identifier: BSD-2-Clause
"""The recipes of ``firmware/variants``: switches, flags and layout of a version."""

import tomllib

from mcpi.base.errors import UserError
from mcpi.base.repo import FIRMWARE

VARIANTS = FIRMWARE / "variants"


def variants() -> tuple[str, ...]:
    """The variant recipes there are."""
    return tuple(sorted(p.stem for p in VARIANTS.glob("*.toml")))


def recipe(variant: str) -> dict:
    """The recipe with those it is based on; UserError if there is none."""
    path = VARIANTS / f"{variant}.toml"
    if not path.is_file():
        raise UserError(f"no variant '{variant}'. There are: {', '.join(variants())}.")
    rules = tomllib.loads(path.read_text())
    if base := rules.pop("base", None):
        rules = _over(recipe(base), rules)
    return rules


def _over(base: dict, rules: dict) -> dict:
    """``base``, and over it what ``rules`` says otherwise."""
    both = {k: _over(base[k], v) for k, v in rules.items() if isinstance(v, dict) and k in base}
    return base | rules | both
