# SPDX-License-Identifier: BSD-2-Clause
"""A copy of the checkout, in which a test may change sources."""

import shutil
from pathlib import Path

import pytest

from mcpi.base.repo import ROOT

LEFT_OUT = {".git", "build", "results"}


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    def left_out(folder: str, names: list[str]) -> set[str]:
        return LEFT_OUT if Path(folder) == ROOT else {"__pycache__"} & set(names)

    copy = tmp_path / "checkout"
    shutil.copytree(ROOT, copy, ignore=left_out)
    return copy
