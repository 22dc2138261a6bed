# SPDX-License-Identifier: BSD-2-Clause
"""Constraints between the parameters of a multiprocessor (docs/explanation/multiprocessor.md,
Parameters)."""

from collections.abc import Callable, Mapping

from mcpi.base.errors import UserError

LEAST_BEYOND_DATA = 3  # ticks: from a command to its order tick
LEAST_DMA = LEAST_BEYOND_DATA + 1


def check(values: Mapping[str, int | bool | str], where: Callable[[str], str]) -> None:
    """UserError for what does not fit; ``where(key)`` says who gave a parameter."""
    count = values["core.count"]
    if "bcache.private" not in values:
        if count > 1:
            raise UserError(
                f"{where('core.count')}: core.count = {count}: several cores want bcache.private "
                "= on. Take a machine that has it: dec3000-mp, challenge-100."
            )
        return
    if values["bcache.block"] < values["cache.block"]:
        raise UserError(
            f"{where('bcache.block')}: bcache.block = {values['bcache.block']}: less than "
            f"cache.block = {values['cache.block']}."
        )
    least = values["bus.data_ticks"] + LEAST_BEYOND_DATA
    for key in ("bus.miss_ticks", "bus.remote_ticks"):
        if values[key] < least:
            raise UserError(
                f"{where(key)}: {key} = {values[key]}: less than bus.data_ticks + "
                f"{LEAST_BEYOND_DATA} = {least}."
            )
    if values["bcache.dma_ticks"] < LEAST_DMA:
        raise UserError(
            f"{where('bcache.dma_ticks')}: bcache.dma_ticks = {values['bcache.dma_ticks']}: with "
            f"bcache.private at least {LEAST_DMA}, as DMA ends behind its order tick."
        )
    if not values["bcache.enable"]:
        raise UserError(
            f"{where('bcache.enable')}: bcache.enable = off: bcache.private keeps coherence by "
            "the b-cache's tags."
        )
    if values["memory.ideal"] and count > 1:
        raise UserError(
            f"{where('memory.ideal')}: memory.ideal = on with core.count = {count}: several cores "
            "have no order without time. Add --set core.count=1."
        )
    if values["dcache.policy"] == "back":
        raise UserError(
            f"{where('dcache.policy')}: dcache.policy = back: with bcache.private the D-cache "
            "writes each store through to the b-cache. Set dcache.policy=through."
        )
    if values["core.translation"] != "none":
        raise UserError(
            f"{where('core.translation')}: core.translation = {values['core.translation']}: a "
            "machine with bcache.private does not translate addresses yet."
        )
