# SPDX-License-Identifier: BSD-2-Clause
"""The graph that Linux talks to, as an image for the machine: it compiles, links and fits.

And the measured images have nothing of it.
"""

import pytest

from mcpi.engines.board import attach as board_attach
from mcpi.firmware import images
from mcpi.machine import profile

ADDED = ("ip_assemble", "ip_cut", "arp_push", "udp_demux", "tcp_keepalive_set", "tcp_predicted_ack")


def symbols(plan: images.Plan) -> set[str]:
    listed = (images.build(plan).folder / "image.map").read_text().split()
    return {word.removeprefix(".text.") for word in listed if word.startswith(".text.")}


def test_links_for_the_machine() -> None:
    assert set(ADDED) <= symbols(board_attach.plan(profile.load("dec3000-600")))


@pytest.mark.parametrize("stack", ["tcp", "rpc"])
def test_measured_images_have_none_of_it(stack: str) -> None:
    there = symbols(images.plan(profile.load("dec3000-600"), "std", stack))
    assert "ip_demux" in there
    assert not set(ADDED) & there
