# SPDX-License-Identifier: BSD-2-Clause
"""One ninja graph for a run: Verilog, simulator, images."""
