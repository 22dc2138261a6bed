# SPDX-License-Identifier: BSD-2-Clause
"""Links to hardware: serial port, host link, Ethernet PHY."""
