# SPDX-License-Identifier: BSD-2-Clause
"""Engines that carry a run out: simulated RTL, the exact engine, boards. Each fills a run's
folder."""
