# SPDX-License-Identifier: BSD-2-Clause
"""A program's own fault, found in the files of the run that it ended."""

from pathlib import Path

from mcpi.analysis import fault
from mcpi.base.errors import RunError
from mcpi.spec.numbers import CLIENT


class Failed(RunError):
    """The program's own fault. ``printed``: what it had said until then, its peer's behind it."""

    def __init__(self, what: str, printed: list[str]) -> None:
        super().__init__(what)
        self.printed = printed


def explained(stage: Path, error: RunError) -> RunError:
    """``Failed``, which says where the program went wrong, if the plain run failed by it."""
    found = fault.find(stage, error)
    if found is None:
        return error
    if found.node == CLIENT:
        return Failed(fault.text(found, stage / "image.elf"), [found.printed])
    printed = [(stage / "console.0.txt").read_text(errors="replace")]
    return Failed("the peer: " + fault.text(found, stage / "peer.elf"), printed)
