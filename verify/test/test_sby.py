# SPDX-License-Identifier: BSD-2-Clause
"""The tables of proofs.md name the proofs of all folders ``formal``, each once."""

import re
from collections import Counter

from mcpi.base.repo import ROOT
from verify import sby

PAGE = ROOT / "docs" / "verification" / "proofs.md"
FOLDERS = sorted(
    path.parent
    for top in ("rtl", "cores", "lance-ip")
    for path in (ROOT / top).rglob("proofs.toml")
)


def test_the_page_has_a_row_for_each_proof() -> None:
    shows = PAGE.read_text().partition("## What each shows")[2].partition("### Combined")[0]
    cells = re.findall(r"^\| (`.*?`) \|", shows, re.M)
    named = Counter(name for cell in cells for name in re.findall(r"`(\w+)`", cell))
    proofs = {proof.module for folder in FOLDERS for proof in sby.room(folder).proofs}
    assert named == Counter(proofs)


def test_an_assumption_names_proofs_that_exist() -> None:
    rooms = [sby.room(folder) for folder in FOLDERS]
    modules = {proof.module for room in rooms for proof in room.proofs}
    for proof in (proof for room in rooms for proof in room.proofs):
        for names in re.findall(r"\((`.*?)\)", proof.assumes):
            assert set(re.findall(r"`(\w+)`", names)) <= modules, f"{proof.name}: {names}"
