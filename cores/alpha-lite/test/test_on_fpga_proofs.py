# SPDX-License-Identifier: BSD-2-Clause
"""Proofs of the core on an FPGA (proofs.md), and for each a fault that it must not survive."""

import sys
from pathlib import Path

from mcpi.verify import sby_tests

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "formal"))

from on_fpga_proofs import ROOM  # noqa: E402

test_proof, test_mutant_is_caught, test_every_proof_has_a_mutant = sby_tests.tests(ROOM)
