# SPDX-License-Identifier: BSD-2-Clause
"""The package behind ``./mcpi``."""
