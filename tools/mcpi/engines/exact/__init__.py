# SPDX-License-Identifier: BSD-2-Clause
"""The engine ``exact``: the whole testbed as a program, to the tick."""
