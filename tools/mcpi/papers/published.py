# SPDX-License-Identifier: BSD-2-Clause
"""Figures that a paper printed for a stack and variant; empty where no paper has it."""

from collections.abc import Mapping

from mcpi.papers import sigcomm96

PAPERS = (sigcomm96,)
MACHINE = "dec3000-600"  # that PAPERS measured
# Parameters of which no paper says a value: how the chip's branches are modelled.
OURS = {f"core.{name}" for name in ("prediction", "taken_penalty", "predicted_penalty")}
OURS |= {"core.mispredict_penalty"}


def otherwise(machine: str, settings: Mapping[str, str]) -> list[str]:
    """Differences from the machine that the papers measured, for people; [] if there are none."""
    if machine != MACHINE:
        return [machine]
    return [f"{key}={value}" for key, value in settings.items() if key not in OURS]


def round_trip(stack: str, variant: str) -> dict[str, float]:
    """``mean_us`` (T_e) and ``sd_us``."""
    return next((p.round_trip(stack, variant) for p in PAPERS if stack in p.STACKS), {})


def path(stack: str, variant: str) -> dict[str, float]:
    """Costs and counts of the client's path, by the names of ``result.json``."""
    return next((p.path(stack, variant) for p in PAPERS if stack in p.STACKS), {})
