# SPDX-License-Identifier: BSD-2-Clause
"""Helpers of the boards' tests."""
