# SPDX-License-Identifier: BSD-2-Clause
"""Drivers for cocotb tests, this project's and your own (docs/how-to/cocotb.md).

``core`` has the processor with a memory in Python and its retire port; ``lance`` and
``lance_driver`` the Ethernet controller on its bus; ``node`` a complete machine with host link,
counters and MII; ``mii`` frames by cocotbext-eth; ``bus``, ``backing`` and ``host_link`` the pins.
"""
