# SPDX-License-Identifier: BSD-2-Clause
"""The code of xkernel-in-20-minutes.md, as it stands there: built, and doing what it says."""

from functools import cache
from pathlib import Path

from firmware_support.host_build import OUT, graph_table, libraries, run
from firmware_support.solo_machine import KERNEL, US, Solo, ether
from scapy.layers.inet import IP
from scapy.packet import Raw

from mcpi.base.repo import FIRMWARE, ROOT
from mcpi.firmware import protocol_graph
from mcpi.firmware.commands import PREFIX, WARNINGS
from verify.docgen import snippets

PAGE = ROOT / "docs" / "tutorial" / "xkernel-in-20-minutes.md"
PROTOCOL, GREET = 253, 7
COUNTERS = ("too_short", "unknown_protocol", "old", "no_memory")


@cache
def machines() -> list[Path]:
    """The page's files, each of its pieces in their order, as a machine."""
    folder = OUT / "twenty-minutes"
    folder.mkdir(parents=True, exist_ok=True)
    pieces = snippets.files(PAGE.read_text())
    assert sorted(pieces) == ["greet.c", "tag.c", "tagged.graph", "tcp.graph", "tcp.table"]
    for name, text in pieces.items():
        (folder / name).write_text(text)
    with protocol_graph.graphs_in(folder):
        table = graph_table(folder, folder / "tcp.graph")
    return libraries(folder, [folder / "tag.c", folder / "greet.c"], table)


class Machine(Solo):
    def __init__(self, role: int = 1) -> None:
        super().__init__(known=False, machine=machines()[0], role=role)

    def tagged(self, frames: list[bytes]) -> list[tuple[int, bytes]]:
        """Sequence numbers and data of what it sent by TAG."""
        out = []
        for frame in frames:
            packet = IP(frame[14:])
            assert (packet.src, packet.dst, packet.proto) == (KERNEL, US, PROTOCOL)
            body = bytes(packet.payload)[: packet.len - 20]
            assert body[:4] == GREET.to_bytes(4, "big")
            out.append((int.from_bytes(body[4:8], "big"), body[8:]))
        return out

    def dropped(self) -> dict[str, int]:
        self.say(f"c tag_counts {len(COUNTERS)}")
        values = [int(w) for w in self.answer()[1:]]
        return {n: v for n, v in zip(COUNTERS, values, strict=True) if v}


def tag(sequence: int, data: bytes, upper: int = GREET):
    body = upper.to_bytes(4, "big") + sequence.to_bytes(4, "big") + data
    return ether(IP(src=US, dst=KERNEL, proto=PROTOCOL) / Raw(body))


def test_is_answered() -> None:
    with Machine() as m:
        answers = m.tagged(m.exchange(tag(5, b"Ann"), tag(6, b"Ben")))
        # Nobody keeps the session, so each message makes a new one, which counts from 1.
        assert answers == [(1, b"hello, Ann"), (1, b"hello, Ben")]
        assert not m.dropped()


def test_drops() -> None:
    with Machine() as m:
        short = ether(IP(src=US, dst=KERNEL, proto=PROTOCOL) / Raw(b"1234567"))
        assert m.exchange(short, tag(1, b"x", upper=8)) == []
        assert m.dropped() == {"too_short": 1, "unknown_protocol": 1}


def test_old_ones_are_dropped() -> None:
    """By the client, whose session stays: its answer is taken once it is newer than nothing."""
    with Machine(role=0) as m:
        assert m.tagged(m.frames(1700)) == [(n, b"anybody?") for n in (1, 2, 3)]
        for old in (0, 0x80000000, 0xFFFFFFFF):
            assert m.exchange(tag(old, b"hello"), ms=1) == []
        assert m.dropped() == {"old": 3}
        assert m.exit_code == -1
        m.exchange(tag(1, b"hello"), ms=1)
        assert m.exit_code == 0
        m.exit_code = -1  # it was to end


def test_nobody_there() -> None:
    with Machine(role=0) as m:
        assert len(m.frames(5000)) == 5
        assert m.exit_code == 1
        m.exit_code = -1


def test_each_allocation_fails() -> None:
    for skip in range(12):
        with Machine() as m:
            before = m.blocks()
            m.fail_allocations(skip, 1)
            m.exchange(tag(1, b"Ann"))
            m.fail_allocations(0, 0)
            assert m.tagged(m.exchange(tag(2, b"Ben"))) == [(1, b"hello, Ben")]
            m.exchange(ms=61_000)  # sessions of ETH, VNET and IP go when they were idle
            assert m.blocks() <= before


def test_asks_again() -> None:
    """Two questions are lost; the third is answered."""
    with Machine(role=0) as m:
        heard = []
        while m.exit_code == -1:
            heard += m.tagged(m.frames(100))
            if len(heard) == 3:
                m.send(tag(1, b"hello"))
        assert [n for n, _ in heard] == [1, 2, 3] and m.exit_code == 0
        m.exit_code = -1


def test_compiles_for_the_alpha(tmp_path) -> None:
    machines()
    rules = ["-std=c11", "-ffreestanding", "-mcpu=ev4", "-O2", *WARNINGS]
    for name in ("tag", "greet"):
        source = OUT / "twenty-minutes" / f"{name}.c"
        target = tmp_path / f"{name}.o"
        run([f"{PREFIX}gcc", *rules, f"-I{FIRMWARE}", "-c", source, "-o", target])
