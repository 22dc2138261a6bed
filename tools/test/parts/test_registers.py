# SPDX-License-Identifier: BSD-2-Clause
"""The part's SystemRDL: what is made of it has each field, and a field that is not read is told."""

import re

import pytest

from mcpi.base.errors import RunError
from mcpi.parts import registers


@pytest.mark.parametrize("bus", ["wishbone", "axi4", "turbochannel"])
def test_header_and_page_have_each_field(bus) -> None:
    text = registers.rdl(bus)
    table = registers.read(text)
    header, page = registers.header(table), registers.page(table)
    fields = re.findall(r"(\w+)_f\[(\d+):(\d+)\]", text)
    assert len(fields) == len(table.bus + table.chip)
    for one in table.bus + table.chip:
        mask = (1 << one.high + 1) - (1 << one.low)
        assert f"LANCE_{one.register}_{one.name.upper()} {mask:#x}\n" in header
        assert f" {one.name} " in page and one.meaning.replace("|", "\\|") in page


def test_a_changed_field_changes_both() -> None:
    text = registers.rdl("wishbone")
    table = registers.read(text.replace("half_duplex_f[0:0]", "hdx_f[7:6]"))
    assert "#define LANCE_CONTROL_HDX 0xc0\n" in registers.header(table)
    assert re.search(r"\| CONTROL +\| 08 +\| 7:6 +\| hdx ", registers.page(table))


@pytest.mark.parametrize(
    ("there", "instead"),
    [("half_duplex_f[0:0]", "half_duplex_f[0]"), ("; }\n        bus_error_f", ";}\n bus_error_f")],
)
def test_a_field_written_otherwise_is_told(there, instead) -> None:
    text = registers.rdl("wishbone")
    assert there in text
    with pytest.raises(RunError, match=r"of \d+ fields are written as those of registers.rdl"):
        registers.read(text.replace(there, instead))
