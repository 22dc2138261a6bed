# SPDX-License-Identifier: BSD-2-Clause
"""Scala to Verilog, Verilog to a Verilated model, cocotb on it."""
