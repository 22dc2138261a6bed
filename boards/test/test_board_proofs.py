# SPDX-License-Identifier: BSD-2-Clause
"""Proofs of exact time over a cable (proofs.md), and for each a fault that it must not survive."""

from verify import sby_tests

test_proof, test_mutant_is_caught, test_every_proof_has_a_mutant = sby_tests.tests(__file__)
