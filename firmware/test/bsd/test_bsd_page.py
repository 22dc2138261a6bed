# SPDX-License-Identifier: BSD-2-Clause
"""docs/data/firmware-counters.csv has every counter of the production stack, every counter is
counted, and docs/explanation/bsd.md has every switch and every folder."""

import re

import pytest
from firmware_support import counter_table
from firmware_support.host_build import FIRMWARE

from mcpi.base.repo import ROOT

ROOM = FIRMWARE / "bsd"
CODE = "".join(p.read_text() for p in sorted(ROOM.rglob("*.[ch]")))
COMMENT = re.compile(r"/\*.*?\*/", re.S)
STRUCTS = dict(re.findall(r"^struct (\w+stat) \{(.*?)^\}", COMMENT.sub("", CODE), re.M | re.S))
PAGE = (ROOT / "docs" / "explanation" / "bsd.md").read_text()


def fields(struct: str) -> list[str]:
    lines = re.findall(r"uint64_t ([^;]+);", STRUCTS[struct])
    return [name for line in lines for name in re.split(r",\s*", line)]


def test_there_are_structs() -> None:
    named = {s for s, _, _ in counter_table.rows() if s.endswith("stat")}
    assert named == set(STRUCTS) and len(named) == 5


@pytest.mark.parametrize("struct", sorted(STRUCTS))
def test_every_counter_has_a_meaning(struct: str) -> None:
    assert sorted(counter_table.described(struct)) == sorted(fields(struct))


@pytest.mark.parametrize("struct", sorted(STRUCTS))
def test_every_counter_is_counted(struct: str) -> None:
    counting = rf"\b{struct}\.{{}}(\+\+| \+=)|&{struct}\.{{}}\b"
    idle = [n for n in fields(struct) if not re.search(counting.replace("{}", n), CODE)]
    assert not idle, f"never counted: {idle}"


def test_the_page_has_every_switch_and_folder() -> None:
    switches = re.findall(r"^#define (BSD_\w+) \d", (ROOM / "switches.h").read_text(), re.M)
    assert len(switches) >= 3 and re.findall(r"^\| `(BSD_\w+)`", PAGE, re.M) == switches
    folders = sorted(f"{p.name}/" for p in ROOM.iterdir() if p.is_dir())
    assert sorted(re.findall(r"^ (\w+/) ", PAGE, re.M)) == folders
