# SPDX-License-Identifier: BSD-2-Clause
"""Everything that was measured, ``study.json``; tables and page draw from it alone."""

import json
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Measured:
    """``record`` is what ``study.json`` holds."""

    record: dict

    def result(self, stack: str, variant: str) -> dict | None:
        """The result.json of a configuration, with ``layout_noise``; None: not measured."""
        return self.of("results", stack, variant)

    def of(self, *part: str) -> dict | None:
        """Record under these keys; None if there is no such record."""
        found = self.record
        for key in part:
            found = found.get(key) or {}
        return found or None

    def why(self, variant: str) -> str:
        """Why there is no result of a variant."""
        return self.record["absent"].get(variant, "not asked for")

    def save(self, path: Path) -> None:
        path.write_text(json.dumps(self.record, indent=1, sort_keys=True) + "\n")

    @classmethod
    def read(cls, path: Path) -> "Measured":
        return cls(json.loads(path.read_text()))
