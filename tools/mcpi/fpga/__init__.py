# SPDX-License-Identifier: BSD-2-Clause
"""Synthesis, placement, routing, bitstreams for ECP5."""
