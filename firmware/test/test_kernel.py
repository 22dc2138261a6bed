# SPDX-License-Identifier: BSD-2-Clause
"""The kernel with processes (udp-receive.md) under sanitizers: cases in C (firmware/test/kernel),
and mistakes planted in it."""

import subprocess
import tomllib
from functools import cache
from pathlib import Path

import pytest
from host_build import (
    FIRMWARE,
    OUT,
    TEST,
    case_names,
    kernel_sources,
    kernel_tests,
    run,
    run_case,
    write,
)

CASES = TEST / "kernel"
NAMES = case_names(CASES)
PATIENCE = 2  # s of processor: a hundred times what a case takes
FAULTS = tomllib.loads((CASES / "faults.toml").read_text())["fault"]


@cache
def program() -> Path:
    return kernel_tests(OUT / "kernel", kernel_sources())


@pytest.mark.parametrize("name", NAMES)
def test_case(name: str) -> None:
    run_case(program(), name)


def test_no_case_is_forgotten() -> None:
    listed = run([program(), "--list"]).stdout.split()
    assert sorted(listed) == sorted(NAMES)
    print(f"{len(listed)} cases")


@pytest.mark.parametrize("fault", FAULTS, ids=lambda f: f["name"])
def test_planted_fault_is_noticed(fault: dict) -> None:
    source = FIRMWARE / "kernel" / fault["file"]
    text = source.read_text()
    assert text.count(fault["old"]) == 1, f"{fault['name']}: does not apply to {source.name}"
    folder = OUT / "kernel" / "faults" / fault["name"]
    write(folder / source.name, text.replace(fault["old"], fault["new"]))
    others = [p for p in kernel_sources() if p != source]
    words = [kernel_tests(folder, [*others, folder / source.name]), fault["by"]]
    # One that turns for ever is ended by its processor seconds: a busy machine has no part in it.
    words = ["sh", "-c", f'ulimit -t {PATIENCE}; exec "$@"', "sh", *words]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode, f"{fault['by']} does not notice {fault['name']}"
