# SPDX-License-Identifier: BSD-2-Clause
"""Extensions of SIGCOMM '96 that the paper names: cloning when a connection opens (cloning.md)."""
