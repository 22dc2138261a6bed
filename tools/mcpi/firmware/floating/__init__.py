# SPDX-License-Identifier: BSD-2-Clause
"""Programs with floating point: which they are, and how their assembly loses it."""
