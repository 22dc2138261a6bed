# SPDX-License-Identifier: BSD-2-Clause
"""Helpers of the tests of tools/: the command, simulators that only pretend, readers, examples."""
