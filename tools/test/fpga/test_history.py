# SPDX-License-Identifier: BSD-2-Clause
"""``./mcpi board report --record`` and ``--history``: lines of boards/history.csv."""

import pytest

from mcpi.base.errors import UserError
from mcpi.fpga import history
from mcpi.fpga.report import Part
from mcpi.fpga.synthesis import Netlist, Routed


def routed(device: str, seed: int, mhz: float) -> Routed:
    return Routed(device, seed, mhz, comb=9000 + seed, ff=3000, ebr=20, dsp=1, path=None)


def test_a_line_for_each_device(tmp_path, monkeypatch, capsys) -> None:
    file = tmp_path / "history.csv"
    file.write_text(",".join(history.FIELDS) + "\n")
    runs = [routed("u6", 1, 60.04), routed("u6", 2, 64.0), routed("u6", 3, 62.0)]
    part = Part(Netlist(tmp_path, {}, 0), [*runs, routed("g8", 1, 90.0)])
    history.record("0123abc", "core", "a register, more", {"core": part}, file)
    history.record("0123abc", "lance", "it", {"core": part}, file)
    lines = history.rows("core", file)
    assert [(r["device"], r["comb"], r["mhz"]) for r in lines] == [
        ("u6", "9001", "60.0 64.0 62.0"),
        ("g8", "9001", "90.0"),
    ]
    assert lines[0]["change"] == "a register, more"
    monkeypatch.setattr(history, "rows", lambda block: lines)
    history.show("core")
    said = capsys.readouterr().out.splitlines()
    assert said[1].split()[-5:] == ["3,000", "20", "62.0", "3:", "60.0–64.0"]
    assert said[2].split()[-2:] == ["90.0", "1"]


def test_what_no_commit_has_is_not_recorded(monkeypatch) -> None:
    monkeypatch.setattr(history, "_git", lambda *words: " M cores/x" * (words[0] == "status"))
    with pytest.raises(UserError, match="Commit first"):
        history.commit()


def test_the_file_has_the_fields() -> None:
    assert tuple(history.FILE.read_text().splitlines()[0].split(",")) == history.FIELDS
