# SPDX-License-Identifier: BSD-2-Clause
"""The kernel with processes (udp-receive.md) under sanitizers: cases in C (firmware/test/kernel),
and mistakes planted in it."""

from functools import cache
from pathlib import Path

import pytest
from firmware_support import faults
from firmware_support.host_build import (
    FIRMWARE,
    OUT,
    case_names,
    kernel_sources,
    kernel_tests,
    run_case,
    same_cases,
)

from mcpi.base.process import heard

CASES = Path(__file__).parent
NAMES = case_names(CASES)
PATIENCE = 1  # s of processor: fifty times what a case takes
FAULTS = faults.read(CASES / "faults.toml", FIRMWARE / "kernel")


@cache
def program() -> Path:
    return kernel_tests(OUT / "kernel", kernel_sources())


@pytest.mark.parametrize("name", NAMES)
def test_case(name: str) -> None:
    run_case(program(), name)


def test_no_case_is_forgotten() -> None:
    same_cases(program(), NAMES)


@faults.each(FAULTS)
def test_planted_fault_is_noticed(fault: faults.Fault) -> None:
    folder, case = OUT / "kernel" / "faults" / fault.folder, fault.how["by"]
    words = [kernel_tests(folder, fault.among(kernel_sources(), folder)), case]
    # A program that turns for ever is ended by its processor seconds, not by a busy clock.
    words = ["sh", "-c", f'ulimit -t {PATIENCE}; exec "$@"', "sh", *words]
    assert heard(words).returncode, f"{case} does not notice {fault.name}"
