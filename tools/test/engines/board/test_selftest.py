# SPDX-License-Identifier: BSD-2-Clause
"""The loop-back self-test on a simulated board with a looped cable, and faults planted in it."""

import contextlib
import os
from pathlib import Path
from types import SimpleNamespace

import pytest
from tools_support.board_bench import Bench, quiet

from mcpi.base.errors import RunError, UserError
from mcpi.engines.board import selftest as board_selftest
from mcpi.engines.board.node import BoardNode
from mcpi.machine import profile
from mcpi.spec.run_spec import RunSpec

RECORD = RunSpec(lockstep=False)
MACHINE = profile.load("dec3000-600", {})
SEED = int(os.environ.get("MCPI_SEED", "1"))
FRAMES = 4
RAM = ("--backing-bytes", str(64 * 8192))


def looped(folder: Path, *options: str) -> Bench:
    return Bench(folder, RECORD, "--loopback", *RAM, *options)


def outcome(bench: Bench, spoil=None, machine=MACHINE) -> dict[str, str]:
    node = bench.node()
    with contextlib.closing(node.link.port):
        if spoil:
            spoil(node)
        steps = board_selftest.test(node, machine, "phy", FRAMES, SEED, quiet)
    return {step.name: step.found for step in steps}


@pytest.fixture(scope="module")
def bench(tmp_path_factory):
    found = looped(tmp_path_factory.mktemp("bench"))
    yield found
    found.end()


def test_pass(bench):
    found = outcome(bench)
    assert found["frames"] == f"sent {FRAMES}, received {FRAMES}, lost 0, broken 0, wrong 0"
    assert found["RAM"].startswith("64 pages of 8192 bytes")
    assert found["identity"].startswith("sim, 50000 kHz, 64 pages, RTL ")


def test_one_of_two_simulated_boards_is_refused_at_once():
    """Its time stands still; before a byte is written to its RAM."""
    said = {"board.name": int.from_bytes(b"sim", "little"), "board.link": 3, "rtl_digest": 0}
    said |= {"machine_digest": int(MACHINE.elaborate_digest, 16), "board.clock_khz": 50000}
    said |= {"board.pages": 64}
    link = SimpleNamespace(port=SimpleNamespace(path="serial.0"), read=said.__getitem__)
    link.ping = link.write = link.write_all = quiet
    node = BoardNode(link, {name: name for name in (*said, "run", "board.exact")}, [])
    with pytest.raises(UserError, match=r"serial\.0: this is one of two .* simulate --loopback"):
        board_selftest.test(node, MACHINE, "phy", FRAMES, SEED, quiet)


def test_a_bit_that_is_stuck(bench):
    """The 5th bit of the 3rd byte of one page's block, at 1."""

    def spoil(node) -> None:
        read = node.link.read_ram

        def stuck(address: int, size: int) -> bytes:
            data = bytearray(read(address, size))
            if address >> 13 == 37 and size == board_selftest.BLOCK:
                data[2] |= 1 << 5
            return bytes(data)

        node.link.read_ram = stuck

    with pytest.raises(RunError, match=r"RAM at 0x4a...: 1 of 256 bits are wrong \(bit 21\)"):
        outcome(bench, spoil)


def test_two_pages_that_are_one(bench):
    """An address line that does not move: what is written to page 9 lands in page 1 too."""

    def spoil(node) -> None:
        write, read = node.link.write_ram, node.link.read_ram
        shadow: dict[int, bytes] = {}

        def folded(address: int, data: bytes, update=None) -> None:
            write(address, data, update)
            shadow[address >> 13 & ~8] = data

        def seen(address: int, size: int) -> bytes:
            data = read(address, size)
            return shadow.get(address >> 13 & ~8, data) if address >> 13 < 16 else data

        node.link.write_ram, node.link.read_ram = folded, seen

    with pytest.raises(RunError, match="RAM at 0x"):
        outcome(bench, spoil)


def test_a_node_of_another_machine(bench):
    other = profile.load("dec3000-600", {"icache.size": "16KB"})
    with pytest.raises(RunError, match="Build and load it with the same --machine"):
        outcome(bench, machine=other)


@pytest.mark.parametrize(
    "fault, message",
    [
        ("0:lose=1", r"received 0, lost 4, .* is the cable looped"),
        ("0:lose=0.3", r"received \d+, lost [1-9]\d*, broken 0, .* signal quality"),
        ("0:corrupt=0.3", r"sent 4, received \d+, lost 0, broken [1-9]"),
    ],
)
def test_a_bad_loop(tmp_path, fault, message):
    bench = looped(tmp_path / "bench", "--wire", fault)
    try:
        with pytest.raises(RunError, match=message):
            outcome(bench)
    finally:
        bench.end()
