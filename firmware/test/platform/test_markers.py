# SPDX-License-Identifier: BSD-2-Clause
"""Markers are labels of zero bytes, and what deleting them does to the code is known.

As labels in assembly they change nothing. In C each is also a point the compiler moves nothing
volatile across, so it may order the instructions around it differently; and an ``if`` that guards
nothing but a marker is gone without it. The difference is printed, and must be no more than that.
"""

import difflib
from collections import Counter

import pytest
from elftools.elf.elffile import ELFFile

from mcpi.base.process import heard
from mcpi.firmware import commands, elf, images
from mcpi.machine import profile

# These have an `if` around nothing but a call of MARKER_ONLY, which is nothing but a marker.
GUARDED = {"clientStreamDemux", "tcptest_client_start", "xrpctest_client_start"}
MARKER_ONLY = {"measure_starts", "measure_ends"}


def build(stack):
    resolved = profile.load("dec3000-600")
    builds = [
        images.build(images.plan(resolved, "std", stack, defines))
        for defines in ((), ("MCPI_NO_MARKERS",))
    ]
    marked, bare = (elf.read(b.image, resolved) for b in builds)
    assert marked.markers and not bare.markers
    return builds, marked, bare


def functions(path) -> dict[str, list[str]]:
    """Instructions of every function of an image, as text without addresses."""
    dump = [f"{commands.PREFIX}objdump", "-d", "--no-show-raw-insn", "--no-addresses", str(path)]
    text = heard(dump, check=True).stdout
    found: dict[str, list[str]] = {}
    for line in text.splitlines():
        if line.startswith("<"):
            body = found.setdefault(line.strip("<>:"), [])
        elif line.startswith("\t"):
            body.append(line.split("<")[0].strip())
    return found


def marked_functions(path) -> set[str]:
    """The functions that hold a marker."""
    resolved = profile.load("dec3000-600")
    markers = elf.read(path, resolved).markers
    with path.open("rb") as stream:
        table = ELFFile(stream).get_section_by_name(".symtab")
        spans = [
            (s["st_value"], s["st_value"] + s["st_size"], s.name)
            for s in table.iter_symbols()
            if s["st_info"]["type"] == "STT_FUNC"
        ]
    return {name for low, high, name in spans for m in markers if low <= m.address < high}


def test_labels_in_assembly_change_nothing():
    _, marked, bare = build("hello")
    assert marked.segments == bare.segments


@pytest.mark.parametrize("stack", ["tcp", "rpc"])
def test_what_deleting_them_changes(stack):
    (with_markers, without), _, _ = build(stack)
    one, two = functions(with_markers.image), functions(without.image)
    for name in MARKER_ONLY:
        assert one.pop(name) == ["ret"]
        two.pop(name, None)
    assert one.keys() == two.keys()
    holders = marked_functions(with_markers.image)
    assert {"transmit_frame", "lance_interrupt", "trap_interrupt"} <= holders
    for name, body in one.items():
        other = two[name]
        kinds = [[i.split()[0] for i in code] for code in (body, other)]
        if name in GUARDED:
            continue
        if name not in holders:
            # Only displacements may differ: what they point at has moved.
            assert kinds[0] == kinds[1], name
        else:
            assert Counter(kinds[0]) == Counter(kinds[1]), f"{name}: not just another order"
        if name in holders and body != other:
            print("\n".join(difflib.unified_diff(body, other, name, "without", lineterm="", n=1)))
    sizes = {name: len(one[name]) - len(two[name]) for name in one}
    assert {name for name, difference in sizes.items() if difference} <= GUARDED
