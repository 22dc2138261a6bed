# SPDX-License-Identifier: BSD-2-Clause
"""The image that other hosts talk to: Linux over a tap device, a board's peer on its cable."""

from mcpi.firmware import images, protocol_graph
from mcpi.machine.profile import Machine

# Features that only the graphs of firmware/graphs/interop have (xkernel/switches.h).
SWITCHES = ("XK_ARP=1", "XK_FRAGMENTS=1", "XK_KEEPALIVE=1", "XK_LINK_CHECK=1")
SWITCHES += ("XK_TCP_HDRPRED=1", "XK_TCP_NET2=1")


def plan(machine: Machine) -> images.Plan:
    """The commands that make the image."""
    with protocol_graph.graphs_in(protocol_graph.GRAPHS / "interop"):
        return images.plan(machine, "std", "tcp", SWITCHES)
