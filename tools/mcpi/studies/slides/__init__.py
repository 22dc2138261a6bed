# SPDX-License-Identifier: BSD-2-Clause
"""The talk on SIGCOMM'96's techniques: the machine that came next, and what its slides claim."""
