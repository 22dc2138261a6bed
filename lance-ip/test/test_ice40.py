# SPDX-License-Identifier: BSD-2-Clause
"""The card on an FPGA without distributed RAM (docs/reference/lance.md, On an iCE40)."""

import json
import re
import shutil

import pytest

from mcpi.base import yosys
from mcpi.base.repo import BUILD, ROOT
from mcpi.hdl.cocotb_run import elaborate

PAGE = ROOT / "docs/reference/lance.md"
SHOWN = re.compile(r"([\d,]+) LUT4, ([\d,]+) carry cells, ([\d,]+) flip-flops and (\d+) block RAMs")


def test_no_memory_of_the_card_asks_for_distributed_ram():
    styles = set(re.findall(r"ram_style = \"(\w+)\"", elaborate("LanceCard").read_text()))
    assert styles == {"auto"}


@pytest.mark.long
@pytest.mark.parametrize(("number", "settings"), enumerate([{}, {"lance.classifier": "on"}]))
def test_the_card_goes_through_synth_ice40(number, settings):
    """The page has its cells, without the classifier and with it."""
    folder = BUILD / f"ice40-{number}"
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(elaborate("LanceCard", settings=settings), folder / "card.v")
    script = "read_verilog card.v; synth_ice40 -top LanceCard; write_json netlist.json"
    yosys.run(yosys.YOSYS, ["-q", "-p", script], folder, "yosys.out")
    cells = json.loads((folder / "netlist.json").read_text())["modules"]["LanceCard"]["cells"]
    types = [cell["type"] for cell in cells.values()]
    kinds = ("SB_LUT4", "SB_CARRY", "SB_DFF", "SB_RAM40_4K")
    found = [sum(t.startswith(kind) for t in types) for kind in kinds]
    shown = SHOWN.findall(PAGE.read_text())[number]
    assert found == [int(cells.replace(",", "")) for cells in shown]
