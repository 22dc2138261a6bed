# SPDX-License-Identifier: BSD-2-Clause
"""What SIGCOMM '96 leaves to others: cloning when a connection opens (cloning.md)."""
