# SPDX-License-Identifier: BSD-2-Clause
"""The engine ``board``: two FPGA boards and a cable (docs/how-to/boards.md)."""
