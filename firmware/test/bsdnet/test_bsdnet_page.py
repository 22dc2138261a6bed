# SPDX-License-Identifier: BSD-2-Clause
"""docs/data has every counter of bsdnet, the kernel and the structures (firmware-counters.csv), and
every system call (kernel-calls.csv); every counter is counted by somebody."""

import re

import pytest
from firmware_support import counter_table
from firmware_support.host_build import FIRMWARE

from mcpi.base.repo import ROOT

ROOMS = [FIRMWARE / name for name in ("bsdnet", "kernel", "structures")]
CODE = "".join(p.read_text() for room in ROOMS for p in sorted(room.rglob("*.[ch]")))
COMMENT = re.compile(r"/\*.*?\*/", re.S)
STRUCTS = dict(re.findall(r"^struct (\w+_counts) \{(.*?)^\}", COMMENT.sub("", CODE), re.M | re.S))


def fields(struct: str) -> list[str]:
    lines = re.findall(r"uint64_t ([^;]+);", STRUCTS[struct])
    return [name for line in lines for name in re.split(r",\s*", line)]


def test_there_are_structs() -> None:
    assert len(STRUCTS) >= 13 and "socket_counts" in STRUCTS


@pytest.mark.parametrize("struct", sorted(STRUCTS))
def test_every_counter_has_a_meaning(struct: str) -> None:
    assert sorted(counter_table.described(struct)) == sorted(fields(struct))


def test_the_table_has_no_other_struct() -> None:
    """Except the protocols' structs (test_protocol_pages.py) and the production stack's
    (test_bsd_page.py)."""
    sources = "".join(p.read_text() for p in (FIRMWARE / "protocols").rglob("*.[ch]"))
    protocols = set(re.findall(r"struct (\w+_counts) {", sources))
    named = {struct for struct, _, _ in counter_table.rows() if not struct.endswith("stat")}
    assert named <= {*STRUCTS, *protocols}


@pytest.mark.parametrize("struct", sorted(STRUCTS))
def test_every_counter_is_counted(struct: str) -> None:
    counting = rf"\b{struct}\.{{}}(\+\+| \+=)|\+\+{struct}\.{{}}\b|&{struct}\.{{}}\b"
    idle = [n for n in fields(struct) if not re.search(counting.replace("{}", n), CODE)]
    assert not idle, f"never counted: {idle}"


def test_the_table_has_every_call() -> None:
    numbers = re.search(r"enum call_number \{(.*?)\}", CODE, re.S)[1]
    calls = {n.lower() for n in re.findall(r"CALL_(\w+)", numbers)}
    table = (ROOT / "docs" / "data" / "kernel-calls.csv").read_text()
    assert set(re.findall(r'^"?(\w+)\(', table, re.M)) == calls
