# SPDX-License-Identifier: BSD-2-Clause
"""Where the copies of a variant should lie: a recorded path, what places cost, and searches."""
