# SPDX-License-Identifier: BSD-2-Clause
"""A run in the formats of other tools, one file each."""
