# SPDX-License-Identifier: BSD-2-Clause
"""docs/data/proofs.csv names the proofs of all folders ``formal``, each once. A mutant with a
misspelt signal is an error."""

import csv
import re
from collections import Counter

import pytest

from mcpi.base.errors import RunError
from mcpi.base.repo import ROOT
from verify import sby
from verify.verilog_mutants import Mutant, faulty

TABLE = ROOT / "docs" / "data" / "proofs.csv"
FOLDERS = sorted(
    path.parent
    for top in ("rtl", "cores", "lance-ip", "boards")
    for path in (ROOT / top).rglob("proofs.toml")
)
TOGGLE = """module Toggle (
  input  wire clk,
  input  wire reset,
  output reg  q
);
  always @(posedge clk) begin
    q <= (reset ? 1'b0 : (! q));
  end
endmodule
"""
PROPERTY = """module toggles (input clk);
  Toggle dut (.*);
  reg wasReset = 0;
  always @(posedge clk) wasReset <= reset;
  always @* if (wasReset) assert (!q);
endmodule
"""


def test_a_mutant_with_a_misspelt_signal_is_an_error_and_not_caught(tmp_path) -> None:
    (tmp_path / "toggles.sv").write_text(PROPERTY)
    proof = sby.Proof("toggles", "Toggle", mode="bmc", depth=4)

    def passes(change: str) -> bool:
        mutant = faulty(TOGGLE, Mutant("Toggle", "q", change))
        return sby.prove(proof, tmp_path, {}, mutant).passed

    assert passes("! -> ~") and not passes("reset -> q")
    with pytest.raises(RunError, match="misspelt is not declared"):
        passes("reset -> misspelt")


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
