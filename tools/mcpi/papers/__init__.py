# SPDX-License-Identifier: BSD-2-Clause
"""Figures that the papers printed, from papers/."""
