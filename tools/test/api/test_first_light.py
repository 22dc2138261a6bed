# SPDX-License-Identifier: BSD-2-Clause
"""``board first-light`` rehearsed on simulated boards: all of it, and a failure at each step."""

import csv
import dataclasses
import json
from pathlib import Path

import pytest
from tools_support.board_bench import Bench

from mcpi.api import first_light
from mcpi.api.first_light import Given
from mcpi.base.errors import RunError
from mcpi.base.progress import Silent
from mcpi.engines.board import against_exact
from mcpi.machine import profile
from mcpi.spec.run_spec import RunSpec

RECORD = RunSpec(lockstep=False)
MACHINE = profile.load("dec3000-600", {})
RAM = ("--backing-bytes", str(64 * 8192))


class Bench2:
    """Two simulated boards: each alone with a loop, until somebody plugs in the cable."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.alone = [Bench(folder / f"alone{n}", RECORD, "--loopback", *RAM) for n in (0, 1)]
        self.pair: Bench | None = None
        self.ports = str(folder / "client"), str(folder / "server")
        self._at([bench.ports[0] for bench in self.alone])

    def _at(self, ports: list[str]) -> None:
        for here, there in zip(self.ports, ports, strict=True):
            Path(here).unlink(missing_ok=True)
            Path(here).symlink_to(Path(there).resolve())

    def plug(self, _: str = "") -> None:
        for bench in self.alone:
            bench.end()
        self.pair = Bench(self.folder / "pair", RECORD)
        self._at(list(self.pair.ports))

    def end(self) -> None:
        for bench in [*self.alone, *([self.pair] if self.pair else [])]:
            bench.end()


@pytest.fixture
def bench(tmp_path):
    found = Bench2(tmp_path)
    yield found
    found.end()


def given(bench: Bench2, **more) -> Given:
    usual = {"ports": bench.ports, "baud": 0, "machine": MACHINE, "settings": {}, "frames": 4}
    usual |= {"out": bench.folder / "out", "ask": bench.plug, "bar": Silent()}
    return Given(**usual | more)


@pytest.mark.long
def test_rehearsal(bench):
    """From two boards with loops to the line, which has a field for each name of lit.csv."""
    said: list[str] = []
    about = given(bench)
    first_light.lead(about, said.append)
    assert [one[:7] for one in said[:5]] == [f"{n} of 5 " for n in range(1, 6)]
    assert "sent 4, received 4, lost 0" in said[1]
    seen = "no counter of the paths, nor console.0.txt, nor console.1.txt, differs from engine"
    assert said[4].endswith(f"{seen} exact's")
    rows = list(csv.reader(first_light.LIT.read_text().splitlines()))
    names = next(row for row in rows if not row[0].startswith("#"))
    assert rows[-1] == names, "a line that no simulated board can have given"
    row = dict(zip(names, next(csv.reader([said[-1]])), strict=True))
    assert row["board"] == "sim" and row["bitstream"] == "none" and row["differences"] == "0"
    assert len(row["counters"]) == 16 and row["counters"] == about.digest
    place = about.out / "boards"
    counts = json.loads((place / "counters.json").read_text())
    counts["nodes"][0]["path"]["clocks"] += 1
    (place / "counters.json").write_text(json.dumps(counts))
    assert first_light.digest(place) == about.digest
    counts["nodes"][1]["path"]["instructions"] += 1
    (place / "counters.json").write_text(json.dumps(counts))
    assert first_light.digest(place) != about.digest
    found = against_exact.differences(place, about.out / "exact")
    assert found.keys() == {"counters.json"} and len(found["counters.json"]) == 1


def fails(about: Given) -> str:
    with pytest.raises(RunError) as error:
        first_light.lead(about, lambda _: None)
    return str(error.value)


def test_another_machine_in_the_boards(bench):
    other = profile.load("dec3000-600", {"icache.size": "16KB"})
    said = fails(given(bench, machine=other))
    assert said.startswith("step 1 of 5, bitstream: ") and "holds a machine of digest" in said
    assert "./mcpi board build" in said


def test_a_loop_that_loses_frames(bench, monkeypatch):
    def lost(*_):
        raise RunError("A: loopback: sent 4, received 0")

    monkeypatch.setattr(first_light.selftest, "_frames", lost)
    said = fails(given(bench))
    assert said.startswith("step 2 of 5, self-test: ") and "tests this board alone" in said


def test_no_link(bench, monkeypatch):
    def dark(*_):
        raise RunError("A: no link within 5 s.")

    monkeypatch.setattr(first_light, "bring_up", dark)
    said = fails(given(bench))
    assert said.startswith("step 3 of 5, cable: A: no link") and "must show link" in said


@pytest.mark.long
def test_a_board_that_dies(bench, monkeypatch):
    """Between link and round trip; what there is of the line is said, too."""
    monkeypatch.setattr(first_light, "bring_up", lambda *_: bench.pair.end())
    said: list[str] = []
    with pytest.raises(RunError, match=r"(?s)step 4 of 5, round trip: .*Press both boards"):
        first_light.lead(given(bench), said.append)
    assert said[-1].count(",") == first_light.line(given(bench)).count(",") and ",sim," in said[-1]


@pytest.mark.long
def test_a_difference(bench, monkeypatch):
    """Engine exact runs another variant than the boards."""
    spec = first_light._spec

    def other(about: Given, **more) -> RunSpec:
        found = spec(about, **more)
        return found if found.ports else dataclasses.replace(found, variant="clo")

    monkeypatch.setattr(first_light, "_spec", other)
    said: list[str] = []
    told = r"step 5 of 5, comparison: \d+ differences: counters.json: client "
    with pytest.raises(RunError, match=told):
        first_light.lead(given(bench), said.append)
    assert int(said[-1].rpartition(",")[2]) > 1
