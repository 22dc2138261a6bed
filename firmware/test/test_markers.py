# SPDX-License-Identifier: BSD-2-Clause
"""Markers are labels of zero bytes: deleting them leaves the loaded code as it was."""

import subprocess

import pytest

from mcpi import firmware, image, machine

STACKS = ["hello", "tcp"]


def listing(path):
    dump = [f"{firmware.PREFIX}objdump", "-d", "--no-show-raw-insn", str(path)]
    return subprocess.run(dump, check=True, capture_output=True, text=True).stdout.splitlines()


@pytest.mark.parametrize("stack", STACKS)
def test_deleting_markers_changes_no_code(stack):
    resolved = machine.load("dec3000-600")
    builds = [
        firmware.build(firmware.plan(resolved, "std", stack, defines))
        for defines in ((), ("MCPI_NO_MARKERS",))
    ]
    marked, bare = (image.read(b.image, resolved) for b in builds)
    assert marked.markers and not bare.markers
    if marked.segments != bare.segments:
        import difflib

        pair = [listing(b.image)[4:] for b in builds]
        print("\n".join(difflib.unified_diff(*pair, "with", "without", lineterm="", n=1)))
        raise AssertionError(f"markers change the code of stack {stack}; see the difference above")
