# SPDX-License-Identifier: BSD-2-Clause
"""What the primary caches' ways do not go with yet (docs/explanation/memory.md, Ways)."""

from collections.abc import Callable, Mapping

from mcpi.base.errors import UserError

KEYS = ("icache.ways", "dcache.ways")


def several(values: Mapping[str, int | bool | str]) -> str:
    """The first cache with several ways, as ``icache.ways = 2``; else nothing."""
    return next((f"{key} = {values[key]}" for key in KEYS if values[key] > 1), "")


def direct(values: Mapping[str, int | bool | str], what: str, *keys: str) -> None:
    """UserError if one of these caches has several ways: ``what`` knows none."""
    for key in keys or KEYS:
        if values[key] > 1:
            raise UserError(
                f"{key} = {values[key]}: {what} is for direct-mapped caches alone so far. "
                f"Set {key}=1."
            )


def check(values: Mapping[str, int | bool | str], where: Callable[[str], str]) -> None:
    """UserError for what does not fit; ``where(key)`` says who gave a parameter."""

    def refuse(key: str, why: str) -> None:
        raise UserError(f"{where(key)}: {key} = {values[key]}: {why} Set {key}=1.")

    if values["icache.ways"] > 1 and values["core.translation"] != "none":
        refuse(
            "icache.ways",
            f"with core.translation = {values['core.translation']} a block and its address space "
            "have one place so far.",
        )
    if values["dcache.ways"] == 1:
        return
    if values["dcache.policy"] == "back":
        refuse("dcache.ways", "a D-cache with dcache.policy = back is direct-mapped so far.")
    if values.get("bcache.private"):
        refuse("dcache.ways", "with bcache.private = on the D-cache is direct-mapped so far.")
