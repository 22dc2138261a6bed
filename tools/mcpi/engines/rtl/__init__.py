# SPDX-License-Identifier: BSD-2-Clause
"""The engine ``rtl``: two Verilated machines and the wire."""
