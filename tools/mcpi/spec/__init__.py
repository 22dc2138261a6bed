# SPDX-License-Identifier: BSD-2-Clause
"""Specification of a run: its record, its simulator runs, and the input of a node."""
