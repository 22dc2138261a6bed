# SPDX-License-Identifier: BSD-2-Clause
"""Builds the cases of the LANCE driver, with the chip's model (protocols/lance/chip_model.c)."""

from functools import cache
from pathlib import Path

from firmware_support.host_build import (
    FAST,
    FIRMWARE,
    HEAP,
    HOST,
    OUT,
    TEST,
    compile_all,
    link,
    write,
    xkernel,
)

from mcpi.firmware import usc

ROOM = TEST / "protocols" / "lance"
DENSE = "LANCE_DENSE=1"
CLASSIFIER = "LANCE_CLASSIFIER=1"
BUILDS = ("XK_USC=1", "XK_USC=0", "LANCE_PMAD=1", DENSE, CLASSIFIER, f"{CLASSIFIER} -D{DENSE}")


LANCE = FIRMWARE / "protocols" / "lance"
DRIVER = sorted(LANCE.glob("*.c"))


@cache
def driver_tests(define: str) -> Path:
    return driver_tests_of(DRIVER, define, OUT / f"driver-{define.replace(' ', '')}")


def driver_tests_of(driver: list[Path], define: str, folder: Path) -> Path:
    write(folder / "lance.usc.h", usc.header(LANCE / "lance.usc"))
    kernel = [*xkernel("upi", "msg", "msg_tree", "console"), HEAP]
    sources = [
        HOST / "host_tests.c",
        *sorted(ROOM.glob("*.c")),
        *driver,
        *kernel,
    ]
    # The copies read quadwords where bytes were written, by design of the machine they are for.
    options = (
        "-fno-sanitize=alignment",
        f"-I{HOST / 'chip'}",
        f"-I{folder}",
        *f"-D{define}".split(),
        *FAST,
    )
    return link(folder / "driver_tests", compile_all(sources, options))
