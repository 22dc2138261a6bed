# SPDX-License-Identifier: BSD-2-Clause
"""What a paper printed of a stack and variant that we run; nothing where no paper has it."""

from mcpi.papers import sigcomm96

PAPERS = (sigcomm96,)


def round_trip(stack: str, variant: str) -> dict[str, float]:
    """``mean_us`` (T_e) and ``sd_us``."""
    return next((p.round_trip(stack, variant) for p in PAPERS if stack in p.STACKS), {})


def path(stack: str, variant: str) -> dict[str, float]:
    """Costs and counts of the client's path, by the names of ``result.json``."""
    return next((p.path(stack, variant) for p in PAPERS if stack in p.STACKS), {})
