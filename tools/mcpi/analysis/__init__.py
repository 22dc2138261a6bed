# SPDX-License-Identifier: BSD-2-Clause
"""Questions to the files of one run: which code owns the ticks, and why."""
