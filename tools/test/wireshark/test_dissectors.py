# SPDX-License-Identifier: BSD-2-Clause
"""Wireshark's dissectors of the RPC stack (tools/wireshark/mcpi.lua), which tshark runs on frames
that are made here from docs/reference/protocols/rpc.md, and on those of a run."""

import json
import struct
import zlib
from collections.abc import Sequence
from pathlib import Path

import pytest
from scapy.layers.inet import IP
from scapy.layers.l2 import Ether
from scapy.utils import rdpcap, wrpcap

from mcpi import api
from mcpi.base.process import heard
from mcpi.base.repo import ROOT

LUA = ROOT / "tools" / "wireshark" / "mcpi.lua"
SEND, NACK, RETRANSMIT = 1, 2, 3


def blast(payload: bytes, upper=21, sequence=0, fragments=0, op=SEND, mask=0, size=None) -> bytes:
    size = len(payload) if size is None else size
    return struct.pack(">IIIHBBQ", upper, sequence, size, fragments, op, 0, mask) + payload


def bid(payload: bytes) -> bytes:
    return struct.pack(">III", 0x1111, 0x2222, 13) + payload


def chan(payload: bytes, flags: int = 3, sequence: int = 7) -> bytes:
    return struct.pack(">HBBIII", 5, 0, flags, 20, sequence, len(payload)) + payload


def mselect(status: int = 0) -> bytes:
    return struct.pack(">II", 1002, status) + b"data"


def frame(data: bytes, proto: int = 101):
    return Ether(type=0x0800) / IP(src="10.0.0.1", dst="10.0.0.2", proto=proto) / data


def dissected(place: Path, lua: Path = LUA, more: Sequence[str] = ()) -> list[dict]:
    """The layers of each frame, by their names, each with its fields."""
    words = ["tshark", "-X", f"lua_script:{lua}", "-r", place, "-T", "json", "--no-duplicate-keys"]
    done = heard([*words, *more])
    assert not done.returncode and "Lua" not in done.stderr, done.stderr
    return [one["_source"]["layers"] for one in json.loads(done.stdout)]


def one(tmp_path: Path, data: bytes, proto: int = 101, lua: Path = LUA) -> dict:
    wrpcap(str(tmp_path / "x.pcap"), [frame(data, proto)])
    return dissected(tmp_path / "x.pcap", lua)[0]


def test_a_call(tmp_path: Path) -> None:
    found = one(tmp_path, blast(bid(chan(mselect()))))
    assert found["blast"]["blast.op"] == "1" and found["blast"]["blast.bytes"] == "40"
    assert int(found["bid"]["bid.source"], 0) == 0x1111
    assert int(found["bid"]["bid.destination"], 0) == 0x2222
    content = found["chan"]
    assert (content["chan.channel"], content["chan.sequence"], content["chan.bytes"]) == (
        "5",
        "7",
        "12",
    )
    flags = content["chan.flags_tree"]
    assert flags == {"chan.flags.from_client": "1", "chan.flags.user_msg": "1",
                     "chan.flags.ack_requested": "0", "chan.flags.negative_ack": "0"}  # fmt: skip
    assert found["mselect"]["mselect.procedure"] == "1002" and "data" in found


def test_an_acknowledgement_has_no_procedure(tmp_path: Path) -> None:
    assert "mselect" not in one(tmp_path, blast(bid(chan(b"", flags=0))))


def test_fragments(tmp_path: Path) -> None:
    """In a message of which not all is there, only the first fragment is followed by the next
    header."""
    first = one(tmp_path, blast(bid(b"x" * 80), sequence=9, fragments=40, mask=1))
    assert first["blast"]["blast.fragment"] == "1" and "bid" in first
    later = one(tmp_path, blast(b"x" * 80, sequence=9, fragments=40, op=RETRANSMIT, mask=1 << 39))
    assert later["blast"]["blast.fragment"] == "40" and "bid" not in later
    nack = one(tmp_path, blast(b"", sequence=9, fragments=40, op=NACK, mask=5))
    assert "blast.fragment" not in nack["blast"] and nack["blast"]["blast.op"] == "2"
    assert "_ws.expert" not in nack["blast"]


