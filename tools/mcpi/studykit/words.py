# SPDX-License-Identifier: BSD-2-Clause
"""Titles, columns and notes of a study's tables, out of its ``tables.toml``."""

import tomllib
from collections.abc import Iterable
from pathlib import Path

from mcpi.studykit.cell import Column, Row, Table


class Words:
    """``stacks``: their titles, for tables that have their columns ``per_stack``."""

    def __init__(self, path: Path, stacks: dict[str, str]) -> None:
        self.about, self.stacks = tomllib.loads(path.read_text()), stacks

    def columns(self, key: str) -> tuple[Column, ...]:
        about = self.about[key]
        plain = [
            Column(name, title, digits, signed=bool(sign))
            for name, (title, digits, *sign) in about.get("columns", {}).items()
        ]
        if not about.get("per_stack"):
            return tuple(plain)
        return tuple(
            Column(f"{stack}_{c.key}", f"{title} {c.title}", c.digits, c.signed)
            for stack, title in self.stacks.items()
            for c in plain
        )

    def table(
        self,
        key: str,
        rows: Iterable[Row],
        columns: tuple[Column, ...] = (),
        notes: tuple[str, ...] = (),
        **values: object,
    ) -> Table:
        """``columns``: instead of those in the file; ``notes`` come before its own; ``values``
        are put into the title."""
        about = self.about[key]
        return Table(
            key,
            about["title"].format(**values),
            tuple(about["labels"]),
            columns or self.columns(key),
            tuple(rows),
            (*notes, *about.get("notes", [])),
        )
