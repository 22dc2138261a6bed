# SPDX-License-Identifier: BSD-2-Clause
"""Wire, pcap, host link, recount and loader on their own, without RTL."""

import struct
import subprocess
import zlib
from pathlib import Path

import pytest
from scapy.layers.l2 import Dot3, Ether
from scapy.utils import rdpcap
from sim_support.simulators import IMAGE_BASE, PAL_BASE, guest, machine_json, run

from mcpi.build import models


def test_wire_delays_and_pcap(tmp_path):
    """The frames of unit_wire.cpp at ticks 1, 175 (twice, once spoilt) and 2 s + 7 ticks."""
    pcap = tmp_path / "wire.pcap"
    run(models.build("unit_wire"), pcap)
    packets = rdpcap(str(pcap))
    assert {type(packet) for packet in packets} <= {Ether, Dot3}
    assert [bytes(p)[0] for p in packets] == [1, 175, 175, (2000000 * 175 + 7) % 256]
    assert [float(p.time) for p in packets] == [5e-9, 1e-6, 1e-6, pytest.approx(2.00000004)]
    checked = [zlib.crc32(bytes(p)[:-4]).to_bytes(4, "little") == bytes(p)[-4:] for p in packets]
    assert checked == [True, True, False, True]


def test_wire_faults_and_segment(tmp_path):
    """Loss, duplication, corruption, reordering, delay, replay; carrier and collisions."""
    run(models.build("unit_faults"), tmp_path)


def test_a_counter_that_has_no_place_in_a_row_of_ticks_is_refused():
    run(models.build("unit_tickrow"))


def test_host_link():
    run(models.build("unit_hostlink"))


def test_lockstep_finds_every_lie(tmp_path):
    """pc, instruction, result, access, store data: report, twenty retirements, reproduce line."""
    run(models.build("unit_lockstep"), machine_json(tmp_path))


def test_recount(tmp_path):
    """counters.md: they act in the order of their numbers; closing ends a cold path."""
    run(models.build("unit_recount"), machine_json(tmp_path), tmp_path / "node.json")


def refusal(tmp_path: Path, image: Path) -> str:
    """Error of mcpi-isa for an image that it cannot load; it must not crash or go on."""
    pal = guest("pal", tmp_path, PAL_BASE)
    done = run(models.build("mcpi-isa"), "--machine", machine_json(tmp_path), "--pal", pal, image,
               check=False)  # fmt: skip
    assert done.returncode == 2
    text = done.stderr.decode()
    assert text.startswith("mcpi-isa: ") and text.count("\n") == 1
    return text


def test_loader_refuses_what_it_cannot_load(tmp_path):
    good = guest("hello", tmp_path, IMAGE_BASE).read_bytes()
    image = tmp_path / "image"
    assert "cannot be read" in refusal(tmp_path, image)
    image.write_bytes(b"#!/bin/sh\n")
    assert "not an ELF file" in refusal(tmp_path, image)
    image.write_bytes(good[:40])
    assert "truncated" in refusal(tmp_path, image)
    image.write_bytes(good[:100])
    assert "truncated" in refusal(tmp_path, image)
    image.write_bytes(good[:0x90])
    assert "truncated" in refusal(tmp_path, image)
    image.write_bytes(good[:18] + struct.pack("<H", 62) + good[20:])
    assert "another processor" in refusal(tmp_path, image)
    image.write_bytes(good[:4] + b"\x01" + good[5:])
    assert "64-bit" in refusal(tmp_path, image)
    image.write_bytes(good[:16] + struct.pack("<H", 1) + good[18:])
    assert "executable" in refusal(tmp_path, image)
    assert "outside the machine's RAM" in refusal(tmp_path, guest("hello", tmp_path, "0x7fffff0"))


def test_loader_survives_any_broken_byte(tmp_path):
    """Every byte of header and program headers, set to ff: loaded or refused, never a crash."""
    machine, pal = machine_json(tmp_path), guest("pal", tmp_path, PAL_BASE)
    good = guest("hello", tmp_path, IMAGE_BASE).read_bytes()
    image, isa = tmp_path / "image", models.build("mcpi-isa")
    for at in range(64 + 56):
        image.write_bytes(good[:at] + b"\xff" + good[at + 1 :])
        words = [isa, "--machine", machine, "--pal", pal, "--max-instructions", "1000", image]
        done = subprocess.run(words, capture_output=True, timeout=20)
        assert done.returncode in (0, 1, 2), f"byte {at}: {done.returncode} {done.stderr[-200:]}"