def message(order: list[int], call: bytes, sequence: int = 9) -> list:
    """Frames with a call in three fragments, in that order. What is sent again says so."""
    parts = [call[:30], call[30:60], call[60:]]
    sent, frames = set(), []
    for n in order:
        op = RETRANSMIT if n in sent else SEND
        sent.add(n)
        frames.append(frame(blast(parts[n], sequence=sequence, fragments=3, op=op, mask=1 << n)))
    return frames


CALL = bid(chan(mselect() + bytes(range(64))))


@pytest.mark.parametrize("order", [[0, 1, 2], [2, 0, 1], [0, 0, 2, 1], [1, 2, 0]])
def test_fragments_are_put_together(tmp_path: Path, order: list[int]) -> None:
    """In the last frame that brings something new; the others name it."""
    wrpcap(str(tmp_path / "x.pcap"), [*message(order, CALL), *message(order, CALL[::-1], 10)])
    found = dissected(tmp_path / "x.pcap", more=["-2"])
    whole, others = found[len(order) - 1], found[: len(order) - 1]
    assert whole["chan"]["chan.bytes"] == str(8 + 4 + 64) and "mselect" in whole
    assert whole["blast"]["blast.reassembled_bytes"] == str(len(CALL))
    assert bytes.fromhex(whole["data"]["data.data"].replace(":", ""))[4:] == bytes(range(64))
    for one_ in others:
        assert one_["blast"]["blast.reassembled_in"] == str(len(order)) and "bid" not in one_
    second = found[-1]["blast"]  # the next message has its own fragments
    assert second["blast.reassembled_bytes"] == str(len(CALL))
    assert str(len(order) + 1) in second["blast.part"]


def test_fragments_of_two_senders_are_not_mixed(tmp_path: Path) -> None:
    one_, other = message([0, 1, 2], CALL), message([0, 1, 2], CALL)
    for there in other:
        there[IP].src = "10.0.0.3"
    wrpcap(str(tmp_path / "x.pcap"), [one_[0], other[1], one_[1], other[2]])
    found = dissected(tmp_path / "x.pcap", more=["-2"])
    assert not any("blast.reassembled_bytes" in layers["blast"] for layers in found)


def test_a_mistake_in_putting_together_is_found(tmp_path: Path) -> None:
    """Mutants: the order of arrival, and a fragment that came twice counts twice."""
    for right, wrong in (
        ("message.parts[fragment] = buffer(BLAST_BYTES, bytes):bytes()",
         "message.parts[message.count - message.missing + 1] = buffer(BLAST_BYTES, bytes):bytes()"),
        ("if not message.parts[fragment] then", "if true then"),
    ):  # fmt: skip
        assert right in LUA.read_text()
        (tmp_path / "wrong.lua").write_text(LUA.read_text().replace(right, wrong))
        wrpcap(str(tmp_path / "x.pcap"), message([0, 0, 2, 1], CALL))
        layers = dissected(tmp_path / "x.pcap", tmp_path / "wrong.lua", ["-2"])[-1]
        assert "mselect" not in layers or layers["chan"]["chan.bytes"] != str(8 + 4 + 64) or (
            bytes.fromhex(layers["data"]["data.data"].replace(":", ""))[4:] != bytes(range(64))
        )  # fmt: skip


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (blast(b"x" * 40, size=41), "Fewer bytes"),
        (blast(b"x" * 40, fragments=3, mask=3), "Not exactly one fragment"),
        (blast(b"x" * 40, fragments=3, mask=8), "Not exactly one fragment"),
        (blast(b"")[:20], "Shorter than its header"),
        (blast(bid(b""))[:-1], "Shorter than its header"),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, data: bytes, said: str) -> None:
    assert said in json.dumps(one(tmp_path, data))


