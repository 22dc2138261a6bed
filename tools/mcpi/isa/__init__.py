# SPDX-License-Identifier: BSD-2-Clause
"""The instruction set: its table, the words of instructions, and an assembler."""
