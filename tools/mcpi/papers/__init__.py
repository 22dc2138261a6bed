# SPDX-License-Identifier: BSD-2-Clause
"""What the papers printed, from papers/."""
