# SPDX-License-Identifier: BSD-2-Clause
"""An exact node with an external peer says what a Verilated one says: frames, times, RAM."""

import random
from pathlib import Path

import pytest
from scapy.layers.inet import ICMP, IP, TCP, UDP
from scapy.layers.l2 import ARP, Ether
from sim_support.simulators import build, machine_json, run

from mcpi.build import models
from mcpi.firmware import images, interop
from mcpi.machine import profile

MACHINE, PEER = "10.0.0.1", "10.0.0.2"  # as the boot block has them (bootparams.cpp)
ADDRESSES = {MACHINE: "08:00:2b:00:00:01", PEER: "08:00:2b:00:00:02"}
END = 12_000_000  # ticks
QUICK = {"link.mbps": "100", "lance.profile": "ideal"}


def frames(lucky: random.Random) -> list[bytes]:
    """Frames to a machine that answers ARP, ping and TCP, and some that nobody understands."""
    ether = Ether(src=ADDRESSES[PEER], dst=ADDRESSES[MACHINE])
    to_it = ether / IP(src=PEER, dst=MACHINE, id=lucky.randrange(65536))
    request = ARP(op=1, hwsrc=ADDRESSES[PEER], psrc=PEER, pdst=MACHINE)
    found = [Ether(src=ADDRESSES[PEER], dst="ff:ff:ff:ff:ff:ff") / request]
    for _ in range(12):
        payload = lucky.randbytes(lucky.choice((0, 1, 46, 300, 1472)))
        found.append(
            lucky.choice(
                (
                    to_it / ICMP(seq=lucky.randrange(9)) / payload,
                    to_it / TCP(sport=1024, dport=lucky.choice((7, 5000)), flags="S", seq=1),
                    to_it / UDP(sport=7, dport=lucky.randrange(65536)) / payload,
                    to_it / payload,
                    ether / payload,
                )
            )
        )
    return [bytes(frame).ljust(60, b"\0") for frame in found]


def lines(seed: int) -> str:
    """Lines of a peer that never listens: frames alone and one after the other, looks at RAM."""
    lucky, now = random.Random(seed), 2_000_000
    said = [f"r {now}"] * 2  # it boots, and says who it is
    for frame in frames(lucky):
        said.append(f"d {frame.hex()}")
        if lucky.random() < 0.7:
            now += lucky.randrange(1_200_000)
            said += [f"r {now}"] * lucky.randrange(1, 4)
            said.append(f"c {8 * lucky.randrange(1 << 17):x} {lucky.randrange(1, 40)}")
    return "\n".join([*said, *[f"r {END}"] * 40]) + "\n"


def served(tmp_path: Path, seed: int, settings: dict[str, str], *more: str) -> list[str]:
    """Answers of both engines."""
    built = build(settings)
    answers = images.build(interop.plan(profile.load("dec3000-600")))  # ARP, ping, TCP, UDP
    machine = machine_json(tmp_path, settings)
    words = ["serve", "--machine", machine, "--seed", seed, *more]
    for item in (f"pal={built.pal}", f"image={answers.image}", "boot.role=1"):
        words += ["--node", f"0:{item}"]
    programs = [[built.simulator, *words, "--node-json", built.node_json]]
    programs.append([models.build("mcpi-exact"), *words])
    return [run(*p, input=lines(seed), text=True).stdout for p in programs]


MANY = [(2, QUICK), *((seed, {}) for seed in range(3, 30))]
MANY = [pytest.param(*one, marks=pytest.mark.long) for one in MANY]


@pytest.mark.parametrize(("seed", "settings"), [(1, {}), *MANY])
def test_a_peer_hears_the_same(tmp_path, seed, settings):
    rtl, exact = served(tmp_path, seed, settings)
    assert rtl.count("\nf ") > 3, "the machine answered next to nothing"
    assert rtl == exact


def test_a_wrong_tick_is_seen(tmp_path):
    """The comparison can fail: another phase of the timer is another run."""
    rtl, _ = served(tmp_path, 1, {})
    (tmp_path / "other").mkdir()
    assert rtl != served(tmp_path / "other", 1, {}, "--node", "0:phase=77")[1]
