# SPDX-License-Identifier: BSD-2-Clause
"""Placements are made once, and the longest path is of the clock that was asked for."""

import json
from pathlib import Path

import pytest

from mcpi.base import yosys
from mcpi.base.errors import RunError
from mcpi.fpga import nextpnr


class Placer:
    """In nextpnr's place: notes the seeds, and fails at one of them."""

    def __init__(self, fails: int = 0):
        self.placed, self.fails = [], fails

    def __call__(self, tool, words, folder, log, stop):
        seed = int(words[words.index("--seed") + 1])
        if seed == self.fails:
            raise RunError(f"seed {seed} failed")
        self.placed.append(seed)
        (folder / words[words.index("--report") + 1]).write_text('{"fmax": {}}')


class Nothing:
    def task(self, *_):
        return self

    def __enter__(self):
        return lambda *_: None

    def __exit__(self, *_):
        pass


def _place(folder: Path, placer: Placer, seeds: list[int], monkeypatch) -> list[int]:
    monkeypatch.setattr(yosys, "run", placer)
    monkeypatch.setattr(yosys, "command", lambda _: None)
    report = lambda seed: folder / f"seed{seed}.json"  # noqa: E731
    words = lambda seed: ["--seed", str(seed)]  # noqa: E731
    return nextpnr.place_and_route(folder, "it", seeds, report, words, 1, Nothing())


def test_what_is_placed_is_placed_once(tmp_path, monkeypatch):
    """Also behind a seed that failed, which leaves no report."""
    first = Placer(fails=3)
    with pytest.raises(RunError, match="seed 3 failed"):
        _place(tmp_path, first, [1, 2, 3], monkeypatch)
    again = Placer()
    assert _place(tmp_path, again, [1, 2, 3, 4], monkeypatch) == [3, 4]
    assert (first.placed, again.placed) == ([1, 2], [3, 4])
    found = json.loads((tmp_path / "seed4.json").read_text())
    assert found["mcpi_seconds"] >= 0


def _path(start: str, end: str, logic: float, wire: float) -> dict:
    pins = [{"cell": f"area_inner.{name}_TRELLIS_FF_Q_3", "port": "Q"} for name in "ab"]
    steps = [("clk-to-q", logic), ("routing", wire)]
    made = [{"type": kind, "delay": ns, "from": pins[0], "to": pins[1]} for kind, ns in steps]
    return {"from": start, "to": end, "path": made}


def test_the_longest_path_is_of_one_clock():
    """Neither from another, whose name begins alike, nor of the asynchronous pins."""
    paths = [
        _path("posedge clk2", "posedge clk2", 9, 9),
        _path("posedge clk", "posedge clk2", 8, 8),
        _path("<async>", "posedge clk", 7, 7),
        _path("posedge clk", "posedge clk", 1, 4),
        _path("posedge clk", "posedge clk", 1, 3),
    ]
    found = nextpnr.longest({"critical_paths": paths}, "clk")
    assert found == nextpnr.Longest("a (Q)", "b (Q)", 1, 4)
    assert found.words() == "a (Q) → b (Q), 5.0 ns, 80 % wire"
    assert nextpnr.longest({"critical_paths": paths}, "clk3") is None
