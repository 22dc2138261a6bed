# SPDX-License-Identifier: BSD-2-Clause
"""Searches for a faster image: places of functions, their order, code to move out of line."""
