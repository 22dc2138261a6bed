# SPDX-License-Identifier: BSD-2-Clause
"""The instruction set: its table, and an assembler and a disassembler that read it."""
