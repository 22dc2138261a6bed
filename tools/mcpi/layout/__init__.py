# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi layout``: where functions lie, what they do to the caches, and where they should lie."""
