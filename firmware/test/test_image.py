# SPDX-License-Identifier: BSD-2-Clause
"""Images that must be refused, each with a sentence that says why; what the measured ones lack."""

import struct
import subprocess
import sys

import pytest
from elftools.elf.elffile import ELFFile

from mcpi.base.errors import UserError
from mcpi.base.repo import FIRMWARE
from mcpi.firmware import commands, images, interop
from mcpi.firmware import elf as image
from mcpi.machine import profile

ENTRY, MACHINE, TYPE = 24, 18, 16
PH_VADDR, PH_FILESZ, PH_MEMSZ = 16, 32, 40
SH_SIZE = 32


@pytest.fixture(scope="module")
def resolved():
    return profile.load("dec3000-600")


@pytest.fixture(scope="module")
def good(resolved):
    return images.build(images.plan(resolved, "std", "hello")).image


@pytest.fixture
def broken(tmp_path, good):
    """Writes a copy of the good image with (offset, format, value) patches."""

    def make(*patches, length=None):
        data = bytearray(good.read_bytes())
        for offset, form, value in patches:
            struct.pack_into(form, data, offset, value)
        path = tmp_path / "broken.elf"
        path.write_bytes(data[:length])
        return path

    return make


def segment_header(path):
    with path.open("rb") as stream:
        return ELFFile(stream)["e_phoff"]


def section(path, name):
    with path.open("rb") as stream:
        elf = ELFFile(stream)
        index = elf.get_section_index(name)
        header = elf["e_shoff"] + index * elf["e_shentsize"]
        return header, elf.get_section(index)["sh_offset"]


def refused(path, resolved, *words):
    with pytest.raises(UserError) as caught:
        image.read(path, resolved)
    for word in (str(path), *words):
        assert word in str(caught.value)


def test_good(good, resolved):
    read = image.read(good, resolved)
    assert read.entry == 0xFFFFFC0000100000
    assert read.segments[0].address == 0x100000
    assert [image.ACTIONS[m.action] for m in read.comparators()] == ["pause", "resume"]
    assert read.markers[0].address == read.symbols["trap_interrupt"]


def test_missing_file(tmp_path, resolved):
    refused(tmp_path / "none.elf", resolved, "No such file")


def test_not_an_elf(tmp_path, resolved):
    path = tmp_path / "text.elf"
    path.write_text("not an ELF at all\n" * 100)
    refused(path, resolved, "not a usable ELF")


def test_other_processor(resolved):
    refused(sys.executable, resolved, "not for Alpha")


@pytest.mark.parametrize("length", [3, 40, 63, 100, 0x2100, -200])
def test_cut_short(broken, resolved, length):
    refused(broken(length=length), resolved)


def test_not_executable(broken, resolved):
    refused(broken((TYPE, "<H", 1)), resolved, "ET_REL")


def test_entry(broken, resolved):
    refused(broken((ENTRY, "<Q", 0xFFFFFC0000100004)), resolved, "entry")


@pytest.mark.parametrize("address", [0x10000, 0xFE000, 0x3FFF000, 0x1_0000_0000])
def test_outside_ram(broken, good, resolved, address):
    where = segment_header(good) + PH_VADDR
    refused(broken((where, "<Q", address)), resolved, "outside the RAM")


def test_memory_smaller_than_file(broken, good, resolved):
    where = segment_header(good) + PH_MEMSZ
    refused(broken((where, "<Q", 8)), resolved, "smaller")


@pytest.mark.parametrize("size", [1 << 62, (1 << 64) - 1])
def test_a_size_that_no_file_has(broken, good, resolved, size):
    where = segment_header(good)
    huge = [(where + field, "<Q", size) for field in (PH_FILESZ, PH_MEMSZ)]
    refused(broken(*huge), resolved, "said to be huge")
    header, _ = section(good, image.MARKERS)
    refused(broken((header + SH_SIZE, "<Q", size & -16)), resolved, "said to be huge")


def test_overlapping_segments(broken, good, resolved):
    """The second program header (the stack's) becomes a copy of the first."""
    data, first = good.read_bytes(), segment_header(good)
    copy = struct.unpack_from("<56s", data, first)[0]
    refused(broken((first + 56, "<56s", copy)), resolved, "overlap")


def test_marker_outside(broken, good, resolved):
    _, where = section(good, image.MARKERS)
    refused(broken((where, "<Q", 0x50)), resolved, "not the address")


def test_marker_action(broken, good, resolved):
    _, where = section(good, image.MARKERS)
    refused(broken((where + 8, "<I", 7)), resolved, "action 7")


@pytest.mark.parametrize("window", [0, 5])
def test_marker_window(broken, good, resolved, window):
    _, where = section(good, image.MARKERS)
    words = f"window {window}; there are 1 path, 2 spin, 3 hold, 4 probe"
    refused(broken((where + 12, "<I", window)), resolved, words)


def test_too_many_markers(tmp_path, resolved):
    """24 comparators, whatever their windows; events need none."""
    source = tmp_path / "many.S"

    def build(count, events):
        lines = ['#include "platform/marker.h"', ".globl _start", "_start: unop"]
        marks = [f"MARK_HERE(MARK_PAUSE, {1 + n % 4})" for n in range(count)]
        lines += marks + ["MARK_HERE(MARK_EVENT, 3)"] * events
        source.write_text("\n".join([*lines, "unop", ""]))
        path = tmp_path / "many.elf"
        command = [f"{commands.PREFIX}gcc", "-nostdlib", "-static", f"-I{FIRMWARE}"]
        command += ["-Wl,-Ttext=0xfffffc0000100000", "-Wl,--build-id=none", "-Wl,-n"]
        subprocess.run([*command, str(source), "-o", str(path)], check=True)
        return path

    assert len(image.read(build(24, 20), resolved).comparators()) == 24
    refused(build(25, 0), resolved, "25 markers want a comparator and there are 24")


def test_overlap_of_images(good, resolved):
    one = image.read(good, resolved)
    assert image.overlapping(one) is None
    assert image.overlapping(one, one) == 0x100000


# Files that the graph that Linux talks to has, and the measured images have not.
ADDED = {"ip_assemble", "ip_cut", "arp_push", "udp_demux", "tcp_keepalive_set"}
ADDED |= {"tcp_predicted_ack"}


def symbols(plan: images.Plan) -> set[str]:
    listed = (images.build(plan).folder / "image.map").read_text().split()
    return {word.removeprefix(".text.") for word in listed if word.startswith(".text.")}


def test_the_graph_for_other_hosts_links_for_the_machine(resolved):
    assert symbols(interop.plan(resolved)) >= ADDED


@pytest.mark.parametrize("stack", ["tcp", "rpc"])
def test_measured_images_have_none_of_it(resolved, stack):
    there = symbols(images.plan(resolved, "std", stack))
    assert "ip_demux" in there and not ADDED & there
