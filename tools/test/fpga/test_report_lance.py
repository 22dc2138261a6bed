# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi board report --block lance`` as a whole; yosys and nextpnr are scripts."""

import json
import re
import stat
import sys
from pathlib import Path

import pytest

from mcpi.base import yosys as yowasp
from mcpi.base.errors import RunError
from mcpi.fpga import report as fpga_report
from mcpi.fpga import synthesis

RECORDED = Path(__file__).parents[1] / "tools_support/nextpnr_report.json"
CLOCK = next(iter(json.loads(RECORDED.read_text())["fmax"]))
CHIP, CARD = fpga_report.REPORTED["lance"].parts.values()
LUTS = {CHIP: 2000, CARD: 2500}

# A netlist of as many cells as the test says; the flip-flops of the pins' wrapper are among them.
YOSYS = """
luts = {luts}
if "--version" not in sys.argv:
    top, out = re.search(r"-top (\\w+) -json (\\S+)", " ".join(sys.argv)).groups()
    types = dict(LUT4=luts[top], CCU2C=30, TRELLIS_DPR16X4=4, TRELLIS_FF=800)
    cells = {{f"{{t}}_{{n}}": {{"type": t}} for t, count in types.items() for n in range(count)}}
    cells |= {{f"chain_TRELLIS_FF_Q_{{n}}": {{"type": "TRELLIS_FF"}} for n in range(100)}}
    pathlib.Path(out).write_text(json.dumps({{"modules": {{top: {{"cells": cells}}}}}}))
"""
# The recorded run, its MHz those of the seed; it fails at a seed of 9.
NEXTPNR = """
if "--version" not in sys.argv:
    said = dict(zip(sys.argv, sys.argv[1:]))
    netlist = json.loads(pathlib.Path(said["--json"]).read_text())
    report = json.loads(pathlib.Path({recorded!r}).read_text())
    seed = int(said["--seed"])
    if seed == {fails}:
        sys.exit("ERROR: no room for the cells")
    report["fmax"] = {{{clock!r}: {{"achieved": 90.0 + 7 * seed % 5, "constraint": 150}}}}
    pathlib.Path(said["--report"]).write_text(json.dumps(report))
"""
HEAD = """#!{python}
import json, pathlib, re, sys
with open({log!r}, "a") as log:
    print(pathlib.Path(sys.argv[0]).name, *sys.argv[1:], file=log)
"""


class Tools:
    """The two scripts on PATH; ``calls`` are the words of each call, but those for the version."""

    def __init__(self, folder: Path, monkeypatch) -> None:
        self.folder, self.log = folder, folder / "calls"
        self.log.touch()
        self.write(fails=-1)
        monkeypatch.setenv("PATH", str(folder))
        monkeypatch.setenv("MCPI_ENV", str(folder / "env"))
        monkeypatch.setattr(synthesis, "BUILD", folder / "build")
        monkeypatch.setattr(synthesis, "elaborate", self.elaborate)

    def write(self, fails: int) -> None:
        parts = {"luts": LUTS, "recorded": str(RECORDED), "clock": CLOCK, "fails": fails}
        for tool, text in ((yowasp.YOSYS, YOSYS), (yowasp.NEXTPNR, NEXTPNR)):
            script = self.folder / tool
            head = HEAD.format(python=sys.executable, log=str(self.log))
            script.write_text(head + text.format(**parts))
            script.chmod(script.stat().st_mode | stat.S_IXUSR)

    def elaborate(self, name: str, settings: dict[str, str], block: str) -> Path:
        verilog = self.folder / f"{block}.v"
        verilog.write_text(f"module {block}; endmodule // {name} {settings}\n")
        return verilog

    @property
    def calls(self) -> list[str]:
        lines = self.log.read_text().splitlines()
        return [line for line in lines if "--version" not in line]


@pytest.fixture
def tools(tmp_path, monkeypatch) -> Tools:
    return Tools(tmp_path, monkeypatch)


def report(device="u6", seeds=3, as_json=False) -> None:
    fpga_report.report("lance", "dec3000-600", {}, device, seeds, 1, as_json)


def test_the_table_has_both_parts_every_seed_and_the_other_macs(tools, capsys):
    report()
    said = capsys.readouterr().out
    # 2,000 + 2 x 30 + 6 x 4; 800 flip-flops, the wrapper's hundred left out.
    ours = r"LANCE-IP, chip +2,084 +800 +0 +0 +92.0 +92.0 94.0 91.0"
    assert re.search(ours, said), said
    assert re.search(r"LANCE-IP, chip and wiring +2,584 +800", said), said
    for peer in fpga_report.peers("macs.csv"):
        line = next(line for line in said.splitlines() if line.startswith(peer.name))
        assert f"{peer.comb:,}" in line and peer.mhz["u6"] in line, line
    path = r"chip, u6 = LFE5U-45F speed 6, seed 1: .* → fetch.data.0.6 \(CEB\), 26.7 ns"
    assert re.search(path, said), said
    assert "lance: dec3000-600" in said and "Idle skipping left out" in said, said


def test_a_part_is_synthesised_once_and_placed_once_a_seed_and_device(tools, capsys):
    report()
    yosys = [c for c in tools.calls if c.startswith(yowasp.YOSYS)]
    placed = [c for c in tools.calls if c.startswith(yowasp.NEXTPNR)]
    assert [re.search(r"-top (\w+)", c)[1] for c in yosys] == [CHIP, CARD]
    assert [re.search(r"--seed (\d)", c)[1] for c in placed] == ["1", "2", "3"] * 2
    assert all("--45k --speed 6" in c and "--freq 150" in c for c in placed), placed
    report()
    assert len(tools.calls) == 8, "what was measured was measured again"
    report("both", 3)
    assert len(tools.calls) == 14
    assert all("--um5g-45k --speed 8" in c for c in tools.calls[8:]), tools.calls[8:]
    capsys.readouterr()


def test_the_record_has_every_run(tools, capsys):
    report(seeds=2, as_json=True)
    said = json.loads(capsys.readouterr().out)
    assert said["machine"] == "dec3000-600"
    chip, card = said["parts"].values()
    assert (chip["comb"], card["comb"]) == (2084, 2584)
    runs = chip["runs"]
    assert [(r["device"], r["seed"], r["mhz"]) for r in runs] == [("u6", 1, 92.0), ("u6", 2, 94.0)]


def test_a_run_that_fails_is_shown_and_the_next_call_goes_on(tools, capsys):
    tools.write(fails=2)
    with pytest.raises(RunError, match=r"nextpnr-ecp5 failed[\s\S]*no room for the cells"):
        report()
    before = len(tools.calls)
    tools.write(fails=-1)
    report()
    again = [re.search(r"-top (\w+)|--seed (\d)", c)[0] for c in tools.calls[before:]]
    assert again == ["--seed 2", "--seed 3", f"-top {CARD}", "--seed 1", "--seed 2", "--seed 3"]
    capsys.readouterr()
