# SPDX-License-Identifier: BSD-2-Clause
"""Checks of the project: the test runner, proofs, mutants, random programs, the baseline."""
