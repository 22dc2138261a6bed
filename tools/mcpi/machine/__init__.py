# SPDX-License-Identifier: BSD-2-Clause
"""Machine files and board files: what they say, checked, and what is made of them."""
