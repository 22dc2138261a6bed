# SPDX-License-Identifier: BSD-2-Clause
"""TCP's cases on the production stack: the same files as for the x-kernel's TCP (test_host.py).

Where the two answer otherwise, ``other_cases.toml`` says why, and ``process_cases.c`` what the
production stack does.
"""

import tomllib

import pytest
from firmware_support import faults
from firmware_support.host_build import (
    BSD,
    BSD_BLOCKS,
    BSD_CASES,
    FIRMWARE,
    OUT,
    bsd_kernel,
    bsd_tests,
    bsd_tests_of,
    case_names,
    run_apart,
    run_case,
    same_cases,
)

from mcpi.base.process import heard

FAULTS = faults.read(BSD / "faults.toml", FIRMWARE / "bsd")
OTHERS = tomllib.loads((BSD / "other_cases.toml").read_text())
# Not TCP's: of both stacks of an image of the x-kernel's.
NOT_HERE = {"start_without_memory"}
ALL = case_names(files=BSD_CASES)
NAMES = [name for name in ALL if name not in {*OTHERS, *NOT_HERE}]
SWITCHES = ["BSD_HDRPRED=0", "BSD_PCB_CACHE=0", "BSD_WORDS=1", "XK_OUTLINE=1"]


@pytest.mark.parametrize("name", NAMES)
def test_case(name: str) -> None:
    run_case(bsd_tests(), name)


def test_no_case_is_forgotten() -> None:
    same_cases(bsd_tests(), ALL)


@pytest.mark.parametrize("name", sorted(OTHERS))
def test_it_answers_otherwise(name: str) -> None:
    assert OTHERS[name]["why"] and OTHERS[name].get("instead", NAMES[0]) in NAMES
    assert heard([bsd_tests(), name]).returncode == 1, f"{name} can leave other_cases.toml"


@pytest.mark.parametrize("switch", SWITCHES)
def test_all_cases_with_a_switch(switch: str) -> None:
    run_apart(bsd_tests((*BSD_BLOCKS, f"-D{switch}")), NAMES)


def test_all_cases_with_lists_of_mbufs() -> None:
    """Lists of mbufs are as in images."""
    run_apart(bsd_tests(()), NAMES)


def test_each_allocation_fails() -> None:
    """Every allocation of a conversation fails in its turn, alone and with the two after it."""
    for case in ("tcp_each_allocation_fails_once", "tcp_three_allocations_fail"):
        run_apart(bsd_tests(), (f"{case}={skip}" for skip in range(90)))


@faults.each(FAULTS)
def test_planted_fault_is_noticed(fault: faults.Fault) -> None:
    folder, case = OUT / "bsd" / "faults" / fault.folder, fault.how["by"]
    found = bsd_tests_of(fault.among(bsd_kernel(), folder), folder)
    done = heard([found, case], timeout=60)
    assert done.returncode, f"{case} does not notice {fault.name}"
    said = [x for x in done.stderr.splitlines() if x.strip("= ") and "ASan doesn't" not in x]
    print(f"{fault.name}: {case}: {said[0][:120] if said else done.returncode}")
