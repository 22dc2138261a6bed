# SPDX-License-Identifier: BSD-2-Clause
"""docs/data/proofs.csv names the proofs of all folders ``formal``, each once."""

import csv
import re
from collections import Counter

from mcpi.base.repo import ROOT
from verify import sby

TABLE = ROOT / "docs" / "data" / "proofs.csv"
FOLDERS = sorted(
    path.parent
    for top in ("rtl", "cores", "lance-ip", "boards")
    for path in (ROOT / top).rglob("proofs.toml")
)


def test_the_table_has_a_row_for_each_proof() -> None:
    lines = [line for line in TABLE.read_text().splitlines() if not line.startswith("#")]
    rows = csv.DictReader(lines)
    named = Counter(name for row in rows for name in re.findall(r"\w+", row["proofs"]))
    proofs = {proof.module for folder in FOLDERS for proof in sby.room(folder).proofs}
    assert named == Counter(proofs)


def test_an_assumption_names_proofs_that_exist() -> None:
    rooms = [sby.room(folder) for folder in FOLDERS]
    modules = {proof.module for room in rooms for proof in room.proofs}
    for proof in (proof for room in rooms for proof in room.proofs):
        for names in re.findall(r"\((`.*?)\)", proof.assumes):
            assert set(re.findall(r"`(\w+)`", names)) <= modules, f"{proof.name}: {names}"
