# SPDX-License-Identifier: BSD-2-Clause
"""Mistakes planted in the firmware, one at a time: the rows of tables in TOML.

A row has name, file, old text, new text and, in a table, what else the test wants to know.
"""

import re
import tomllib
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from firmware_support.host_build import (
    FAST,
    FIRMWARE,
    KERNEL,
    LIBRARY,
    OUT,
    compile_machine,
    graph_table,
    link,
    write,
)


@dataclass(frozen=True)
class Fault:
    """``old`` stands once in ``file`` and becomes ``new``. ``how``: what else the row says."""

    name: str
    file: Path
    old: str
    new: str
    how: dict[str, Any] = field(default_factory=dict)

    @property
    def folder(self) -> str:
        """Its name as that of a folder."""
        return re.sub(r"\W+", "-", self.name)

    def text(self) -> str:
        """The file with the fault in it."""
        text = self.file.read_text()
        assert text.count(self.old) == 1, f"{self.name}: does not apply to {self.file.name}"
        return text.replace(self.old, self.new)

    def among(self, sources: Collection[Path], folder: Path) -> list[Path]:
        """The sources, one of them with the fault in it; that copy lies in ``folder``."""
        assert self.file in sources, f"{self.name}: {self.file.name} is not built"
        copy = folder / self.file.name
        write(copy, self.text())
        return [copy if source == self.file else source for source in sources]


def read(table: Path, room: Path = FIRMWARE) -> list[Fault]:
    """Faults of a table; ``room``: folder of their files."""
    [rows] = tomllib.loads(table.read_text()).values()
    return [Fault(name, room / file, old, new, *how) for name, file, old, new, *how in rows]


def machine_with(
    fault: Fault, above: list[Path], graph: Path, options: tuple[str, ...] = ()
) -> Path:
    """A machine with a fast path that has this mistake, below the sources ``above``."""
    folder = OUT / "fast-mutants" / fault.file.stem / fault.folder
    sources = [*fault.among(KERNEL, folder), *above]
    objects = compile_machine(sources, graph_table(folder, graph), (*FAST, *options))
    return link(folder / "machine.so", objects, LIBRARY)


def each(faults: Sequence[Fault]) -> pytest.MarkDecorator:
    """A test of each."""
    return pytest.mark.parametrize("fault", faults, ids=lambda fault: fault.name)