def test_boot_ids(tmp_path: Path) -> None:
    found = one(tmp_path, struct.pack(">HHIIII", 3, 0xABCD, 1, 2, 3, 4), proto=205)["bidctl"]
    assert (found["bidctl.query"], found["bidctl.response"], found["bidctl.bcast"]) == (
        "1",
        "1",
        "0",
    )
    names = ("source", "destination", "request", "reply")
    assert [int(found[f"bidctl.{name}"], 0) for name in names] == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("root:add(h.sequence, buffer(8, 4))", "root:add(h.sequence, buffer(4, 4))"),
        ("root:add(f.bytes, buffer(8, 4))", "root:add_le(f.bytes, buffer(8, 4))"),
        ("BLAST_BID, BID_CHAN, CHAN_MSELECT = 101, 205, 21, 13, 20",
         "BLAST_BID, BID_CHAN, CHAN_MSELECT = 101, 205, 21, 14, 20"),
        ('"FROM_CLIENT", 8, nil, 0x1)', '"FROM_CLIENT", 8, nil, 0x4)'),
    ],
)  # fmt: skip
def test_a_mistake_is_found(tmp_path: Path, right: str, wrong: str) -> None:
    text = LUA.read_text()
    assert right in text
    (tmp_path / "wrong.lua").write_text(text.replace(right, wrong))
    _as_sent(one(tmp_path, blast(bid(chan(mselect())))))
    with pytest.raises((AssertionError, KeyError)):
        _as_sent(one(tmp_path, blast(bid(chan(mselect()))), lua=tmp_path / "wrong.lua"))


def _as_sent(found: dict) -> None:
    """The call of ``test_a_call``."""
    assert found["blast"]["blast.bytes"] == "40" and found["chan"]["chan.sequence"] == "7"
    assert found["chan"]["chan.flags_tree"]["chan.flags.from_client"] == "1"
    assert found["mselect"]["mselect.procedure"] == "1002"


def test_the_frames_of_a_run(tmp_path: Path) -> None:
    """Every frame of an RPC run is taken apart to its end, and calls and replies alternate."""
    run = api.run(stack="rpc", engine="exact", round_trips=3, warmup=2, out=tmp_path / "run")
    place = run.folder / "wire.pcap"
    found = dissected(place)
    assert len(found) == len(rdpcap(str(place)))
    assert all("bidctl" in layers or "mselect" in layers for layers in found)
    assert not any("_ws.expert" in json.dumps(layers.get(name, {})) for layers in found
                   for name in ("blast", "bidctl", "bid", "chan", "mselect"))  # fmt: skip
    calls = [(int(c["chan.sequence"]), c["chan.flags_tree"]["chan.flags.from_client"])
             for layers in found if (c := layers.get("chan"))]  # fmt: skip
    sequences = sorted({sequence for sequence, _ in calls})
    assert calls == [(n, who) for n in sequences for who in ("1", "0")] and len(sequences) >= 5


@pytest.mark.parametrize(("stack", "layer"), [("tcp", "tcp"), ("rpc", "blast")])
def test_a_run_is_ethernet_for_scapy_and_wireshark(stack: str, layer: str, tmp_path: Path) -> None:
    """Each frame with its check sequence, which tshark finds right and takes for no data."""
    run = api.run(stack=stack, engine="exact", round_trips=3, warmup=2, out=tmp_path / "run")
    place = run.folder / "wire.pcap"
    packets = rdpcap(str(place))
    assert {type(packet) for packet in packets} == {Ether} and all(IP in p for p in packets[2:])
    for packet in map(bytes, packets):
        assert zlib.crc32(packet[:-4]).to_bytes(4, "little") == packet[-4:]
    found = dissected(place, more=["-o", "eth.check_fcs:true"])
    assert [one["eth"]["eth.fcs.status"] for one in found] == ["1"] * len(packets)
    assert sum(layer in one for one in found) >= 5
    assert "_ws.malformed" not in json.dumps(found)
