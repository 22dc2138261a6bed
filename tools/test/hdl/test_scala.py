# SPDX-License-Identifier: BSD-2-Clause
"""Scala sources of a room import only what its arrows allow (docs/architecture.md)."""

import re

import pytest

from mcpi.base.repo import ROOT
from mcpi.hdl import scala


@pytest.mark.parametrize("folder", scala.ARROWS)
def test_arrows(folder: str) -> None:
    files = sorted((ROOT / folder).rglob("*.scala"))
    assert files
    own = {re.search(r"^package mcpi\.(\w+)$", path.read_text(), re.M)[1] for path in files}
    assert len(own) == 1, f"{folder} has the packages {own}"
    for path in files:
        # Imports, and names written out in full; not the package's own line.
        used = set(re.findall(r"(?<!package )\bmcpi\.([a-z]\w*)", path.read_text()))
        assert used <= scala.ARROWS[folder] | own, path.relative_to(ROOT)


def test_a_stage_says_what_it_reads() -> None:
    """The imports of an area of the pipeline are names, not all there is."""
    for path in sorted((ROOT / "cores/alpha-lite").rglob("*.scala")):
        text = path.read_text()
        if re.search(r"\(p: Pipeline\b.*extends Area", text):
            assert not re.search(r"^  import \w+\._$", text, re.M), path.relative_to(ROOT)
