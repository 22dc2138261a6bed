# SPDX-License-Identifier: BSD-2-Clause
"""Helpers of the tests of ``sim/``."""
