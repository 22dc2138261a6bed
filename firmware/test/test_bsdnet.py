# SPDX-License-Identifier: BSD-2-Clause
"""bsdnet alone, under sanitizers: cases in C (firmware/test/bsdnet), mistakes planted in it, and
frames that scapy made."""

import re
import subprocess
import tomllib
from functools import cache
from pathlib import Path

import pytest
from host_build import FIRMWARE, OUT, TEST, case_names, compile_all, link, run, run_case, write

BSDNET = FIRMWARE / "bsdnet"
CASES = TEST / "bsdnet"
XKERNEL = [FIRMWARE / "xkernel" / f"{name}.c" for name in ("checksum", "msg", "msg_tree")]
AROUND = [
    *sorted(CASES.glob("*.c")),
    TEST / "host_tests.c",
    *XKERNEL,
    FIRMWARE / "platform" / "host" / "heap.c",
]
FAULTS = tomllib.loads((CASES / "faults.toml").read_text())["fault"]


@cache
def program() -> Path:
    sources = [*sorted(BSDNET.glob("*.c")), *AROUND]
    return link(OUT / "bsdnet" / "bsdnet_tests", compile_all(sources), ("-ldl",))


def program_with(fault: dict) -> Path:
    """The same with one mistake in it."""
    source = BSDNET / fault["file"]
    text = source.read_text()
    assert text.count(fault["old"]) == 1, f"{fault['name']}: does not apply to {source.name}"
    folder = OUT / "bsdnet" / "faults" / fault["name"]
    write(folder / source.name, text.replace(fault["old"], fault["new"]))
    others = [p for p in sorted(BSDNET.glob("*.c")) if p != source]
    objects = compile_all([*others, *AROUND, folder / source.name])
    return link(folder / "bsdnet_tests", objects, ("-ldl",))


BAD = re.findall(r"^BAD\((\w+),", (CASES / "input_cases.c").read_text(), re.M)
NAMES = [*case_names(CASES), *(f"bad_{n}{way}" for n in BAD for way in ("", "_by_dma"))]


@pytest.mark.parametrize("name", NAMES)
def test_case(name: str) -> None:
    run_case(program(), name)


def test_no_case_is_forgotten() -> None:
    listed = run([program(), "--list"]).stdout.split()
    assert sorted(listed) == sorted(NAMES)
    print(f"{len(listed)} cases")


@pytest.mark.parametrize("fault", FAULTS, ids=lambda f: f["name"])
def test_planted_fault_is_noticed(fault: dict) -> None:
    words = [program_with(fault), fault["by"]]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode, f"{fault['by']} does not notice {fault['name']}"
    said = [line for line in done.stderr.splitlines() if line.strip("= ")]
    print(f"{fault['name']}: {fault['by']}: {said[0][:120] if said else done.returncode}")
