# SPDX-License-Identifier: BSD-2-Clause
"""Helpers of the processor's tests."""
