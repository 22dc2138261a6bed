# SPDX-License-Identifier: BSD-2-Clause
"""docs/data/host-registers.csv has the numbers and names of the Scala sources."""

import csv
import re

from mcpi.base.repo import ROOT

TABLE = ROOT / "docs" / "data" / "host-registers.csv"


def described() -> dict[str, int]:
    """Numbers by name, of the registers that have a name and a number of their own."""
    lines = [line for line in TABLE.read_text().splitlines() if not line.startswith("#")]
    found: dict[str, int] = {}
    for row in csv.DictReader(lines):
        assert row["meaning"], row
        names, numbers = row["name"].split(", "), row["number"].split(", ")
        if len(names) == len(numbers):
            pairs = zip(names, numbers)
            found |= {n: int(k, 16) for n, k in pairs if re.fullmatch("[0-9A-F]+", k)}
    return found


def in_the_node() -> dict[str, int]:
    """Numbers by name of HostRegisterMap, without parameters, comparators and copies."""
    text = (ROOT / "rtl" / "node" / "HostRegisterMap.scala").read_text()
    values = {n: int(k, 16) for n, k in re.findall(r"val (\w+) = (0x\w+)", text)}
    pairs = re.findall(r'^    "(\w+)" -> \(?(\w+)(?: \+ (\d))?\)?', text, re.M)
    assert len(pairs) > 15
    return {name: values[value] + int(more or 0) for name, value, more in pairs}


def on_the_board() -> dict[str, int]:
    """Numbers by name of BoardRegisterMap."""
    text = (ROOT / "rtl" / "console" / "BoardRegisterMap.scala").read_text()
    lists = dict(re.findall(r"val (gateway|exact|record) = Seq\((.*?)\)", text, re.S))
    names = text.partition("val names")[2].partition("def")[0]
    for name, members in lists.items():
        assert f"++ {name}" in names, name
        names = names.replace(f"++ {name}", members)
    found = re.findall(r'"(\w+)"', names)
    return {f"board.{name}": 0x1000 + k for k, name in enumerate(found)}


def test_the_table_has_every_register() -> None:
    wanted = in_the_node() | {"run_mask": 0x018} | on_the_board()
    assert {n: k for n, k in described().items() if n != "snapshot"} == wanted
