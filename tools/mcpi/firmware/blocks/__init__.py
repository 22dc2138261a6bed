# SPDX-License-Identifier: BSD-2-Clause
"""Orders of a function's blocks that come from a profile of the path."""
