# SPDX-License-Identifier: BSD-2-Clause
"""The LANCE driver on a chip that makes every error (driver/chip_model.c), on the host.

Each case with descriptors in place, copied (XK_USC=0), on PMAD, and with dense wiring, where the
chip fills shepherds' frames; under sanitizers.
"""

from functools import cache
from pathlib import Path

import pytest
from host_build import (
    FAST,
    FIRMWARE,
    OUT,
    TEST,
    case_names,
    compile_all,
    link,
    run_case,
    same_cases,
    write,
)

from mcpi.firmware import usc

ROOM = TEST / "driver"


DENSE = "LANCE_DENSE=1"
BUILDS = ("XK_USC=1", "XK_USC=0", "LANCE_PMAD=1", DENSE)


LANCE = FIRMWARE / "protocols" / "lance"
DRIVER = sorted(LANCE.glob("*.c"))


@cache
def driver_tests(define: str) -> Path:
    return driver_tests_of(DRIVER, define, OUT / f"driver-{define}")


def driver_tests_of(driver: list[Path], define: str, folder: Path) -> Path:
    write(folder / "lance.usc.h", usc.header(LANCE / "lance.usc"))
    kernel = [FIRMWARE / "xkernel" / f"{n}.c" for n in ("upi", "msg", "msg_tree", "console")]
    kernel.append(FIRMWARE / "platform" / "host" / "heap.c")
    sources = [
        TEST / "host_tests.c",
        *sorted(ROOM.glob("*.c")),
        *driver,
        *kernel,
    ]
    # The copies read quadwords where bytes were written, by design of the machine they are for.
    options = ("-fno-sanitize=alignment", f"-I{ROOM}", f"-I{folder}", f"-D{define}", *FAST)
    return link(folder / "driver_tests", compile_all(sources, options))


@pytest.mark.parametrize("define", BUILDS)
@pytest.mark.parametrize("name", case_names(ROOM))
def test_driver(name: str, define: str) -> None:
    run_case(driver_tests(define), name)


def test_no_case_is_forgotten() -> None:
    same_cases(driver_tests(BUILDS[0]), case_names(ROOM))
