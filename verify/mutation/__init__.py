# SPDX-License-Identifier: BSD-2-Clause
"""Mistakes that a program chooses: yosys changes one bit of one cell of a room's netlist, and the
room's random test has to see it (docs/verification/mutation.md)."""
