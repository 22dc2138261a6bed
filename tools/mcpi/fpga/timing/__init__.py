# SPDX-License-Identifier: BSD-2-Clause
"""Timing analysis of a routed board when a tick has two clocks (docs/explanation/timing.md)."""
