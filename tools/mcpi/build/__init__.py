# SPDX-License-Identifier: BSD-2-Clause
"""Builds of a run as one ninja graph: Verilog, simulator, images."""
