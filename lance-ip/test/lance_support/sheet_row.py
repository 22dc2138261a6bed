# SPDX-License-Identifier: BSD-2-Clause
"""A row of the sheet's table, and the steps that many rows begin with."""

from dataclasses import dataclass, field

BOTH = ("am7990", "c-lance")


@dataclass(frozen=True)
class Row:
    """``steps`` for ``sheet_runner.Runner``; a dict at a step's end holds its keywords.

    ``source``: the section of docs/sources/lance.md that says so, "§5 n" a scenario there; or
    lance.md, where the sheet is silent. ``config`` overrides fields of ``lance_config``.
    """

    name: str
    source: str
    steps: list[tuple]
    chips: tuple[str, ...] = BOTH
    config: dict[str, int] = field(default_factory=dict)


def up(mode: int = 0, buffers: int = 4, size: int = 1536, **fields: int) -> list[tuple]:
    """Four descriptors each way, receive buffers to the chip, and the driver's start: INIT, IDON
    acknowledged, STRT, INEA. CSR0 reads 0073 after it, if MODE lets it."""
    steps = [("block", {"mode": mode} | fields)]
    steps += [("rx", i, {"size": size, "own": i < buffers}) for i in range(4)]
    steps += [("csr", 0, 0x0001), ("wait", 100), ("csr_is", 0, 0x0181)]
    return [*steps, ("csr", 0, 0x0100), ("csr", 0, 0x0002), ("csr", 0, 0x0040), ("wait", 1)]
