# SPDX-License-Identifier: BSD-2-Clause
"""bsdnet alone, under sanitizers: cases in C (firmware/test/bsdnet), mistakes planted in it, and
frames that scapy made."""

import re
from functools import cache
from pathlib import Path

import pytest
from firmware_support import faults
from firmware_support.host_build import (
    FIRMWARE,
    HEAP,
    HOST,
    OUT,
    case_names,
    compile_all,
    link,
    run_case,
    same_cases,
    xkernel,
)

from mcpi.base.process import heard
from mcpi.firmware.sources import in_rooms

BSDNET = FIRMWARE / "bsdnet"
SOURCES = in_rooms(["bsdnet"])
CASES = Path(__file__).parent
AROUND = [
    *sorted(CASES.glob("*.c")),
    HOST / "host_tests.c",
    *xkernel("checksum", "msg", "msg_tree"),
    HEAP,
]
FAULTS = faults.read(CASES / "faults.toml", BSDNET)


@cache
def program() -> Path:
    return linked(SOURCES, OUT / "bsdnet")


def linked(sources: list[Path], folder: Path, options: tuple[str, ...] = ()) -> Path:
    return link(folder / "bsdnet_tests", compile_all([*sources, *AROUND], options), ("-ldl",))


BAD = re.findall(r"^BAD\((\w+),", (CASES / "input_cases.c").read_text(), re.M)
NAMES = [*case_names(CASES), *(f"bad_{n}{way}" for n in BAD for way in ("", "_by_dma"))]


COPYING = ("-DCOPY_SUMS=1",)
READERS = [*case_names(files=[CASES / "copy_sum_cases.c"]), "udp_checksum_by_the_reader"]


@pytest.mark.parametrize("name", READERS)
def test_case_of_a_reader_that_sums_in_its_copy(name: str) -> None:
    run_case(linked(SOURCES, OUT / "bsdnet" / "copy-sums", COPYING), name)


@pytest.mark.parametrize("name", NAMES)
def test_case(name: str) -> None:
    run_case(program(), name)


def test_no_case_is_forgotten() -> None:
    same_cases(program(), NAMES)


@faults.each(FAULTS)
def test_planted_fault_is_noticed(fault: faults.Fault) -> None:
    folder, case = OUT / "bsdnet" / "faults" / fault.folder, fault.how["by"]
    options = COPYING if fault.how.get("copying") else ()
    done = heard([linked(fault.among(SOURCES, folder), folder, options), case], timeout=60)
    assert done.returncode, f"{case} does not notice {fault.name}"
    said = [line for line in done.stderr.splitlines() if line.strip("= ")]
    print(f"{fault.name}: {case}: {said[0][:120] if said else done.returncode}")
