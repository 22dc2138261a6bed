# SPDX-License-Identifier: BSD-2-Clause
"""What tests of tools/ share: the command, simulators that only pretend, readers, examples."""
