# SPDX-License-Identifier: BSD-2-Clause
"""The LANCE driver on a chip that makes every error (driver/chip_model.c), on the host.

Each case with descriptors in place and copied (XK_USC), under sanitizers.
"""

import re
from functools import cache
from pathlib import Path

import pytest
from host_build import CC, FIRMWARE, FLAGS, OUT, SANITIZE, TEST, run, run_case

from mcpi import usc

ROOM = TEST / "driver"


def names() -> list[str]:
    """From the table in the source, so that collecting builds nothing."""
    return re.findall(r'^\t\{ "(\w+)"', (ROOM / "driver_tests.c").read_text(), re.M)


@cache
def driver_tests(in_place: int) -> Path:
    folder = OUT / f"driver-{in_place}"
    folder.mkdir(parents=True, exist_ok=True)
    lance = FIRMWARE / "protocols" / "lance"
    (folder / "lance.usc.h").write_text(usc.header(lance / "lance.usc"))
    kernel = [FIRMWARE / "xkernel" / f"{n}.c" for n in ("upi", "msg", "msg_tree")]
    kernel.append(FIRMWARE / "platform" / "host" / "heap.c")
    sources = [*sorted(ROOM.glob("*.c")), *sorted(lance.glob("*.c")), *kernel]
    # The copies read quadwords where bytes were written, by design of the machine they are for.
    include = [f"-I{ROOM}", f"-I{folder}", f"-I{FIRMWARE}", f"-DXK_USC={in_place}"]
    command = [CC, *FLAGS, *SANITIZE, "-fno-sanitize=alignment", *include, *sources]
    run([*command, "-o", folder / "driver_tests"])
    return folder / "driver_tests"


@pytest.mark.parametrize("in_place", [1, 0])
@pytest.mark.parametrize("name", names())
def test_driver(name: str, in_place: int) -> None:
    run_case(driver_tests(in_place), name)


def test_no_case_is_forgotten() -> None:
    assert run([driver_tests(1), "--list"]).stdout.split() == names()
