# SPDX-License-Identifier: BSD-2-Clause
"""What checks the house: the test runner, proofs, mutants, random programs, the baseline."""
